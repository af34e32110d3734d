#include "mubody/mechanism/shafts.h"

#include <algorithm>

#include <fmt/format.h>

namespace mubody {
namespace {
constexpr double same_line = 1e-3;  // sine of the angle between two axes that count as one

bool is_gear(const Named<AnyJoint>& j) {
  return !j.what->backlash().empty() && j.what->attach() == Attach::pin && j.what->couples().empty();
}
// A joint that lets bodies turn about its axis z alone.
bool turns_about_axis(const AnyJoint& j, int dim) {
  const std::vector<Elementary> motions = j.moves(dim);
  return std::ranges::count_if(motions, is_turn) == 1 && std::ranges::count(motions, turn_z) == 1;
}
Vec<3> axis_of(const Marker& m) { return m.turn * Vec<3>::UnitZ(); }

// A pin that holds a body, if pins are all that does and none of them is along the axis.
const Named<AnyJoint>* pin_across(const Mechanism& m, int body, const Vec<3>& axis) {
  const Named<AnyJoint>* across = nullptr;
  for (const Named<AnyJoint>& j : m.joints) {
    if (j.driver || j.of_particle || is_gear(j) || !j.what->couples().empty()) continue;
    for (const Marker* marker : {&j.what->i(), &j.what->j()}) {
      if (marker->body != body) continue;
      if (!turns_about_axis(*j.what, m.dim)) return nullptr;
      if (axis_of(*marker).cross(axis).norm() < same_line) return nullptr;
      across = &j;
    }
  }
  return across;
}
}  // namespace

void refuse_gears_across_shafts(const Mechanism& m) {
  if (m.dim == 2) return;
  for (const Named<AnyJoint>& gear : m.joints) {
    if (!is_gear(gear)) continue;
    for (const Marker* marker : {&gear.what->i(), &gear.what->j()}) {
      if (marker->body == ground) continue;
      const Named<AnyJoint>* const shaft = pin_across(m, marker->body, axis_of(*marker));
      if (!shaft) continue;
      const double sine =
          axis_of(*marker)
              .cross(axis_of(shaft->what->i().body == marker->body ? shaft->what->i() : shaft->what->j()))
              .norm();
      throw ModelError(
          gear.place,
          fmt::format(
              "joint '{}': the axis of the gear on body '{}' is across its shaft, joint '{}', by {:.3g} deg: "
              "expected the same direction; write 'axis' as that of the shaft, or for bevel gears the axis "
              "of each at 'i' and 'j'",
              gear.name, m.body_name(marker->body), shaft->name,
              std::asin(std::min(1.0, sine)) * 180 / EIGEN_PI));
    }
  }
}
}  // namespace mubody
