#include "mubody/reading/directions.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "mubody/reading/orientation.h"
#include "mubody/reading/places/places.h"

namespace mubody::io {
namespace {
/// Starts from the least aligned global axis, the first among equals, so that rounding cannot change it.
Vec<3> some_perpendicular(const Vec<3>& axis) {
  constexpr double rounding = 1e-9;
  Eigen::Index least = 0;
  for (const Eigen::Index k : {1, 2})
    if (std::abs(axis[k]) < std::abs(axis[least]) - rounding) least = k;
  const Vec<3> unit = Vec<3>::Unit(least);
  return (unit - unit.dot(axis) * axis).normalized();
}

Quaternion frame(Attach purpose, const Directions& own, const Directions& other, const Vec<3>& spare) {
  const int main = is_along_z(purpose) ? 2 : 0, second = is_along_z(purpose) ? 0 : 1;
  const Vec<3> axis = own.axis ? *own.axis : *other.axis;
  Vec<3> across = own.across ? *own.across : other.across.value_or(spare);
  if (are_parallel(axis, across)) across = some_perpendicular(axis);
  const bool only_across = own.across && !own.axis;
  return only_across ? frame_along(second, across, main, axis) : frame_along(main, axis, second, across);
}
}  // namespace

Directions Directions::turned(const Quaternion& q) const {
  Directions out = *this;
  if (axis) out.axis = q * *axis;
  if (across) out.across = q * *across;
  return out;
}

bool needs_axis(Attach a) { return a != Attach::point && a != Attach::frame; }
bool needs_across(Attach a) { return a == Attach::guide || a == Attach::cross; }
bool is_along_z(Attach a) { return a == Attach::pin || a == Attach::cross || a == Attach::angle; }

Directions read_directions(const Node& table, const Scope& scope, const Vec<3>& from, Attach purpose,
                           const Known& known, const Pose& pose) {
  const Node *const axis = table.find("axis"), *const to = table.find("to"),
                    *const across = table.find("across");
  if (axis && to) scope.fail(*to, "the direction is given twice");
  Directions given;
  if (axis) given = {read_axis(*axis, scope / "axis", known), {}, axis};
  if (to) {
    const Vec<3> along = read_point(*to, scope / "to", known, pose) - from;
    if (along.isZero(0)) (scope / "to").fail(*to, "the two points of the line coincide");
    given = {along.stableNormalized(), {}, to};
  }
  if (!across) return given;
  const Scope of_across = scope / "across";
  given.across = read_axis(*across, of_across, known);
  given.node = across;
  if (!given.axis) return given;
  if (are_parallel(*given.axis, *given.across)) of_across.fail(*across, "is parallel to 'axis'");
  const double degrees = std::acos(given.axis->dot(*given.across)) * 180 / std::numbers::pi;
  if (purpose == Attach::cross && std::abs(degrees - 90) > 1)
    of_across.fail(*across,
                   fmt::format("is at {:.4g} degrees to 'axis'; the two must be perpendicular", degrees));
  return given;
}

std::pair<Quaternion, Quaternion> frames_of(Attach purpose, const Directions& i, const Directions& j) {
  const Vec<3> spare = some_perpendicular(i.axis ? *i.axis : *j.axis);
  return {frame(purpose, i, j, spare), frame(purpose, j, i, spare)};
}
}  // namespace mubody::io
