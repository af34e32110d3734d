#pragma once
// All joints of one kind in one formulation: one virtual call evaluates them together.
#include "mubody/system/coupled_group.h"

namespace mubody {
template <class J, class Formulation> class JointGroupOf final : public JointGroup<Formulation> {
 public:
  static constexpr int C = Formulation::columns, D = Formulation::dim;
  using typename JointGroup<Formulation>::BodyState;
  using typename JointGroup<Formulation>::Measure;
  using FrameI = Frame<Formulation, Side::i>;
  using FrameJ = Frame<Formulation, Side::j>;

  void add(const AnyJoint& joint, int row, std::span<const int> blocks) override {
    const J& j = static_cast<const JointOf<J>&>(joint).joint;
    items_.push_back({j, Mount<D>(j.i), Mount<D>(j.j), {}});
    const Item& it = items_.back();
    essentials_.push_back({it.i.body, it.j.body, row, blocks[0], blocks[1], 0, it.i.at, it.j.at});
    const std::vector<Degree> all = degrees(int(items_.size()) - 1);
    for (std::size_t r = 0; r < all.size(); ++r)
      if (all[r].has_constant_row()) essentials_.back().constant |= 1U << r;
  }

  std::vector<Degree> degrees([[maybe_unused]] int k) const override {
    DegreeRows eq;
    if constexpr (Formulation::polynomial) {
      const Item& it = items_[std::size_t(k)];
      forbid(it, DegreeFrame<Formulation, Side::i>{it.i.body != ground},
             DegreeFrame<Formulation, Side::j>{it.j.body != ground}, 0, eq);
    }
    return eq.rows;
  }

  void evaluate(const BodyState* bodies, double t, Terms& terms, bool with_ground) const override {
    double *const phi = terms.phi.data(), *const rate = terms.rate.data(), *const gamma = terms.gamma.data();
    double* const D_ = terms.D.data();
    for (std::size_t k = 0; k < essentials_.size(); ++k) {
      const Essentials& at = essentials_[k];
      const Item& it = items_[k];
      if constexpr (!has_angle<FrameI>) it.turns.aim(t);
      const auto columns = [&](int body, int from) {
        return body == ground && !with_ground ? nullptr : D_ + from;
      };
      Equations<Formulation> eq(bodies[at.i], bodies[at.j], phi + at.row, rate + at.row, gamma + at.row,
                                columns(at.i, at.Di), columns(at.j, at.Dj), with_ground ? 0 : at.constant);
      const FrameJ j{bodies[at.j], at.at_j, it.j, it.turns};
      if constexpr (!Formulation::polynomial)
        if (at.i == ground && !with_ground) {
          forbid(it, GroundFrame<Formulation>{at.at_i, it.i, it.turns}, j, t, eq);
          continue;
        }
      forbid(it, FrameI{bodies[at.i], at.at_i, it.i, it.turns}, j, t, eq);
    }
  }

  void memory(Memory& m) override {
    if constexpr (!has_angle<FrameI>)
      for (Item& it : items_) m(it.turns);
  }
  void remember(const BodyState* bodies, double t) override {
    if constexpr (has_angle<FrameI>) return;  // bodies count these
    constexpr int rows = J::forbids(D);
    std::array<double, rows> phi, rate, gamma;
    for (Item& it : items_) {
      it.turns.aim(t);
      Equations<Formulation> eq(bodies[it.i.body], bodies[it.j.body], phi.data(), rate.data(), gamma.data(),
                                nullptr, nullptr);
      const FrameI i{bodies[it.i.body], it.i, it.turns};
      const FrameJ j{bodies[it.j.body], it.j, it.turns};
      forbid(it, i, j, t, eq);
      report_all(it, i, j, t, [](std::string_view, std::string_view, const auto&) {});
      it.turns.accept(t);
    }
  }

  void measure(int k, const BodyState* bodies, double t, const double* a,
               std::vector<Measure>& all) const override {
    const Item& it = items_[k];
    it.turns.aim(t);
    const FrameI i{bodies[it.i.body], it.i, it.turns};
    const FrameJ j{bodies[it.j.body], it.j, it.turns};
    const auto pushed = [&](int body, const auto& columns) {
      Vec<C> row = Vec<C>::Zero();
      if constexpr (std::decay_t<decltype(columns)>::ColsAtCompileTime > 0)
        Formulation::row(bodies[body], columns, row.data());
      return row.dot(Eigen::Map<const Vec<C>>(a + C * body));
    };
    all.clear();
    const auto report = [&](std::string_view name, std::string_view unit, const auto& s) {
      const double acc = s.a + pushed(it.i.body, s.Ji) + pushed(it.j.body, s.Jj);
      all.push_back({name, unit, s.x, s.v, acc});
    };
    report_all(it, i, j, t, report);
  }

  double facing(int k, const BodyState* bodies) const override {
    double least = 1;
    if constexpr (requires { J::same; } && D == 3) {
      const Item& it = items_[k];
      const FrameI i{bodies[it.i.body], it.i, it.turns};
      const FrameJ j{bodies[it.j.body], it.j, it.turns};
      const std::array both{i.x().x.dot(j.x().x), i.y().x.dot(j.y().x), i.z().x.dot(j.z().x)};
      for (const int axis : J::same) least = std::min(least, both[std::size_t(axis)]);
    }
    return least;
  }

 private:
  struct Item {
    J joint;
    Mount<D> i, j;
    Turns turns;
  };
  // The part of a joint that most equations need, and no more: memory limits the speed of large mechanisms.
  struct Essentials {
    int i, j;           // bodies
    int row, Di, Dj;    // where its rows and blocks of D are
    unsigned constant;  // bits of rows of D that never change
    Vec<D> at_i, at_j;  // the markers' origins
  };

  template <class F, class G, class E>
  static void forbid(const Item& it, const F& i, const G& j, [[maybe_unused]] double t, E& eq) {
    if constexpr (requires { it.joint.forbid(i, j, t, eq); })
      it.joint.forbid(i, j, t, eq);
    else
      it.joint.forbid(i, j, eq);
  }

  // A joint reports the motions that it allows.
  template <class R>
  static void report_all(const Item& it, const FrameI& i, const FrameJ& j, [[maybe_unused]] double t,
                         const R& report) {
    if constexpr (requires { it.joint.measure(i, j, t, report); }) {
      it.joint.measure(i, j, t, report);
    } else if constexpr (requires { it.joint.measure(i, j, report); }) {
      it.joint.measure(i, j, report);
    } else {
      for (const Elementary m : J::allow) report(name_among(J::allow, m), unit_of(m), coordinate(m, i, j));
    }
  }

  std::vector<Item> items_;
  std::vector<Essentials> essentials_;
};

/// The equations that a joint states, without values: how many they are, and what they measure.
template <int D> std::vector<Degree> stated_by(const AnyJoint& joint) {
  const auto alone = joint.entry().group<Cartesian<D>>()();
  alone->add(joint, 0, std::vector<int>(joint.markers().size(), 0));
  return alone->degrees(0);
}

template <class J> const MakeGroups<JointGroup>& joint_groups() {
  static const auto all = [] {
    MakeGroups<JointGroup> makes;
    const auto add = [&]<class F>(MakeGroup<JointGroup, F>& make) {
      using Group = std::conditional_t<Couples<J>, CoupledGroupOf<J, F>, JointGroupOf<J, F>>;
      if constexpr (J::forbids(F::dim) > 0)
        make = [] { return std::unique_ptr<JointGroup<F>>(std::make_unique<Group>()); };
    };
    std::apply([&](auto&... each) { (add(each), ...); }, makes);
    return makes;
  }();
  return all;
}
}  // namespace mubody
