#include "cli/check_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/elements.h"
#include "cli/terminal.h"
#include "mubody/system/registry.h"
#include "mubody/text/json.h"
#include "mubody/text/write_aligned.h"
#include "mubody/writing/write_summary.h"

namespace mubody::cli {
namespace {
using io::Json;
constexpr std::size_t most_moved = 20;

std::string number(double x) { return fmt::format("{:.6g}", x); }

double total_mass(const Mechanism& m) {
  double sum = 0;
  for (const RigidBody& b : m.bodies) sum += b.mass;
  return sum;
}

std::string block(std::string_view title, const std::string& body) {
  return body.empty() ? "" : fmt::format("\n{}\n{}", bold(title), body);
}

std::string table(std::vector<io::TextRow> rows) {
  return rows.size() > 1 ? io::aligned(rows, true, "  ") : "";
}

// The components that the model has: two in the plane.
std::vector<double> components(const Mechanism& m, const Vec<3>& v) { return {v.data(), v.data() + m.dim}; }

void add(const std::vector<double>& numbers, io::TextRow& row) {
  for (const double x : numbers) row.push_back(number(x));
}

std::string bodies_in_plane(const Mechanism& m, bool moving) {
  std::vector<io::TextRow> rows{{"name", "mass [kg]", "inertia [kg m²]", "x [m]", "y [m]", "angle [rad]"}};
  if (moving) rows[0].insert(rows[0].end(), {"vx [m/s]", "vy [m/s]", "omega [rad/s]"});
  for (const RigidBody& b : m.bodies) {
    io::TextRow& row = rows.emplace_back(io::TextRow{b.name});
    add({b.mass, b.inertia(2, 2), b.start.at.x(), b.start.at.y(), b.start.angle}, row);
    if (moving) add({b.velocity.x(), b.velocity.y(), b.omega.z()}, row);
  }
  return table(rows);
}

// Orientations are left to the JSON report, for nobody can picture four numbers.
std::string bodies_in_space(const Mechanism& m, bool moving) {
  std::vector<io::TextRow> rows{
      {"name", "mass [kg]", "Ixx [kg m²]", "Iyy [kg m²]", "Izz [kg m²]", "x [m]", "y [m]", "z [m]"}};
  std::vector<io::TextRow> velocities{
      {"velocity of", "vx [m/s]", "vy [m/s]", "vz [m/s]", "wx [rad/s]", "wy [rad/s]", "wz [rad/s]"}};
  for (const RigidBody& b : m.bodies) {
    io::TextRow& row = rows.emplace_back(io::TextRow{b.name});
    add({b.mass, b.inertia(0, 0), b.inertia(1, 1), b.inertia(2, 2)}, row);
    add(components(m, b.start.at), row);
    io::TextRow& velocity = velocities.emplace_back(io::TextRow{b.name});
    add(components(m, b.velocity), velocity);
    add(components(m, b.omega), velocity);
  }
  return table(rows) + (moving ? "\n" + table(velocities) : "");
}

std::string bodies_text(const Mechanism& m) {
  bool moving = false;
  for (const RigidBody& b : m.bodies) moving = moving || b.velocity.norm() > 0 || b.omega.norm() > 0;
  return m.dim == 2 ? bodies_in_plane(m, moving) : bodies_in_space(m, moving);
}

std::string joints_text(const Mechanism& m, bool drivers) {
  std::vector<io::TextRow> rows{{"name", "type", "bodies", "equations", "freedoms"}};
  if (drivers) rows[0].emplace_back("follows");
  for (const auto& joint : m.joints) {
    const std::string motion = motion_of(*joint.what);
    if (joint.driver != drivers) continue;
    const JointEntry* const entry = find_joint(joint.what->info().name);
    rows.push_back({joint.name, std::string(entry->info.name), bodies_of(m, *joint.what),
                    std::to_string(entry->forbids(m.dim)), std::to_string(entry->allows(m.dim))});
    if (drivers) rows.back().push_back(motion);
  }
  return table(rows);
}

std::string forces_text(const Mechanism& m) {
  std::vector<io::TextRow> rows{{"name", "type", "bodies"}};
  for (const auto& force : m.forces)
    rows.push_back({force.name, std::string(force.what->info().name), bodies_of(m, *force.what)});
  return table(rows);
}

std::string points_text(const Mechanism& m) {
  std::vector<io::TextRow> rows{{"name", "body", "x [m]", "y [m]"}};
  if (m.dim == 3) rows[0].emplace_back("z [m]");
  for (const Point& p : m.points) {
    io::TextRow& row = rows.emplace_back(io::TextRow{p.name, m.body_name(p.marker.body)});
    add(components(m, m.start_of(p.marker).at), row);
  }
  return table(rows);
}

std::string freedom_text(const Mechanism& m, const Results& r) {
  const Freedom& f = r.freedom;
  std::string text = fmt::format(
      "  by counting  {} x {} = {} - {} = {}\n", counted(m.bodies.size(), "body", "bodies"),
      f.coordinates / int(m.bodies.size()), counted(std::size_t(f.coordinates), "coordinate", "coordinates"),
      counted(std::size_t(f.equations), "equation", "equations"),
      f.counted == 1 ? "1 freedom" : fmt::format("{} freedoms", f.counted));
  text += fmt::format("  by rank      {} - rank {} = {}{}\n",
                      counted(std::size_t(f.coordinates), "coordinate", "coordinates"), f.rank,
                      counted(std::size_t(f.actual), "freedom", "freedoms"),
                      r.outcome ? "" : ", at the best attempt to assemble");
  if (f.rolling > 0)
    text += fmt::format("  of these {} on velocities alone: {} of position\n",
                        counted(std::size_t(f.rolling), "equation is", "equations are"),
                        counted(std::size_t(f.actual) + std::size_t(f.rolling), "freedom", "freedoms"));
  if (f.particles > 0)
    text += fmt::format("  of these {} particles from turning\n",
                        counted(std::size_t(f.particles), "equation keeps", "equations keep"));
  const std::string indent(15, ' ');
  const Redundancy* before = nullptr;
  for (const Redundancy& x : f.redundant) {
    const bool again = before && before->joints == x.joints && before->reason == x.reason;
    before = &x;
    if (again) {
      text += "  redundant    " + x.equation + ", likewise\n";
      continue;
    }
    const std::string what = fmt::format("{} follows from {}{}", x.equation, fmt::join(x.joints, ", "),
                                         x.reason.empty() ? "" : ": " + x.reason);
    text += "  redundant    " + io::wrapped_text(what, line_width() - indent.size(), indent) + "\n";
  }
  return text;
}

Json body_json(const Mechanism& m, const RigidBody& b) {
  Json out = {{"name", b.name}, {"mass", b.mass}};
  const Quaternion& p = b.start.turn;
  if (m.dim == 2) {
    out["inertia"] = b.inertia(2, 2);
    out["position"] = components(m, b.start.at);
    out["angle"] = b.start.angle;
    out["velocity"] = components(m, b.velocity);
    out["omega"] = b.omega.z();
  } else {
    out["inertia"] = Json::array();
    for (int k = 0; k < 3; ++k) out["inertia"].push_back(components(m, b.inertia.row(k)));
    out["position"] = components(m, b.start.at);
    out["quaternion"] = {p.w(), p.x(), p.y(), p.z()};
    out["velocity"] = components(m, b.velocity);
    out["omega"] = components(m, b.omega);
  }
  return out;
}

// "A.on_crank: fz, mx, my", one line for each joint and body.
std::string open_reactions_text(const Results& r) {
  std::string text;
  std::string owner;
  for (const Reaction& x : r.reactions) {
    if (x.unique == Reaction::yes) continue;
    const std::size_t dot = x.channel.rfind('.');
    const std::string here = x.channel.substr(0, dot), component = x.channel.substr(dot + 1);
    text += here == owner ? ", " + component
                          : (text.empty() ? "" : "\n") + fmt::format("  {}: {}", here, component);
    owner = here;
  }
  if (!text.empty()) text += "\n";
  return text;
}

std::string analysis_line(const AnalysisOptions& a) {
  const AnalysisFacts& facts = a.type->facts();
  if (facts.at_one_instant) return fmt::format("{} at {:.6g} s", a.type->info().name, a.start);
  const std::string span = fmt::format("{} from {:.6g} s to {:.6g} s", a.type->info().name, a.start, a.end);
  return facts.integrates ? fmt::format("{}, {} with {}", span, a.integrator, a.treatment->info().name) : span;
}
}  // namespace

std::string report_text(const CheckReport& report) {
  const Mechanism& m = report.study.mechanism;
  const Results& r = report.results;
  std::string text = fmt::format("{}: {}, {:.6g} kg; gravity ({:.6g}) m/s²\n", bold(m.name),
                                 counted(m.bodies.size(), "body", "bodies"), total_mass(m),
                                 fmt::join(components(m, m.gravity), ", "));
  text += fmt::format("characteristic length {:.3g} m, mass {:.3g} kg, time {:.3g} s\n", r.scales.length,
                      r.scales.mass, r.scales.time);
  text += block("Bodies", bodies_text(m));
  text += block("Joints", joints_text(m, false));
  text += block("Drivers", joints_text(m, true));
  text += block("Forces", forces_text(m));
  text += block("Points, in global axes as given", points_text(m));
  text += block("Degrees of freedom", freedom_text(m, r));
  text += block("Reactions that are not unique; those of least size are given", open_reactions_text(r));
  std::string assembly = "  " + assembly_line(r.assembly) + "\n";
  if (r.outcome) assembly += moved_lines(r.assembly, most_moved, "    ");
  text += block("Assembly", r.outcome ? assembly : "  not possible, see below\n");
  if (!r.formulation.of_bodies) text += block("Equations", "  " + equations_line(r.formulation) + "\n");
  text += block("Analysis", "  " + analysis_line(report.study.analysis) + "\n");
  std::string warnings;
  for (const std::string& w : report.warnings)
    warnings += "  " + io::wrapped_text(w, line_width() - 2, "  ") + "\n";
  return text + block("Warnings", warnings);
}

std::string report_json(const CheckReport& report) {
  const Mechanism& m = report.study.mechanism;
  Json bodies = Json::array(), joints = Json::array(), forces = Json::array(), points = Json::array();
  for (const RigidBody& b : m.bodies) bodies.push_back(body_json(m, b));
  for (const auto& joint : m.joints) {
    const JointEntry* const entry = find_joint(joint.what->info().name);
    std::vector<std::string> joined;
    for (const Marker* marker : joint.what->markers())
      if (const std::string name = m.body_name(marker->body);
          joint.what->couples().empty() || std::ranges::count(joined, name) == 0)
        joined.push_back(name);
    joints.push_back({{"name", joint.name},
                      {"type", entry->info.name},
                      {"bodies", joined},
                      {"equations", entry->forbids(m.dim)},
                      {"freedoms", entry->allows(m.dim)},
                      {"follows", motion_of(*joint.what)}});
  }
  for (const auto& force : m.forces)
    forces.push_back({{"name", force.name},
                      {"type", force.what->info().name},
                      {"bodies", {m.body_name(force.what->i().body), m.body_name(force.what->j().body)}}});
  for (const Point& p : m.points)
    points.push_back({{"name", p.name},
                      {"body", m.body_name(p.marker.body)},
                      {"position", components(m, m.start_of(p.marker).at)}});
  const Json summary = io::summary_json(report.results);
  const AnalysisOptions& a = report.study.analysis;
  const Json out = {{"program", "mubody"},
                    {"version", report.results.version},
                    {"model", m.name},
                    {"valid", report.obstacle.empty()},
                    {"why", report.obstacle},
                    {"mass", total_mass(m)},
                    {"dimensions", m.dim},
                    {"gravity", components(m, m.gravity)},
                    {"scales",
                     {{"length", report.results.scales.length},
                      {"mass", report.results.scales.mass},
                      {"time", report.results.scales.time}}},
                    {"bodies", bodies},
                    {"joints", joints},
                    {"forces", forces},
                    {"points", points},
                    {"freedom", summary["freedom"]},
                    {"formulation", summary["formulation"]},
                    {"reactions_not_unique", summary["reactions_not_unique"]},
                    {"assembly", summary["assembly"]},
                    {"analysis",
                     {{"type", a.type->info().name},
                      {"start", a.start},
                      {"end", a.end},
                      {"integrator", a.integrator},
                      {"treatment", a.treatment->info().name}}},
                    {"warnings", report.warnings}};
  return out.dump(2) + '\n';
}
}  // namespace mubody::cli
