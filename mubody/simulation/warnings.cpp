#include "mubody/simulation/warnings.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/mechanism/unusual_values.h"
#include "mubody/solvers/assembly.h"

namespace mubody {
namespace {
constexpr double far_turned = 0.5;  // [rad] by which assembly may turn a body without a warning
constexpr double round_off = 1e-9;  // share of a size

bool is_attached(const Mechanism& m, int body) {
  const auto holds = [&](const auto& element) {
    return element.what->i().body == body || element.what->j().body == body;
  };
  return std::any_of(m.joints.begin(), m.joints.end(), holds) ||
         std::any_of(m.forces.begin(), m.forces.end(), holds);
}

double half_extent(const std::vector<Vec<3>>& points) {
  double most = 0;
  for (const Vec<3>& a : points)
    for (const Vec<3>& b : points) most = std::max(most, (a - b).norm());
  return most / 2;
}

/// Half the extent of a body: of its centre and of all points where something is attached.  One without extent has its
/// radius of gyration, a particle the size of the whole mechanism.
double size_of(const Mechanism& m, int body) {
  std::vector<Vec<3>> points{Vec<3>::Zero()};
  const auto take = [&](const Marker& marker) {
    if (marker.body == body) points.push_back(marker.at);
  };
  for (const auto& j : m.joints) take(j.what->i()), take(j.what->j());
  for (const auto& f : m.forces) take(f.what->i()), take(f.what->j());
  for (const Point& p : m.points) take(p.marker);
  if (const double size = half_extent(points); size > 0) return size;
  const RigidBody& own = m.bodies[std::size_t(body - 1)];
  if (own.mass > 0 && own.inertia.norm() > 0)
    return std::sqrt(symmetric_eigen3(own.inertia).values.maxCoeff() / own.mass);
  std::vector<Vec<3>> bodies{Vec<3>::Zero()};
  for (const RigidBody& b : m.bodies) bodies.push_back(b.start.at);
  return half_extent(bodies);
}

/// The joint that gaped most among those of a body, or among all if these were closed.
std::string gaped(const System& s, const AssemblyRecord& a, int body) {
  std::size_t worst = 0;
  const auto gap = [&](std::size_t k, bool own) {
    const auto& bodies = s.joints[k].bodies;
    return own && std::find(bodies.begin(), bodies.end(), body) == bodies.end() ? 0 : a.gaps[k];
  };
  double most = 0;
  for (const bool own : {true, false})
    for (std::size_t k = 0; k < a.gaps.size() && (own || most <= 0); ++k)
      if (gap(k, own) > most) most = gap(k, own), worst = k;
  if (most <= 0) return "";
  return fmt::format(": {} '{}' gaped by {:.3g} [m or rad]", s.joints[worst].driver ? "driver" : "joint",
                     s.joints[worst].name, most);
}

// Values that were left out had no place of their own: only written ones can be moved too far.
void add_moved(const Study& study, const Begun& b, std::vector<std::string>& warnings) {
  const Mechanism& m = study.mechanism;
  if (!b.results.outcome || b.results.assembly.positions.empty()) return;
  for (int body = 1; body <= int(m.bodies.size()); ++body) {
    const RigidBody& own = m.bodies[std::size_t(body - 1)];
    const Pose now = b.system->layout.pose(b.q, body);
    const double way = own.left_out.position ? 0 : (now.at - own.start.at).norm();
    const double turn = own.left_out.orientation ? 0
                        : m.dim == 2             ? std::abs(now.angle - own.start.angle)
                                                 : now.turn.angularDistance(own.start.turn.normalized());
    if (!(way > 0) && !(turn > far_turned)) continue;
    const double size = (1 + round_off) * size_of(m, body);
    if (!(way > size) && !(turn > far_turned)) continue;
    const std::string what =
        way > size ? fmt::format("moves body '{}' by {:.3g} m, more than its own size of {:.3g} m", own.name,
                                 way, size)
                   : fmt::format("turns body '{}' by {:.3g} rad", own.name, turn);
    warnings.push_back(fmt::format("assembly {}{}; check that joint and where the body starts", what,
                                   gaped(*b.system, b.results.assembly, body)));
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

std::vector<std::string> warnings_of(const Study& study, const Begun& b) {
  const Mechanism& m = study.mechanism;
  std::vector<std::string> warnings;
  add_moved(study, b, warnings);
  add_without_ranks(study, b, warnings);
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    const RigidBody& body = m.bodies[k];
    if (!is_attached(m, static_cast<int>(k) + 1))
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
