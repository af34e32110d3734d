#pragma once
// The turns and slides of joints that have dry friction.  Each is a grip: it sticks, or slips one way or the other.
//
//   docs/theory/dry-friction.md
//
// What a grip does is memory, which changes at accepted states only; between them the equations are smooth.
#include <string>
#include <vector>

#include "mubody/joints/dry_friction.h"
#include "mubody/math/memory.h"
#include "mubody/math/space.h"

namespace mubody {
struct Grip {
  enum Mode { backward = -1, sticks = 0, forward = 1 };
  std::string name;  // of the joint, or "axle.angle" where it has two
  Place place;
  int joint = 0;
  bool turn = false;
  DryFriction law;
  Mode mode = sticks;

  /// The load in sliding [N, N m], from the joint's reaction: two parts across the axis, one along it.
  double weight(const Vec<3>& reaction) const {
    const double across = law.reaction ? std::hypot(reaction[0], reaction[1]) : 0;
    const double along = law.reaction && turn ? law.collar * std::abs(reaction[2]) : 0;
    return law.lever(turn) * (law.preload + across) + along;
  }
  /// The force when it slips at a rate.
  double slipping(double rate, double weight) const {
    return -mode * law.at(law.lever(turn) * rate) * weight - law.drag(turn) * rate;
  }
};

struct Grips {
  std::vector<Grip> all;
  bool loaded = false;  // by the reaction of some joint

  // Of the state last evaluated; the acceleration of a coordinate is row · u̇ + bias.
  VecX rate, bias;
  MatX rows;  // one column for each grip

  // Of the last solution: the force along the coordinate, and the most that it holds at rest [N, N m].
  VecX force, most;
  std::vector<bool> held;  // something else prescribes the coordinate: no friction can be known at rest

  bool any() const { return !all.empty(); }
  int size() const { return int(all.size()); }
  void take_size(int nu) {
    rate = bias = force = most = VecX::Zero(size());
    rows = MatX::Zero(nu, size());
    held.assign(all.size(), false);
  }
  void memory(Memory& m) {
    for (Grip& g : all) m(g.mode);
  }
};
}  // namespace mubody
