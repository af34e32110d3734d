#include "mubody/joints/coupled.h"

#include <fmt/format.h>

#include "mubody/model/errors.h"
#include "mubody/model/escape.h"

namespace mubody {
namespace {
// All coordinates of a joint as they are written: "nut.angle, nut.slide".
std::string all_names(const std::string& joint, std::span<const Elementary> motions) {
  std::string all;
  for (const Elementary m : motions)
    all += fmt::format("{}{}.{}", all.empty() ? "" : ", ", joint, name_among(motions, m));
  return all;
}
}  // namespace

std::string joint_in(const std::string& name) { return name.substr(0, name.find('.')); }

Elementary motion_in(const std::string& name, std::span<const Elementary> motions) {
  const std::string joint = joint_in(name);
  if (motions.empty())
    throw FieldError("joints", fmt::format("'{}' leaves no turn and no slide that could be coupled", joint));
  if (name == joint) {
    if (motions.size() == 1) return motions.front();
    throw FieldError(
        "joints", fmt::format("'{}' leaves several motions: name one of {}", joint, all_names(joint, motions)));
  }
  constexpr std::size_t shown = 40;  // characters of a word that may be anything
  const std::string_view word = std::string_view(name).substr(joint.size() + 1);
  for (const Elementary m : motions)
    if (word == name_among(motions, m)) return m;
  throw FieldError("joints", fmt::format("'{}' has no coordinate '{}'; there is {}", joint,
                                         for_terminal(word.substr(0, shown)), all_names(joint, motions)));
}

std::string names_of(std::span<const Coupled> couples) {
  std::string all;
  for (const Coupled& c : couples) all += (all.empty() ? "" : ", ") + c.name;
  return all;
}

double coordinate_at(Elementary m, const Pose& i, const Pose& j) {
  if (is_turn(m)) {
    constexpr double little = 1e-6;  // [rad]
    const double angle = cardan_angle(i, j, int(turn_z) - int(m));
    // In space, where poses have no angle, half a turn has two signs, and round-off must not choose: it counts forwards, as
    // Turns has it.
    const bool in_space = i.angle == 0 && j.angle == 0;
    return in_space && angle < little - EIGEN_PI ? angle + 2 * EIGEN_PI : angle;
  }
  return (i.turn.conjugate() * (j.at - i.at))[int(m) - int(slide_x)];
}
}  // namespace mubody
