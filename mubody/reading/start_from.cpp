// start_from = "four_bar.out", or start_from = {results = "four_bar.out", time = "1.5 s"}: an analysis that begins where
// another one has been.
//
// Bodies take positions and velocities from the table of bodies, after the joints have been read: points of the file are those of its
// own start, and what is "as at the start" is as there.  What else a motion remembers is in no table: a model whose signals
// remember is refused, and so is one in space that begins beyond half a turn of a joint and has elements that count turns.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "mubody/reading/data_file.h"
#include "mubody/reading/sections.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/columns/table_format.h"
#include "mubody/text/text_file.h"

namespace mubody::io {
namespace {
struct StateColumn {
  std::string_view name, unit;
};
constexpr std::array<StateColumn, 6> of_planar_body{
    {{"x", "m"}, {"y", "m"}, {"angle", "rad"}, {"vx", "m/s"}, {"vy", "m/s"}, {"omega", "rad/s"}}};
constexpr std::array<StateColumn, 13> of_spatial_body{{{"x", "m"},
                                                       {"y", "m"},
                                                       {"z", "m"},
                                                       {"e0", "1"},
                                                       {"e1", "1"},
                                                       {"e2", "1"},
                                                       {"e3", "1"},
                                                       {"vx", "m/s"},
                                                       {"vy", "m/s"},
                                                       {"vz", "m/s"},
                                                       {"wx", "rad/s"},
                                                       {"wy", "rad/s"},
                                                       {"wz", "rad/s"}}};

/// The rows of the table of bodies.
class StoredMotion {
 public:
  StoredMotion(const ColumnFile& file, std::size_t dim) : file_(file), dim_(dim) {
    file.expect_names();
    for (std::size_t k = 0; k < file.names().size(); ++k) index_.emplace(file.names()[k], k);
    times_ = file.column(0, "s");
    for (std::size_t k = 0; k < times_.size(); ++k)
      if (!std::isfinite(times_[k])) file.fail_at_row(k, "has no time");
    file.expect_times(times_);
  }

  /// Refuses columns of bodies that the model does not have.
  void expect_bodies(const Known& known) const {
    for (std::size_t k = 1; k < file_.names().size(); ++k) {
      const std::string& name = file_.names()[k];
      if (known.bodies.contains(name.substr(0, std::min(name.rfind('.'), name.size())))) continue;
      file_.fail_at_names(fmt::format("column {} is of no body of this model: these are results of another one",
                                      quoted(file_.quotes(), name, std::to_string(k + 1))));
    }
  }
  /// The row at a time, or the last one.
  std::size_t row(const std::optional<double>& time) const {
    if (!time) return times_.size() - 1;
    constexpr double rounding = 1e-9;
    const auto next = std::ranges::lower_bound(times_, *time - rounding * (1 + std::abs(*time)));
    if (next != times_.end() && *next <= *time + rounding * (1 + std::abs(*time)))
      return static_cast<std::size_t>(next - times_.begin());
    std::string near;
    if (next != times_.begin()) near = fmt::format("{} s", *(next - 1));
    if (next != times_.end()) near += fmt::format("{}{} s", near.empty() ? "" : " and ", *next);
    throw FileError(fmt::format("{}: there is no row at {} s; next to it are {}", file_.name(), *time,
                                told(file_.quotes(), near, "others")));
  }
  double time(std::size_t row) const { return times_[row]; }

  void put(RigidBody& body, std::size_t row) const {
    std::vector<double> x;
    const auto read = [&](const auto& columns) {
      for (const StateColumn& c : columns) x.push_back(number(body.name, c, row));
    };
    if (dim_ == 2) {
      read(of_planar_body);
      body.start = {Vec<3>(x[0], x[1], 0), turn_about_z(x[2]), x[2]};
      body.velocity = Vec<3>(x[3], x[4], 0);
      body.omega = Vec<3>(0, 0, x[5]);
    } else {
      read(of_spatial_body);
      const Quaternion turn(x[3], x[4], x[5], x[6]);
      if (!(std::abs(turn.norm() - 1) < 1e-3))
        file_.fail_at_row(row, fmt::format("e0 to e3 of body '{}' are no orientation", body.name));
      body.start = {Vec<3>(x[0], x[1], x[2]), turn.normalized(), 0};
      body.velocity = Vec<3>(x[7], x[8], x[9]);
      body.omega = Vec<3>(x[10], x[11], x[12]);
    }
    body.left_out = {};
  }

 private:
  double number(const std::string& body, const StateColumn& c, std::size_t row) const {
    const std::string name = fmt::format("{}.{}", body, c.name);
    const auto found = index_.find(name);
    if (found == index_.end()) file_.fail_at_names(fmt::format("there is no column '{}[{}]'", name, c.unit));
    const double x = file_.column(found->second, std::string(c.unit))[row];
    if (!std::isfinite(x)) file_.fail_at_row(row, fmt::format("'{}' is empty", name));
    return x;
  }

  const ColumnFile& file_;
  std::size_t dim_;
  std::map<std::string, std::size_t> index_;
  std::vector<double> times_;
};

/// Whether an element may depend on how often something has turned, and not only on how it stands.
bool may_count_turns(const AnyJoint& joint, bool driver) {
  constexpr int motions = 6;  // in space
  const bool leaves_all_others = joint.forbids(3) + int(joint.allow().size()) == motions;
  return driver || !joint.couples().empty() || (joint.attach() != Attach::point && !leaves_all_others);
}
bool counts_turns(const Mechanism& m) {
  return std::ranges::any_of(m.joints, [](const auto& j) { return may_count_turns(*j.what, j.driver); }) ||
         std::ranges::any_of(m.forces, [](const auto& f) { return f.what->counts_turns(); });
}

/// Refuses a row at which the angle of a joint is beyond half a turn: bodies in space do not tell their turns.
void refuse_turns(const ColumnFile& file, double time, const Mechanism& m) {
  const std::vector<double> times = file.column(0, "s");
  const auto at = std::size_t(std::ranges::lower_bound(times, time) - times.begin());
  if (at == times.size()) return;
  for (std::size_t k = 1; k < file.names().size(); ++k) {
    const std::string& name = file.names()[k];
    const std::size_t dot = std::min(name.find('.'), name.size());
    const auto joint = std::ranges::find(m.joints, name.substr(0, dot), &Named<AnyJoint>::name);
    const std::string_view coordinate = std::string_view(name).substr(dot);  // ".angle" or ".angle_x"
    const bool turn = coordinate == ".angle" || (coordinate.starts_with(".angle_") && coordinate.size() == 8);
    if (joint == m.joints.end() || !turn) continue;
    const double angle = file.column(k, "rad")[at];
    if (std::abs(angle) > EIGEN_PI)
      throw FileError(fmt::format(
          "{}: joint '{}' has turned by {:.6g} rad at {} s, and elements of this model count turns, which "
          "bodies in space begin anew: start within half a turn",
          file.name(), joint->name, angle, time));
  }
}
}  // namespace

void read_start(const Node& analysis, Study& study, const Known& known) {
  const Node* const given = analysis.find("start_from");
  if (!given || known.incomplete) return;
  const Scope scope = Scope("analysis") / "start_from";
  for (const Noted& n : study.mechanism.signals)
    if (n.remembers())
      scope.fail(*given, fmt::format("signal '{}' remembers what was before, which no table of results holds: "
                                     "run the model from its start",
                                     n.name));
  const bool table = given->is(Node::Kind::table);
  if (!table && !given->is(Node::Kind::string))
    scope.expected("the folder of results, or {results = folder, time = ...}", *given);
  std::optional<double> time;
  const Node* folder = given;
  if (table) {
    const std::string_view keys[] = {"results", "time"};
    expect_keys(*given, scope, keys);
    folder = given->find("results");
    if (!folder) scope.fail(*given, "missing 'results': the folder that 'mubody run' wrote");
    if (const Node* const at = given->find("time")) time = read_number(*at, scope / "time", "s", known);
  }
  const auto file_of = [&](std::string_view what) {
    const std::filesystem::path in(folder->is(Node::Kind::string) ? folder->text : "");
    const std::string file = table_file(known.folder / in, what).filename().string();
    return read_file_name(*folder, table ? scope / "results" : scope, known, file);
  };
  const std::string name = file_of("bodies");
  try {
    const ColumnFile file(name, (known.folder / name).string(), quotes_of(known.untrusted), Blanks::not_finite);
    const StoredMotion stored(file, known.dim);
    stored.expect_bodies(known);
    const std::size_t row = stored.row(time);
    for (RigidBody& body : study.mechanism.bodies) stored.put(body, row);
    if (known.dim == 3 && counts_turns(study.mechanism)) {
      const std::string joints = file_of("joints");
      if (std::filesystem::exists(known.folder / joints))
        refuse_turns(ColumnFile(joints, (known.folder / joints).string(), quotes_of(known.untrusted),
                                Blanks::not_finite),
                     stored.time(row), study.mechanism);
    }
    if (!analysis.find("start")) study.analysis.start = stored.time(row);
  } catch (const FileError& e) {
    scope.fail(*folder, e.what());
  }
  if (study.analysis.end < study.analysis.start)
    scope.fail(*folder,
               fmt::format("the results are those at {} s, after the end of the analysis at {} s: give "
                           "'end', or 'start'",
                           study.analysis.start, study.analysis.end));
}
}  // namespace mubody::io
