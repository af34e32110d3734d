#include "mubody/io/write_report.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "mubody/io/field_list.h"
#include "mubody/io/motion.h"
#include "mubody/io/report_page.h"
#include "mubody/io/scene.h"
#include "mubody/io/thin.h"

namespace mubody::io {
namespace {
using Json = nlohmann::ordered_json;

Json json_of(const Vec<3>& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json json_of(const Marker& m) { return {{"body", m.body}, {"at", json_of(pose(m).at)}}; }

template <class Element> std::string bodies_of(const Mechanism& m, const Element& e) {
  const bool pair = fields_of(*e.clone()).has_i;
  return (pair ? m.body_name(e.i().body) + " – " : "") + m.body_name(e.j().body);
}

Json inertia_of(const RigidBody& body, int dim) {
  const auto& I = body.inertia;
  if (dim == 2) return Json::array({I(2, 2)});
  Json all = Json::array({I(0, 0), I(1, 1), I(2, 2)});
  if (I(0, 1) != 0 || I(0, 2) != 0 || I(1, 2) != 0)
    for (const double product : {I(0, 1), I(0, 2), I(1, 2)}) all.push_back(product);
  return all;
}

Json parts_of(const Mechanism& m) {
  Json bodies = Json::array(), joints = Json::array(), forces = Json::array();
  for (const RigidBody& b : m.bodies)
    bodies.push_back({{"name", b.name}, {"mass", b.mass}, {"inertia", inertia_of(b, m.dim)}});
  for (const auto& j : m.joints)
    joints.push_back({{"name", j.name},
                      {"type", j.what->info().name},
                      {"driver", j.driver},
                      {"bodies", bodies_of(m, *j.what)}});
  for (const auto& f : m.forces)
    forces.push_back({{"name", f.name},
                      {"type", f.what->info().name},
                      {"bodies", bodies_of(m, *f.what)},
                      {"i", json_of(std::as_const(*f.what).i())},
                      {"j", json_of(std::as_const(*f.what).j())}});
  return {{"gravity", json_of(m.gravity)}, {"bodies", bodies}, {"joints", joints}, {"forces", forces}};
}

/// Where only the results are known, each body is a mark at its centre of mass.
Scene scene_of_columns(const Table& bodies) {
  Scene scene;
  for (const Column& c : bodies.columns) {
    if (c.name.ends_with(".e0")) scene.dim = 3;
    if (!c.name.ends_with(".x")) continue;
    SceneBody body;
    body.name = c.name.substr(0, c.name.size() - 2);
    body.shapes.push_back({});
    scene.bodies.push_back(std::move(body));
  }
  return scene;
}

/// The table with at most so many of its rows: guides do not need them all.
Table some_rows(const Table& table, std::size_t most) {
  Table some{table.name, table.columns, {}};
  const std::size_t stride = (table.rows() + most - 1) / most;
  for (std::size_t row = 0; row < table.rows(); row += stride)
    for (std::size_t c = 0; c < table.columns.size(); ++c) some.values.push_back(table.at(row, c));
  return some;
}

/// Throws ModelError if the results are not those of the model.
Scene scene_for(const std::vector<Table>& tables, const Study* study) {
  const auto bodies = std::ranges::find(tables, "bodies", &Table::name);
  if (!study) return bodies == tables.end() ? Scene{} : scene_of_columns(*bodies);
  Scene scene = scene_of(study->mechanism, study->looks);
  constexpr std::size_t enough = 1000;
  if (bodies != tables.end() && bodies->rows() > 0)
    fit_guides(scene, motion_of(study->mechanism, some_rows(*bodies, enough)));
  return scene;
}

/// The centre of mass of all bodies, as further columns.
void add_mass_centre(std::vector<Table>& tables, const Mechanism& m) {
  const auto bodies = std::ranges::find(tables, "bodies", &Table::name);
  double whole = 0;
  for (const RigidBody& b : m.bodies) whole += b.mass;
  if (bodies == tables.end() || !(whole > 0)) return;
  Table centre{"bodies", {bodies->columns[0]}, {}};
  std::vector<std::vector<int>> columns(std::size_t(m.dim));
  for (int axis = 0; axis < m.dim; ++axis) {
    const std::string end = std::string(".") + "xyz"[axis];
    centre.columns.push_back({"mass_centre" + end, "m"});
    for (const RigidBody& b : m.bodies) {
      columns[std::size_t(axis)].push_back(bodies->find(b.name + end));
      if (columns[std::size_t(axis)].back() < 0) return;
    }
  }
  for (std::size_t row = 0; row < bodies->rows(); ++row) {
    centre.values.push_back(bodies->at(row, 0));
    for (const auto& of_axis : columns) {
      double sum = 0;
      for (std::size_t k = 0; k < of_axis.size(); ++k)
        sum += m.bodies[k].mass * bodies->at(row, std::size_t(of_axis[k]));
      centre.values.push_back(sum / whole);
    }
  }
  tables.push_back(std::move(centre));
}

/// Rows at the times that all tables have: rows that were not finite are missing in files.
void align(std::vector<Table>& tables) {
  std::erase_if(tables, [](const Table& t) { return t.columns.size() < 2; });
  const auto same = [&](const Table& t) { return t.rows() == tables[0].rows(); };
  if (tables.empty() || std::ranges::all_of(tables, same)) return;
  std::set<double> common;
  for (std::size_t row = 0; row < tables[0].rows(); ++row) common.insert(tables[0].at(row, 0));
  for (const Table& t : tables) {
    std::set<double> both;
    for (std::size_t row = 0; row < t.rows(); ++row)
      if (common.contains(t.at(row, 0))) both.insert(t.at(row, 0));
    common = std::move(both);
  }
  for (Table& t : tables) {
    std::vector<double> kept;
    for (std::size_t row = 0; row < t.rows(); ++row)
      if (common.contains(t.at(row, 0)))
        for (std::size_t c = 0; c < t.columns.size(); ++c) kept.push_back(t.at(row, c));
    t.values = std::move(kept);
  }
}

void add_tables(Json& data, const std::vector<Table>& tables) {
  const Thinned kept = thin(tables);
  std::vector<double> times;
  for (const std::size_t row : kept.rows) times.push_back(tables[0].at(row, 0));
  data["times"] = base64(times);
  Json all = Json::array();
  std::vector<float> numbers(kept.rows.size());
  for (const Picked& p : kept.columns) {
    const Table& table = tables[p.table];
    if (all.empty() || all.back()["name"] != table.name)
      all.push_back({{"name", table.name}, {"columns", Json::array()}});
    for (std::size_t k = 0; k < kept.rows.size(); ++k) numbers[k] = float(table.at(kept.rows[k], p.column));
    const Column& column = table.columns[p.column];
    all.back()["columns"].push_back({{"name", column.name}, {"unit", column.unit}, {"data", base64(numbers)}});
  }
  data["tables"] = std::move(all);
  const std::size_t rows = tables.empty() ? 0 : tables[0].rows();
  data["thinned"] = Json();
  if (kept.rows.size() < rows || kept.left_out > 0)
    data["thinned"] = {{"rows", kept.rows.size()},
                       {"of", rows},
                       {"error", kept.error},
                       {"channel", kept.worst},
                       {"left_out", kept.left_out}};
}
}  // namespace

std::string report_html(const Results& r, const std::string& summary, const ReportModel& model) {
  check_reports();
  std::vector<Table> tables = r.tables;
  if (model.study) add_mass_centre(tables, model.study->mechanism);
  align(tables);
  const Scene scene = scene_for(tables, model.study);

  Json data{{"kind", "run"}};
  data["summary"] = Json::parse(summary, nullptr, false);
  data["summary"].erase("files");
  data["parts"] = model.study ? parts_of(model.study->mechanism) : Json();
  data["scene"] = Json::parse(scene_json(scene));
  data["events"] = Json::array();
  for (const Event& e : r.events) data["events"].push_back({{"t", e.t}, {"kind", e.kind}, {"what", e.what}});
  data["reactions"] = Json::array();
  constexpr std::string_view words[] = {"no", "yes", "unknown"};
  for (const Reaction& x : r.reactions)
    data["reactions"].push_back({{"channel", x.channel},
                                 {"unit", x.unit},
                                 {"unique", words[x.unique]},
                                 {"largest", x.largest},
                                 {"t", x.at}});
  data["contacts"] = Json::array();
  data["model"] = model.text.empty() ? Json() : Json{{"file", model.file}, {"text", model.text}};
  add_tables(data, tables);
  return page_with(scene.dim == 3 ? "spatial" : "planar", data);
}
}  // namespace mubody::io
