#pragma once
// What of a motion in lanes is kept: numbers of bodies, points, reactions and energies by the names that results have.
#include <optional>
#include <string>
#include <vector>

#include "mubody/lanes/structure.h"

namespace mubody {
/// One number of every result.
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
  int component = 0;  // of a body x, y, angle, vx, ...; of a point x, y, vx, ...; of a reaction fx, fy, m
  int side = 0;       // of a reaction: on body i or j
};

/// None if lanes do not know that name.
std::optional<LaneChannel> lane_channel(const Mechanism&, const std::string& name);

/// What is made of a channel over the results of a run.
struct LaneKept {
  enum What { last, at, max, min };
  What what = last;
  LaneChannel channel;
  double time = 0;  // of `at` [s]
};
}  // namespace mubody
