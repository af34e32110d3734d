// Kinematic analysis: the drivers determine the motion.
//
//   Flores & Lankarani (2012), sec. 5: positions by Newton-Raphson, then D u = ν and D a = γ; the step that the
//   text calls 6 returns to 3.  With masses, Dᵀ λ = Q − M a gives driving forces and reactions.
//                                                                           docs/theory/kinematic.md
//
// Continuation: each position is predicted from the one before, q + u h + a h²/2, and a step is halved until
// Newton lands near its prediction, so that the motion stays on its branch.  Where the step shrinks to nothing
// the mechanism is at a dead point.  A singular position that the motion goes through is bridged from positions on
// either side of it, since the equations of the position itself determine neither velocities nor forces.
#include "mubody/analyses/follow_drivers.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/math/hermite.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/recorder.h"
#include "mubody/simulation/verdict.h"
#include "mubody/watches/contacts.h"

namespace mubody {
namespace {
constexpr int newton_rounds = 12;
constexpr double closed = 1e-13;   // System::gap() where Newton may stop
constexpr double open = 1e-10;     // System::gap() above which there is no solution
constexpr double singular = 1e-6;  // reciprocal condition number of D, in the units of the system, if singular
constexpr double largest_turn = 1.5;  // [rad] per step
constexpr double astray = 0.2;        // share of the step by which Newton may miss its prediction
// Shares of the best reciprocal condition number that the motion has seen:
constexpr double weak = 5e-3;        // less is next to a singular position
constexpr double unresolved = 1e-4;  // a bend that is closer to a singular position is taken for straight
constexpr double exact = 1e-7;       // less is at the singular position itself

class Kinematics {
 public:
  explicit Kinematics(System& s, bool redundant) : s_(s), d(s, redundant), redundant_(redundant) {}

  struct State {
    double t = 0;
    VecX q, u, a, lambda;
    int side = 0;     // sign of det D: changes at a singular position
    double hold = 0;  // reciprocal condition number of D
  };

  // Velocities, accelerations and multipliers at positions that satisfy the constraints.  u and a come in as guesses:
  // at a singular position, where the equations leave a choice, the solution nearest to the guess goes on
  // smoothly.
  void complete(State& x) {
    s_.constraints(x.t, x.q, x.u, d.terms);
    factor();
    x.u += solve(-d.terms.rate);
    close_contacts(s_, x.t, x.q, x.u);
    s_.evaluate(x.t, x.q, x.u, d.terms);
    VecX rest = -d.terms.gamma;
    s_.structure.multiply(d.terms.D.data(), x.a.data(), rest.data());
    x.a -= solve(rest);
    balance(x, least_squares_);
    best_ = std::max(best_, x.hold);
  }

  // Multipliers at a state whose velocities and accelerations are known.
  void find_forces(State& x) {
    close_contacts(s_, x.t, x.q, x.u);
    s_.evaluate(x.t, x.q, x.u, d.terms);
    factor();
    balance(x, redundant_);
  }

  // Puts a state into the dynamics, as for the output.
  void show(const State& x) {
    close_contacts(s_, x.t, x.q, x.u);
    s_.evaluate(x.t, x.q, x.u, d.terms);
    s_.fill_mass(d.terms);
    d.a = x.a;
    d.lambda = x.lambda;
  }

  // How well the drivers hold a position, and its side.
  void find_hold(State& x) {
    s_.constraints(x.t, x.q, x.u, d.terms);
    factor();
    x.hold = hold_;
    x.side = redundant_ || !finite_ ? 0 : lu_.sign();
  }
  // The largest |Φ|, as System::gap() measures it.
  double gap(const State& x) {
    s_.constraints(x.t, x.q, x.u, d.terms);
    return s_.gap(d.terms.phi, s_.room(x.q));
  }

  // Whether the drivers hold a state less than by a share of their best.
  bool held_below(double share, const State& x) const { return x.hold < share * best_; }

  // Goes from x to time t in one step; returns false if Newton fails or lands on another branch.
  bool step(const State& x, double t, State& y) {
    const double h = t - x.t;
    if (h * fastest_turn(s_, x.u) > largest_turn) return false;  // turns could not be counted
    y.t = t;
    y.q = x.q;
    s_.move(y.q, h * x.u + 0.5 * h * h * x.a);
    y.u = x.u + h * x.a;
    y.a = x.a;
    const System::Room room = s_.room(x.q);
    const VecX predicted = y.q;
    double size = 0, before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < newton_rounds; ++round, ++iterations) {
      s_.constraints(t, y.q, y.u, d.terms);
      size = s_.gap(d.terms.phi, room);
      if (!std::isfinite(size)) return false;
      // Where the drivers hold little, a gap counts for much more in the positions: there it closes to round-off.
      const bool enough = size <= closed && (size == 0 || hold_ > 10 * weak * best_);
      if (enough || (size <= open && size > 0.5 * before)) break;
      before = size;
      factor();
      s_.move(y.q, solve(-d.terms.phi));
    }
    if (!(size <= open)) return false;
    if (s_.distance(y.q, predicted, room) > astray * s_.distance(predicted, x.q, room) + 1e-9) return false;
    complete(y);
    return y.u.allFinite() && y.a.allFinite();
  }

  // The condition number of the equations at a state; next to a singular position, that of the states from which it is
  // reached.
  double condition(const State& x) const { return 1 / std::max(x.hold, weak * best_); }

  System& s_;
  Dynamics d;
  long iterations = 0;

 private:
  void factor() {
    MatX D = s_.structure.full(d.terms.D);
    s_.scale(D);
    finite_ = D.allFinite();
    hold_ = 0;
    if (!finite_) return;  // factors would be nonsense, and so would their permutations
    if (redundant_) {
      columns_.compute(D);
      hold_ = s_.nu > 0 ? columns_.pivot(s_.nu - 1) / columns_.pivot(0) : 1;
    } else {
      lu_.compute(D);
      hold_ = lu_.rcond();
      if (!(hold_ > 0)) hold_ = 0;  // not a number where a pivot is zero
    }
    least_squares_ = redundant_ || !(hold_ > singular);
    if (!least_squares_) return;
    cod_.set_threshold(threshold());
    cod_.compute(D);
  }
  // Share of the largest pivot below which a row counts as dependent.
  double threshold() const { return redundant_ ? 1e-9 : 10 * singular; }
  VecX solve(const VecX& c) const {
    if (!finite_) return VecX::Constant(s_.nu, std::numeric_limits<double>::quiet_NaN());
    const VecX scaled = c.cwiseQuotient(s_.row_units);
    return s_.units.cwiseProduct(least_squares_ ? cod_.solve(scaled) : lu_.solve(scaled));
  }
  VecX solve_transposed(const VecX& g, bool least_squares) const {
    const VecX scaled = g.cwiseProduct(s_.units);
    return (least_squares ? cod_.solve_transposed(scaled) : lu_.solve_transposed(scaled))
        .cwiseQuotient(s_.row_units);
  }
  // The multipliers of Dᵀ λ = Q − M a, with the terms and the factors of this state.
  void balance(State& x, bool least_squares) {
    s_.fill_mass(d.terms);
    VecX g = d.terms.Q;
    s_.structure.multiply_mass(-1, d.terms.M.data(), x.a.data(), g.data());
    if (!finite_)
      x.lambda.setConstant(s_.m, std::numeric_limits<double>::quiet_NaN());
    else
      x.lambda = solve_transposed(g, least_squares);
    x.hold = hold_;
    // Without the size of det D, which may underflow; 0 if D is singular.
    x.side = least_squares_ || !finite_ ? 0 : lu_.sign();
  }

  bool least_squares_ = false, finite_ = true;
  bool redundant_;
  double hold_ = 0, best_ = 0;
  PivotedQr columns_;
  Lu lu_;
  LeastSquares cod_;
};

// The joints whose equations are dependent where D is singular: the left singular vector of its smallest value.
std::string contradicting(const System& s, const Terms& terms) {
  MatX D = s.structure.full(terms.D);
  s.scale(D);
  const VecX weights = left_singular(D).vectors.col(s.m - 1);
  std::vector<std::string> names;
  for (const JointRows& j : s.joints)
    if (weights.segment(j.first, j.count).norm() > 0.1) names.push_back("'" + j.name + "'");
  return fmt::format("{}", fmt::join(names, ", "));
}

// The motion through a singular position: the polynomial through two positions before it and two beyond it, with
// velocities and accelerations.  Those four are far enough away to be known to round-off, and so close together that the
// polynomial is as good.
class Bridge {
 public:
  using State = Kinematics::State;
  explicit Bridge(Kinematics& k) : k_(k) {}

  const State& last() const { return last_; }
  bool changes_side() const { return first_.side * last_.side < 0; }

  // Builds it from x, before, to beyond a singular position that lies between x and y or at y.  Returns false if there is
  // no way through, or one that the polynomial does not follow.
  bool build(State x, const State& y, double share) {
    if (!approach(x, y.t, share) || !land(x, y.t, share)) return false;
    const double gap = last_.t - x.t;
    std::array<State, 2> outer;
    if (!k_.step(x, x.t - gap, outer[0]) || !k_.step(last_, last_.t + gap, outer[1])) return false;
    for (const State& o : outer)
      if (k_.held_below(share, o)) return false;
    q_.clear(), u_.clear();
    for (const State* node : {&outer[0], &x, &last_, &outer[1]}) {
      VecX rate = VecX::Zero(k_.s_.nq);
      k_.s_.rates(node->q, node->u, rate);
      q_.add(node->t, node->q, rate);
      u_.add(node->t, node->u, node->a);
    }
    first_ = std::move(x);
    return closes(weakest());
  }

  // The motion at a time on the bridge.  At the singular position itself, multipliers are the mean of those on both
  // sides: forces of drivers are smooth there, and what grows without bound cancels.
  State at(double t) const {
    State y = between(t);
    k_.find_forces(y);
    if (!k_.held_below(exact, y)) return y;
    const auto [before, after] = beside(t);
    y.lambda = 0.5 * (before.lambda + after.lambda);
    return y;
  }

  // The time of the singular position.
  double weakest() const {
    double from = first_.t, to = last_.t;
    const auto smaller = [&](double a, double b) { return held(a).hold < held(b).hold; };
    for (int round = 0; round < 100 && to - from > 1e-9 * (last_.t - first_.t); ++round) {
      const double a = from + (to - from) / 3, b = to - (to - from) / 3;
      if (changes_side())
        (held(0.5 * (from + to)).side == first_.side ? from : to) = 0.5 * (from + to);
      else
        (smaller(a, b) ? to : from) = smaller(a, b) ? b : a;
    }
    return 0.5 * (from + to);
  }

  // Whether reactions grow without bound towards the singular position.
  bool strains(double t) const {
    const auto [before, after] = beside(t);
    return (after.lambda - before.lambda).norm() > 100 * (after.lambda + before.lambda).norm();
  }

 private:
  // Moves x on until the drivers hold it little better than by the share.
  bool approach(State& x, double end, double share) {
    State next;
    const double all = end - x.t;
    for (double h = 0.5 * all; !k_.held_below(4 * share, x);) {
      if (!(h > 1e-9 * all)) return false;
      const bool goes = x.t + h < end && k_.step(x, x.t + h, next);
      if (goes && next.side == x.side && !k_.held_below(share, next))
        x = next;
      else
        h /= 2;
    }
    return true;
  }

  // Finds a position beyond, which is held as well as x.
  bool land(const State& x, double end, double share) {
    State back;
    const double little = 0.01 * (end - x.t);
    if (!(little > 0) || !k_.step(x, x.t - little, back)) return false;
    const double away = x.hold * little / (back.hold - x.hold);  // the distance if the hold falls along a line
    if (!(away > 0)) return false;
    for (const double far : {2., 3., 4.5, 7., 10., 15.})
      if (!k_.step(x, x.t + far * away, last_))
        return false;
      else if (!k_.held_below(share, last_) && (last_.t >= end || last_.side != x.side))
        return true;
    return false;
  }

  State between(double t) const {
    State y;
    VecX rate;
    y.t = t;
    q_.at(t, y.q, rate);
    k_.s_.tidy(y.q);
    u_.at(t, y.u, y.a);
    return y;
  }
  State held(double t) const {
    State y = between(t);
    k_.find_hold(y);
    return y;
  }
  std::array<State, 2> beside(double t) const {
    const double little = 1e-3 * (last_.t - first_.t);
    std::array<State, 2> both{between(t - little), between(t + little)};
    for (State& y : both) k_.find_forces(y);
    return both;
  }
  bool closes(double t) const {
    const State y = between(t);
    return k_.gap(y) <= open;
  }

  Kinematics& k_;
  State first_, last_;
  Hermite q_, u_;
};

void expect_driven(const Begun& b, std::string_view analysis) {
  const Freedom& f = b.results.freedom;
  if (f.usual > 0)
    throw ModelError(
        fmt::format("{} analysis needs a driver for every freedom: {} of {} are left; add {} driver{} under "
                    "[drivers], or use analysis type \"forward\"",
                    analysis, f.usual, f.coordinates, f.usual, f.usual > 1 ? "s" : ""));
  for (const JointRows& j : b.system->joints)
    if (j.rolls > 0)
      throw ModelError(j.place,
                       fmt::format("joint '{}' ({}) sets conditions on velocities, which positions do not "
                                   "follow from: use analysis type \"forward\"",
                                   j.name, j.type));
}

// The way along the motion that drivers determine.
class Way {
 public:
  using State = Kinematics::State;
  Way(Kinematics& k, State start, double span, Results& r)
      : k_(k), r_(r), bridge_(k), x_(std::move(start)), span_(span), side_(x_.side) {}

  // Goes to time t in steps that are halved where Newton fails; returns false at a dead point, with y there.
  bool go(double t, State& y) {
    for (double h = t - x_.t; x_.t < t;) {
      const double to = x_.t + h >= t - 1e-12 * span_ ? t : x_.t + h;
      const bool goes = k_.step(x_, to, y);
      if (goes && meets(y) && bridge(y)) {
        h = t - x_.t;
        continue;
      }
      // Where there is no bridge, small steps follow what bends, or come to rest, next to a singular position.
      if (!goes || (meets(y) && !k_.held_below(flips(y) ? unresolved : 2 * weak, x_))) {
        h /= 2;
        ++r_.statistics.rejected;
        if (h < 1e-11 * span_) return y = x_, false;
        continue;
      }
      take(y);
      h *= 2;
    }
    y = x_.t == t ? x_ : bridge_.at(t);
    return true;
  }

 private:
  bool flips(const State& y) const { return x_.side * y.side < 0; }
  // Whether a step leads to a singular position, or across one.
  bool meets(const State& y) const { return !k_.held_below(weak, x_) && (flips(y) || k_.held_below(weak, y)); }

  bool bridge(const State& y) {
    if (no_bridge_) return false;
    no_bridge_ = true;
    for (const double share : {weak, 0.1 * weak})
      if (bridge_.build(x_, y, share)) {
        const double t = bridge_.weakest();
        if (bridge_.changes_side() || k_.held_below(exact, bridge_.at(t))) pass(t, bridge_.strains(t));
        take(bridge_.last());
        return true;
      }
    return false;
  }

  void pass(double t, bool strains) {
    r_.events.push_back(
        {t, Event::singular_position,
         std::string("the motion goes on through it") + (strains ? "; reactions have no bound there" : "")});
    side_ = 0;
  }

  void take(const State& y) {
    if (y.hold > x_.hold) no_bridge_ = false;
    if (!k_.held_below(weak, y)) {
      if (side_ * y.side < 0) pass(x_.t, false);
      side_ = y.side;
    }
    x_ = y;
    k_.s_.remember(x_.t, x_.q, x_.u);
    ++r_.statistics.steps;
  }

  Kinematics& k_;
  Results& r_;
  Bridge bridge_;
  State x_;
  double span_;
  int side_;                // of the last position that is no singular one
  bool no_bridge_ = false;  // towards the singular position ahead
};

void conclude(const AnalysisOptions& o, Condition condition, Results& r) {
  condition.open = r.statistics.violation_share;
  r.accuracy = accuracy_of_solutions(r, condition);
  r.trusted = bool(r.outcome) && positions_close(o, r.statistics);
  const std::string closes = fmt::format("every position closes to {:.1e}", r.statistics.largest_violation);
  r.verdict = r.trusted ? "good: " + closes
              : r.outcome
                  ? fmt::format("do not trust this: {} only, worst in {}", closes, r.statistics.worst_joint)
                  : r.outcome.why;
}
}  // namespace

Results follow_drivers(const Study& study, const Progress& progress, std::string_view analysis,
                       const AtResult& see) {
  if (see && study.analysis.formulation.index != 0) {
    Study in_bodies = study;
    in_bodies.analysis.formulation.index = 0;
    return follow_drivers(in_bodies, progress, analysis, see);
  }
  Begun b = begin(study, analysis, Gaps::closed);
  Results& r = b.results;
  if (!r.outcome) return std::move(b.results);
  expect_driven(b, analysis);
  const AnalysisOptions& o = study.analysis;
  const Formulated f = formulate(study, b);
  System& s = f.system();
  Kinematics k(s, r.freedom.always_redundant());
  Recorder recorder(s, f.bodies, study.output, r, false);
  Kinematics::State x{o.start, f.q, f.u, VecX::Zero(s.nu), {}};
  k.complete(x);
  s.remember(x.t, x.q, x.u);

  const double span = o.end > o.start ? o.end - o.start : 1;
  Condition condition;
  Way way(k, x, span, r);
  for (const double t : study.output.at(o)) {
    if (progress && !progress((t - o.start) / span)) {
      r.outcome = {Outcome::interrupted, x.t, fmt::format("stopped by the user at t = {:.6g} s", x.t)};
      break;
    }
    const bool arrived = way.go(t, x);
    k.show(x);
    if (!arrived) {
      r.outcome = {Outcome::singular, x.t,
                   fmt::format("dead point at t = {:.9g} s: the drivers cannot move the mechanism on; the "
                               "equations of {} depend on each other there",
                               x.t, contradicting(s, k.d.terms))};
      r.events.push_back({x.t, Event::dead_point, r.outcome.why});
      break;
    }
    recorder.record(x.t, x.q, x.u, k.d, {});
    condition.see(k.condition(x), x.t);
    if (see) see(x.t, x.q, x.u, k.d);
  }
  r.statistics.iterations = k.iterations;
  recorder.conclude(r);
  conclude(o, condition, r);
  return std::move(b.results);
}
}  // namespace mubody
