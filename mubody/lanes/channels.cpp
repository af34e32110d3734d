#include "mubody/lanes/channels.h"

#include <algorithm>
#include <array>

namespace mubody {
namespace {
constexpr std::array<std::string_view, 9> of_body{".x",     ".y",  ".angle", ".vx",   ".vy",
                                                  ".omega", ".ax", ".ay",    ".alpha"};
constexpr std::array<std::string_view, 6> of_point{".x", ".y", ".vx", ".vy", ".ax", ".ay"};
constexpr std::array<std::string_view, 3> of_reaction{".fx", ".fy", ".m"};
constexpr std::array<std::string_view, 3> of_angle{".angle", ".angle_rate", ".angle_acceleration"};
constexpr std::pair<std::string_view, LaneChannel::Kind> energies[] = {
    {"kinetic", LaneChannel::kinetic},       {"potential", LaneChannel::potential},
    {"total", LaneChannel::total},           {"applied_work", LaneChannel::applied_work},
    {"dissipated", LaneChannel::dissipated}, {"residual", LaneChannel::residual}};

/// The index of the ending that follows the owner in a name; -1 if there is none.
template <std::size_t N>
int component_of(std::string_view name, const std::string& owner,
                 const std::array<std::string_view, N>& endings) {
  if (!name.starts_with(owner)) return -1;
  const auto found = std::ranges::find(endings, name.substr(owner.size()));
  return found == endings.end() ? -1 : int(found - endings.begin());
}
}  // namespace

// In the order in which results are searched: bodies, joints, points, energy.
std::optional<LaneChannel> lane_channel(const Mechanism& m, const std::string& name) {
  for (std::size_t b = 0; b < m.bodies.size(); ++b)
    if (const int c = component_of(name, m.bodies[b].name, of_body); c >= 0)
      return LaneChannel{LaneChannel::body, int(b) + 1, c};
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    const AnyJoint& joint = *m.joints[k].what;
    for (int side = 0; side < 2; ++side) {
      const std::string on =
          m.joints[k].name + ".on_" + m.body_name(side == 0 ? joint.i().body : joint.j().body);
      if (const int c = component_of(name, on, of_reaction); c >= 0)
        return LaneChannel{LaneChannel::reaction, int(k), c, side};
    }
    const int c = component_of(name, m.joints[k].name, of_angle);
    if (c >= 0 && lane_joint(joint) == LaneStructure::revolute)
      return LaneChannel{LaneChannel::joint_angle, int(k), c};
  }
  for (std::size_t p = 0; p < m.points.size(); ++p)
    if (const int c = component_of(name, m.points[p].name, of_point); c >= 0 && !m.points[p].in)
      return LaneChannel{LaneChannel::point, int(p), c};
  for (const auto& [word, kind] : energies)
    if (name == word) return LaneChannel{kind};
  return {};
}
}  // namespace mubody
