#include "mubody/simulation/warnings.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/mechanism/unusual_values.h"
#include "mubody/simulation/body_sizes.h"
#include "mubody/solvers/assembly.h"

namespace mubody {
namespace {
constexpr double far_turned = 0.5;  // [rad] by which assembly may turn a body without a warning
constexpr double slightly = 1e-9;   // share of a size

/// The joints that gaped most: of every body, and of all.
class GapingJoints {
 public:
  GapingJoints(const System& s, const AssemblyRecord& a) : s_(s), a_(a), worst_(s.body_names.size(), none) {
    for (std::size_t k = 0; k < a.gaps.size(); ++k) {
      for (const int body : s.joints[k].bodies) keep_worse(worst_[std::size_t(body)], k);
      keep_worse(worst_of_all_, k);
    }
  }

  /// In words, the one among those of a body, or among all if these were closed.
  std::string words(int body) const {
    const std::size_t own = worst_[std::size_t(body)], worst = own != none ? own : worst_of_all_;
    if (worst == none) return "";
    return fmt::format(": {} '{}' gaped by {:.3g} [m or rad]", s_.joints[worst].driver ? "driver" : "joint",
                       s_.joints[worst].name, a_.gaps[worst]);
  }

 private:
  static constexpr auto none = std::size_t(-1);

  void keep_worse(std::size_t& worst, std::size_t k) const {
    if (a_.gaps[k] > (worst == none ? 0 : a_.gaps[worst])) worst = k;
  }

  const System& s_;
  const AssemblyRecord& a_;
  std::vector<std::size_t> worst_;  // the ground's first
  std::size_t worst_of_all_ = none;
};

// Values that were left out had no place of their own: only written ones can be moved too far.
void add_moved(const Study& study, const Begun& b, std::vector<std::string>& warnings) {
  const Mechanism& m = study.mechanism;
  if (!b.results.outcome || b.results.assembly.positions.empty()) return;
  BodySizes size_of(m);
  const GapingJoints gaping(*b.system, b.results.assembly);
  for (int body = 1; body <= int(m.bodies.size()); ++body) {
    const RigidBody& own = m.bodies[std::size_t(body - 1)];
    const Pose now = b.system->layout.pose(b.q, body);
    const double way = own.left_out.position ? 0 : (now.at - own.start.at).norm();
    const double turn = own.left_out.orientation ? 0
                        : m.dim == 2             ? std::abs(now.angle - own.start.angle)
                                                 : now.turn.angularDistance(own.start.turn.normalized());
    if (!(way > 0) && !(turn > far_turned)) continue;
    const double size = (1 + slightly) * size_of(body);
    if (!(way > size) && !(turn > far_turned)) continue;
    const std::string what =
        way > size ? fmt::format("moves body '{}' by {:.3g} m, more than its own size of {:.3g} m", own.name,
                                 way, size)
                   : fmt::format("turns body '{}' by {:.3g} rad", own.name, turn);
    warnings.push_back(
        fmt::format("assembly {}{}; check that joint and where the body starts", what, gaping.words(body)));
  }
}
void add_without_ranks(const Study& study, const Begun& b, std::vector<std::string>& warnings) {
  const AssemblyRecord& a = b.results.assembly;
  const auto written = [](const std::vector<Moved>& all) {
    return std::ranges::count_if(all, &Moved::written);
  };
  const auto moved = written(a.positions) + written(a.velocities);
  if (moved == 0 || !assembles_without_ranks(*b.system, study.analysis.assembly)) return;
  warnings.push_back(
      fmt::format("the mechanism is large: assembly moves all values alike, and has moved {} that are written; "
                  "'hold' keeps those that "
                  "must stay",
                  moved));
}
}  // namespace

namespace {
void add_open_frictions(const std::vector<std::string>& joints, std::vector<std::string>& warnings) {
  if (joints.empty()) return;
  warnings.push_back(fmt::format(
      "friction of joint{} '{}' depends on reactions that redundant equations leave open: each sharing of the "
      "load has a motion of its own; let fewer joints carry it (a cylindrical or spherical one in place of a "
      "revolute), or let them give way (compliance)",
      joints.size() > 1 ? "s" : "", fmt::join(joints, "', '")));
}
}  // namespace

std::vector<std::string> warnings_of(const Study& study, const Begun& b) {
  const Mechanism& m = study.mechanism;
  std::vector<std::string> warnings;
  add_moved(study, b, warnings);
  add_without_ranks(study, b, warnings);
  add_open_frictions(b.results.open_frictions, warnings);
  const std::vector<bool> attached = attached_bodies(m);
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    const RigidBody& body = m.bodies[k];
    if (!attached[k + 1])
      warnings.push_back(fmt::format("body '{}' is attached to nothing: no joint, no force", body.name));
    if (body.mass == 0) warnings.push_back(fmt::format("body '{}' has no mass", body.name));
  }
  for (const Point& p : m.points)
    if (p.marker.body == ground)
      warnings.push_back(fmt::format("point '{}' is on the ground: it does not move", p.name));
  for (std::string& line : unusual_values(m)) warnings.push_back(std::move(line));
  const AnalysisOptions& a = study.analysis;
  const bool forward = a.type->facts().integrates;
  if (forward && study.left_out.gravity)
    warnings.push_back(fmt::format("there is no gravity: gravity = {} would set it",
                                   m.dim == 2 ? "[0, -9.81]" : "[0, 0, -9.81]"));
  if (forward && b.results.outcome && b.results.freedom.actual == 0)
    warnings.emplace_back(
        "no freedom is left to forces: analysis type \"kinematic\" gives the motion directly");
  if (study.left_out.analysis)
    warnings.push_back(fmt::format("there is no [analysis]: what is done is a {} analysis from {} s to {} s",
                                   a.type->info().name, a.start, a.end));
  return warnings;
}
}  // namespace mubody
