#pragma once
// Equations of drivers that prescribe a coordinate to be zero: Φ is the coordinate itself, so that its value, its row of
// the Jacobian and its second derivatives are those of the equation.
#include "mubody/joints/joint.h"

namespace mubody {
/// A slide along an axis of i, or an angle of the chain z, y, x that leads from i to j.
std::unique_ptr<AnyJoint> row_of(const Marker& i, const Marker& j, Elementary);
/// The sum of two coordinates, or their difference if the sign is −1.
std::unique_ptr<AnyJoint> row_of_sum(Coupled, Coupled, double sign);
/// The distance of two points.
std::unique_ptr<AnyJoint> row_of_distance(const Marker& i, const Marker& j);
/// x, y or z of the origin of a body, or its angle: 0, 1, 2 or 3.
std::unique_ptr<AnyJoint> row_of_body(int body, int coordinate);
}  // namespace mubody
