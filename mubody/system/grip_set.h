#pragma once
// The grips of a mechanism in one formulation: their coordinates with rates and rows, and the axes of their loads.
#include "mubody/mechanism/mechanism.h"
#include "mubody/system/grips.h"
#include "mubody/system/joint_group.h"

namespace mubody {
template <class Formulation> class GripSet {
 public:
  static constexpr int C = Formulation::columns, D = Formulation::dim;
  using BodyState = typename Formulation::BodyState;

  /// A turn or slide between two markers.
  struct Item {
    Mount<D> i, j;
    Elementary motion;
    Turns turns{};
    Vec<C> on_i = Vec<C>::Zero(), on_j = Vec<C>::Zero();  // a unit of friction on the velocities of the bodies
  };
  /// Adds the grips of all joints that have friction to both lists.
  void add(const Mechanism& mechanism, Grips& grips) {
    for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
      const Named<AnyJoint>& named = mechanism.joints[k];
      const AnyJoint& joint = *named.what;
      if (!joint.friction) continue;
      const auto motions = joint.allow();
      DryFriction law = *joint.friction;
      law.only_turns = std::ranges::all_of(motions, is_turn);
      const bool alone = std::ranges::count_if(motions, [&](Elementary m) { return law.rubs(m); }) == 1;
      for (const Elementary m : motions) {
        if (!law.rubs(m)) continue;
        items_.push_back({Mount<D>(joint.i()), Mount<D>(joint.j()), m});
        grips.all.push_back({alone ? named.name : named.name + (is_turn(m) ? ".angle" : ".slide"), named.place,
                             int(k), is_turn(m), law});
        grips.loaded = grips.loaded || law.reaction;
      }
    }
  }
  const std::vector<Item>& items() const { return items_; }

  void measure(const BodyState* bodies, double t, Grips& grips) {
    for (std::size_t k = 0; k < items_.size(); ++k) {
      Item& it = items_[k];
      it.turns.aim(t);
      const BodyState &bi = bodies[it.i.body], &bj = bodies[it.j.body];
      const Frame<Formulation, Side::i> i{bi, it.i, it.turns};
      const Frame<Formulation, Side::j> j{bj, it.j, it.turns};
      const auto s = coordinate(it.motion, i, j);
      grips.rate[Eigen::Index(k)] = s.v;
      grips.bias[Eigen::Index(k)] = s.a;
      Formulation::row(bi, s.Ji, it.on_i.data());
      Formulation::row(bj, s.Jj, it.on_j.data());
    }
  }

  /// A force of the joint in global axes as two parts across the axis of the motion and one along it.
  Vec<3> load(int k, const BodyState* bodies, const Vec<D>& force) const {
    const Item& it = items_[std::size_t(k)];
    std::array<double, 3> part{};
    for (int n = 0; n < D; ++n)
      part[std::size_t(n)] = Formulation::turned(bodies[it.i.body], Vec<D>(it.i.axes.col(n))).dot(force);
    // In the plane there is nothing along the axis of a turn, and nothing across a slide but y.
    const std::size_t axis = std::size_t(it.motion) % 3;
    return {part[(axis + 1) % 3], part[(axis + 2) % 3], part[axis]};
  }

 private:
  std::vector<Item> items_;
};
}  // namespace mubody
