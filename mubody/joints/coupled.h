#pragma once
// A coordinate of a joint to which other joints refer by its name: "crank_pin", or "nut.slide" where the joint leaves
// several motions.
#include <string>
#include <vector>

#include "mubody/kinematics/relative.h"

namespace mubody {
inline constexpr std::size_t most_coupled = 8;  // coordinates in one equation

struct Coupled {
  std::string name;  // as in the results
  Marker i{}, j{};   // those of the joint
  Elementary motion = turn_z;
  bool found = false;  // whether markers and motion are those of the name
  double start = 0;    // its value at the start [rad] or [m]
};

/// The name of the joint in such a name: "nut" of "nut.slide".
std::string joint_in(const std::string& name);
/// The motion in such a name, among those that the joint leaves.  Throws FieldError if it is not one of them, or if none
/// is named and there are several.
Elementary motion_in(const std::string& name, std::span<const Elementary> motions);
/// "left, right, carrier".
std::string names_of(std::span<const Coupled>);
/// The value of a coordinate between two frames at rest; in the plane angles count turns, in space they are in (−π, π].
double coordinate_at(Elementary, const Pose& i, const Pose& j);
}  // namespace mubody
