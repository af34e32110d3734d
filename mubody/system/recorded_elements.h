#pragma once
// Joints and forces as they enter a recording: the same equations as in their groups, run once with numbers that note what
// is done to them.
//
//   docs/theory/recording.md
#include <map>

#include "mubody/forces/force.h"
#include "mubody/kinematics/recorded_turns.h"
#include "mubody/system/coupled_terms.h"
#include "mubody/system/registry.h"

namespace mubody {
/// The motion that elements see while they are recorded.
template <int D> struct RecordedMotion {
  using Formulation = Body<D, Recorded>;
  static constexpr int C = Formulation::columns;

  Recorded t;
  std::vector<typename Formulation::BodyState> bodies{};  // the ground first
  std::vector<Recorded> noted{};                          // signals, by number
  Recollection* memory = nullptr;
  const Recorded* states = nullptr;  // of the force that is being recorded
};

/// Numbers for the velocities of some bodies, the ground among them: rows of D, generalized forces.
template <int D> class RecordedColumns {
 public:
  using Of = Vec<Body<D>::columns, Recorded>;
  void add(int body, const Of& columns) {
    const auto [at, is_new] = of_.try_emplace(body, columns);
    if (!is_new) at->second += columns;
  }
  const Of* of(int body) const {
    const auto at = of_.find(body);
    return at == of_.end() ? nullptr : &at->second;
  }
  /// Calls f(place of the first number, numbers) for every body that moves.
  template <class Call> void each(const Call& f) const {
    for (const auto& [body, columns] : of_)
      if (body != ground) f(Body<D>::columns * (body - 1), columns);
  }

 private:
  std::map<int, Of> of_;
};

template <int D> struct RecordedRow {
  Recorded phi, rate, gamma;
  RecordedColumns<D> columns;
};
/// A coordinate of a joint; its acceleration is a + columns · u̇.
template <int D> struct RecordedCoordinate {
  std::string name, unit;
  Recorded x, v, a;
  RecordedColumns<D> columns;
};
template <int D> struct RecordedJoint {
  std::vector<RecordedRow<D>> rows;
  std::vector<RecordedCoordinate<D>> coordinates;
  std::vector<Recorded> slopes;  // of the coordinates that it couples
};
template <int D> struct RecordedForce {
  RecordedColumns<D> Q;
  Recorded stored, supplied;
  std::array<Recorded, 4> lost;       // by Loss
  std::vector<Recorded> state_rates;  // of its own states
  struct Report {
    std::string name, unit;
    Recorded value;
  };
  std::vector<Report> reports;
};

/// Runs the equations of one joint or force with recorded numbers.
template <class J, int D> class RecordedElement {
 public:
  using Motion = RecordedMotion<D>;
  using F = typename Motion::Formulation;
  using FrameI = Frame<F, Side::i>;
  using FrameJ = Frame<F, Side::j>;
  using Columns = typename RecordedColumns<D>::Of;

  RecordedElement(const J& element, const Motion& motion)
      : e_(element), motion_(motion), i_(element.i), j_(element.j), turns_(*motion.memory, motion.t) {}

  [[gnu::cold]] void join(RecordedJoint<D>& out) const {
    if constexpr (Couples<J>) {
      relate(out);
    } else {
      constexpr int rows = J::forbids(D), C = F::columns;
      std::array<Recorded, rows> phi, rate, gamma;
      std::array<Recorded, std::size_t(rows * C)> Di, Dj;
      Equations<F> eq(body(i_), body(j_), phi.data(), rate.data(), gamma.data(), Di.data(), Dj.data());
      if constexpr (requires { e_.forbid(frame_i(), frame_j(), motion_.t, eq); })
        e_.forbid(frame_i(), frame_j(), motion_.t, eq);
      else
        e_.forbid(frame_i(), frame_j(), eq);
      for (std::size_t r = 0; r < std::size_t(rows); ++r) {
        out.rows.push_back({phi[r], rate[r], gamma[r], {}});
        out.rows.back().columns.add(i_.body, Columns(Di.data() + r * C));
        out.rows.back().columns.add(j_.body, Columns(Dj.data() + r * C));
      }
      measure(out);
    }
  }

  [[gnu::cold]] void act(RecordedForce<D>& out) const {
    Sink sink{*this, out};
    if constexpr (requires { e_.states(); }) out.state_rates.resize(std::size_t(e_.states()));
    const Now now{motion_, {motion_.states, out.state_rates.data()}};
    if constexpr (Couples<J>) {
      const CoupledTerms<F> terms(e_.couples, turns_);
      e_.apply(Relation<F>(terms, e_, motion_.bodies.data(), motion_.t), now, sink);
    } else {
      e_.apply(frame_i(), frame_j(), now, sink);
    }
  }

 private:
  const auto& body(const Mount<D>& m) const { return motion_.bodies[std::size_t(m.body)]; }
  FrameI frame_i() const { return {body(i_), i_, turns_}; }
  FrameJ frame_j() const { return {body(j_), j_, turns_}; }

  template <class Row> Columns columns(int of, const Row& J_) const {
    Columns out = Columns::Zero();
    if constexpr (Row::ColsAtCompileTime > 0) F::row(motion_.bodies[std::size_t(of)], J_, out.data());
    return out;
  }

  void measure(RecordedJoint<D>& out) const {
    const auto report = [&](std::string_view name, std::string_view unit, const auto& s) {
      out.coordinates.push_back({std::string(name), std::string(unit), s.x, s.v, s.a, {}});
      out.coordinates.back().columns.add(i_.body, columns(i_.body, s.Ji));
      out.coordinates.back().columns.add(j_.body, columns(j_.body, s.Jj));
    };
    if constexpr (requires { e_.measure(frame_i(), frame_j(), motion_.t, report); })
      e_.measure(frame_i(), frame_j(), motion_.t, report);
    else if constexpr (requires { e_.measure(frame_i(), frame_j(), report); })
      e_.measure(frame_i(), frame_j(), report);
    else
      for (const Elementary m : J::allow)
        report(name_among(J::allow, m), unit_of(m), coordinate(m, frame_i(), frame_j()));
  }

  void relate(RecordedJoint<D>& out) const {
    const CoupledTerms<F> terms(e_.couples, turns_);
    const Relation<F> phi(terms, e_, motion_.bodies.data(), motion_.t);
    RecordedRow<D> row{phi.x, phi.v, -phi.a, {}};
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const auto& x = terms.terms()[k];
      row.columns.add(x.i.body, phi.slopes[k] * columns(x.i.body, phi.coordinates[k].Ji));
      row.columns.add(x.j.body, phi.slopes[k] * columns(x.j.body, phi.coordinates[k].Jj));
      out.slopes.push_back(phi.slopes[k]);
    }
    out.rows.push_back(std::move(row));
  }

  /// Time and signals, as forces see them.
  struct Now {
    const Motion& motion;
    OwnStates<Recorded> own;
    Recorded t = motion.t;

    Recorded operator()(const Signal& s) const { return s(t, *this); }
    Recorded operator()(const StateVariable& v) const {
      if (v.quantity == StateVariable::noted) return motion.noted.at(std::size_t(v.number));
      return F::state(motion.bodies.at(std::size_t(v.point.body)), Vec<D>(v.point.at.template head<D>()),
                      v.quantity);
    }
  };

  struct Sink {
    const RecordedElement& own;
    RecordedForce<D>& out;

    template <int I, int K> void along(const Scalar<I, K, Recorded>& s, const Recorded& force) const {
      out.Q.add(own.i_.body, force * own.columns(own.i_.body, s.Ji));
      out.Q.add(own.j_.body, force * own.columns(own.j_.body, s.Jj));
    }
    void along(const Relation<F>& s, const Recorded& force) const {
      for (std::size_t k = 0; k < s.all.size(); ++k) {
        const auto& x = s.all.terms()[k];
        out.Q.add(x.i.body, s.slopes[k] * force * own.columns(x.i.body, s.coordinates[k].Ji));
        out.Q.add(x.j.body, s.slopes[k] * force * own.columns(x.j.body, s.coordinates[k].Jj));
      }
    }
    template <class At>
    void push(const At& f, const Vec<D, Recorded>& force, const Vec<spins<D>, Recorded>& moment) const {
      Columns Q = Columns::Zero();
      F::push(f.body, f.mount.at, force, moment, Q.data());
      out.Q.add(f.mount.body, Q);
    }
    template <class V> void stores(const V& value) const { out.stored += value(); }
    template <class V> void dissipates(const V& power, Loss by = Loss::damper) const {
      out.lost[std::size_t(by)] += power();
    }
    template <class V> void supplies(const V& power) const { out.supplied += power(); }
    void reports(std::string_view name, std::string_view unit, const Recorded& value) const {
      out.reports.push_back({std::string(name), std::string(unit), value});
    }
  };

  const J& e_;
  const Motion& motion_;
  Mount<D> i_, j_;
  RecordedTurns turns_;
};

/// Whether equations of this element are written for any scalar: all of the library are, others say so by a member
/// `static constexpr bool any_scalar = true`.
template <class E> constexpr bool is_of_any_scalar = requires { E::any_scalar; };
/// Why an element cannot be recorded; empty if it can.
template <class E> constexpr std::string_view unrecorded() {
  if constexpr (requires { E::unrecorded; })
    return E::unrecorded;
  else if constexpr (is_contact<E>)
    return "bodies that touch change their equations at instants that must be located";
  else if constexpr (!is_of_any_scalar<E>)
    return "it is written for doubles alone; a member 'any_scalar' says that it is not";
  else
    return {};
}

template <class J> const JointRecorders& joint_recorders() {
  const auto one = []<int D>() -> RecordJoint<D> {
    if constexpr (J::forbids(D) > 0 && unrecorded<J>().empty())
      return [](const AnyJoint& joint, const RecordedMotion<D>& motion, RecordedJoint<D>& out) {
        RecordedElement<J, D>(static_cast<const JointOf<J>&>(joint).joint, motion).join(out);
      };
    else
      return nullptr;
  };
  static const JointRecorders all{one.template operator()<2>(), one.template operator()<3>(), unrecorded<J>()};
  return all;
}
template <class T> const ForceRecorders& force_recorders() {
  const auto one = []<int D>() -> RecordForce<D> {
    if constexpr (is_in<T>(D) && unrecorded<T>().empty())
      return [](const AnyForce& force, const RecordedMotion<D>& motion, RecordedForce<D>& out) {
        RecordedElement<T, D>(static_cast<const ForceOf<T>&>(force).force, motion).act(out);
      };
    else
      return nullptr;
  };
  static const ForceRecorders all{one.template operator()<2>(), one.template operator()<3>(), unrecorded<T>()};
  return all;
}
}  // namespace mubody
