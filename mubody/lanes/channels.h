#pragma once
// Channels of motions in lanes: coordinates of bodies and points, reactions and energies, with the names they
// have in results.
#include <optional>
#include <string>
#include <vector>

#include "mubody/lanes/structure.h"

namespace mubody {
/// A number that each result has.
struct LaneChannel {
  enum Kind {
    body,
    point,
    reaction,
    joint_angle,
    kinetic,
    potential,
    total,
    applied_work,
    dissipated,
    residual
  };
  Kind kind = body;
  int owner = 0;      // body (from 1), point or joint
  int component = 0;  // x, y, angle, vx, ... for a body; x, y, vx, ... for a point; fx, fy, m for a reaction
  int side = 0;       // the body on which a reaction acts: 0 for i, 1 for j
};

/// The channel with that name; none if lanes do not have it.
std::optional<LaneChannel> lane_channel(const Mechanism&, const std::string& name);

/// A channel, and which of its values in a run is kept.
struct LaneKept {
  enum What { last, at, max, min };
  What what = last;
  LaneChannel channel;
  double time = 0;  // for `at` [s]
};
}  // namespace mubody
