#pragma once
// All joints of one kind in one formulation: one virtual call evaluates them together.
#include "mubody/kinematics/equations.h"
#include "mubody/system/registry.h"
#include "mubody/system/system.h"

namespace mubody {
template <class Formulation> class JointGroup {
 public:
  using Motion = typename Formulation::Motion;
  virtual ~JointGroup() = default;

  /// Takes a copy of the joint; its rows start at `row`, its blocks of D at `Di` and `Dj`.
  virtual void add(const AnyJoint&, int row, int Di, int Dj) = 0;
  virtual void evaluate(const Motion* bodies, double t, Terms&) const = 0;

  /// Relative coordinates of the k-th joint of this group: names and units ...
  struct Measure {
    std::string_view name, unit;
    double x, v, a;
  };
  /// ... and values; `a` are the accelerations of all bodies, the ground's zero first.
  virtual std::vector<Measure> measure(int k, const Motion* bodies, const double* a) const = 0;
};

template <class J, class Formulation> class JointGroupOf final : public JointGroup<Formulation> {
 public:
  static constexpr int C = Formulation::columns;
  using typename JointGroup<Formulation>::Motion;
  using typename JointGroup<Formulation>::Measure;
  using FrameI = Frame<Formulation, Side::i>;
  using FrameJ = Frame<Formulation, Side::j>;

  void add(const AnyJoint& joint, int row, int Di, int Dj) override {
    const J& j = static_cast<const JointOf<J>&>(joint).joint;
    items_.push_back({j, Mount<Formulation::dim>(j.i), Mount<Formulation::dim>(j.j), row, Di, Dj});
  }

  void evaluate(const Motion* bodies, double t, Terms& terms) const override {
    for (const Item& it : items_) {
      const FrameI i{bodies[it.i.body], it.i};
      const FrameJ j{bodies[it.j.body], it.j};
      Equations<C> eq(terms.phi.data() + it.row, terms.rate.data() + it.row, terms.gamma.data() + it.row,
                      terms.D.data() + it.Di, terms.D.data() + it.Dj);
      if constexpr (requires { it.joint.forbid(i, j, t, eq); })
        it.joint.forbid(i, j, t, eq);
      else
        it.joint.forbid(i, j, eq);
    }
  }

  std::vector<Measure> measure(int k, const Motion* bodies, const double* a) const override {
    const Item& it = items_[k];
    const FrameI i{bodies[it.i.body], it.i};
    const FrameJ j{bodies[it.j.body], it.j};
    const Eigen::Map<const Vec<C>> ai(a + C * it.i.body), aj(a + C * it.j.body);
    std::vector<Measure> all;
    const auto report = [&](std::string_view name, std::string_view unit, const auto& s) {
      double acc = s.a;
      if constexpr (std::decay_t<decltype(s.Ji)>::ColsAtCompileTime > 0) acc += s.Ji.dot(ai.transpose());
      if constexpr (std::decay_t<decltype(s.Jj)>::ColsAtCompileTime > 0) acc += s.Jj.dot(aj.transpose());
      all.push_back({name, unit, s.x, s.v, acc});
    };
    if constexpr (requires { it.joint.measure(i, j, report); })
      it.joint.measure(i, j, report);
    else
      measure_allowed(i, j, report);
    return all;
  }

 private:
  struct Item {
    J joint;
    Mount<Formulation::dim> i, j;
    int row, Di, Dj;
  };

  // What the joint allows is what it reports.
  template <class R> static void measure_allowed(const FrameI& i, const FrameJ& j, const R& report) {
    for (const Elementary m : J::allow) {
      if (m == turn_z) report("angle", "rad", angle_between(i, j));
      if (m == slide_x) report("slide", "m", dot(i.x(), j.o() - i.o()));
    }
  }

  std::vector<Item> items_;
};

template <class J> JointEntry JointEntry::of() {
  return {J::info,
          J::use,
          J::forbids(2),
          allowed<J>(2),
          [] { return std::unique_ptr<AnyJoint>(std::make_unique<JointOf<J>>()); },
          [] { return std::unique_ptr<JointGroup<Body<2>>>(std::make_unique<JointGroupOf<J, Body<2>>>()); }};
}
}  // namespace mubody
