#include "mubody/report/write_report.h"

#include <algorithm>
#include <deque>
#include <set>
#include <span>

#include "mubody/model/shown_units.h"
#include "mubody/picture/loads.h"
#include "mubody/picture/playback.h"
#include "mubody/picture/scene.h"
#include "mubody/reading/field_list.h"
#include "mubody/report/modes_json.h"
#include "mubody/report/report_page.h"
#include "mubody/report/thin.h"
#include "mubody/text/json.h"

namespace mubody::io {
namespace {

Json json_of(const ContactRecord& c) {
  Json json{{"contact", c.contact},   {"onset", c.onset},     {"end", Json()},
            {"speed_in", c.speed_in}, {"speed_out", Json()},  {"peak_force", c.peak_force},
            {"peak_at", c.peak_at},   {"deepest", c.deepest}, {"energy_lost", c.energy_lost}};
  if (c.end) json["end"] = *c.end, json["speed_out"] = c.speed_out;
  return json;
}

template <class Element> std::string bodies_of(const Mechanism& m, const Element& e) {
  if constexpr (requires { e.couples(); })
    if (!e.couples().empty()) return names_of(e.couples());
  const bool pair = fields_of(e).has_i;
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
    forces.push_back({{"name", f.name}, {"type", f.what->info().name}, {"bodies", bodies_of(m, *f.what)}});
  return {{"gravity", {m.gravity.x(), m.gravity.y(), m.gravity.z()}},
          {"bodies", bodies},
          {"joints", joints},
          {"forces", forces}};
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

/// The table with at most `most` of its rows, which is enough to fit guides.
Table some_rows(const Table& table, std::size_t most) {
  Table some{table.name, table.columns, {}};
  const std::size_t stride = (table.rows() + most - 1) / most;
  for (std::size_t row = 0; row < table.rows(); row += stride)
    for (std::size_t c = 0; c < table.columns.size(); ++c) some.values.push_back(table.at(row, c));
  return some;
}

/// Throws ModelError if the results are not those of the model.
Scene scene_for(const Results& r, const Study* study) {
  const Table* bodies = r.find("bodies");
  if (!study) return bodies ? scene_of_columns(*bodies) : Scene{};
  Scene scene = scene_of(study->mechanism, study->looks);
  constexpr std::size_t enough = 1000;
  if (const Table* modes = r.find("mode_motion")) bodies = modes;
  if (bodies && bodies->rows() > 0)
    fit_guides(scene, playback_of(study->mechanism, some_rows(*bodies, enough)));
  return scene;
}

/// The centre of mass of all bodies over time; only the column of times if it is not known.
Table mass_centre(const Table& bodies, const Mechanism& m) {
  Table centre{"bodies", {bodies.columns[0]}, {}};
  double whole = 0;
  for (const RigidBody& b : m.bodies) whole += b.mass;
  if (!(whole > 0)) return centre;
  std::vector<std::size_t> columns;  // positions of all bodies, axis by axis
  for (int axis = 0; axis < m.dim; ++axis)
    for (const RigidBody& b : m.bodies) {
      const int column = bodies.find(b.name + '.' + "xyz"[axis]);
      if (column < 0) return centre;
      columns.push_back(std::size_t(column));
    }
  for (int axis = 0; axis < m.dim; ++axis)
    centre.columns.push_back({std::string("mass_centre.") + "xyz"[axis], "m"});
  for (std::size_t row = 0; row < bodies.rows(); ++row) {
    centre.values.push_back(bodies.at(row, 0));
    for (std::size_t axis = 0, k = 0; axis < std::size_t(m.dim); ++axis) {
      double sum = 0;
      for (const RigidBody& b : m.bodies) sum += b.mass * bodies.at(row, columns[k++]);
      centre.values.push_back(sum / whole);
    }
  }
  return centre;
}

/// Whether the rows are instants, one after the other; modes and matrices are not.
bool is_over_time(const Table& table) {
  if (table.columns.empty() || table.columns[0].name != "time") return false;
  for (std::size_t row = 1; row < table.rows(); ++row)
    if (!(table.at(row, 0) > table.at(row - 1, 0))) return false;
  return true;
}

/// Adds a table that is no history, if it is small enough to be read.
void add_list(Json& lists, const Table& table) {
  constexpr std::size_t most_columns = 8, most_rows = 200;
  if (table.columns.size() > most_columns || table.rows() > most_rows) return;
  Json columns = Json::array(), rows = Json::array();
  for (const Column& c : table.columns) columns.push_back({{"name", c.name}, {"unit", c.unit}});
  for (std::size_t row = 0; row < table.rows(); ++row) {
    rows.push_back(Json::array());
    for (std::size_t c = 0; c < table.columns.size(); ++c) rows.back().push_back(table.at(row, c));
  }
  lists.push_back({{"name", table.name}, {"columns", columns}, {"rows", rows}});
}

/// The rows at these times.
Table rows_at(const Table& table, const std::set<double>& times) {
  Table kept{table.name, table.columns, {}};
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (times.contains(table.at(row, 0)))
      for (std::size_t c = 0; c < table.columns.size(); ++c) kept.values.push_back(table.at(row, c));
  return kept;
}

/// Tables with the same rows.  Where files lack rows, only common times are kept.
class Aligned {
 public:
  std::vector<const Table*> tables;

  explicit Aligned(std::vector<const Table*> all) : tables(std::move(all)) {
    std::erase_if(tables, [](const Table* t) { return t->columns.size() < 2; });
    const auto is_same = [&](const Table* t) { return t->rows() == tables[0]->rows(); };
    if (tables.empty() || std::ranges::all_of(tables, is_same)) return;
    std::set<double> common = times_of(*tables[0]);
    for (const Table* t : tables) {
      const std::set<double> there = times_of(*t);
      std::erase_if(common, [&](double time) { return !there.contains(time); });
    }
    for (const Table*& t : tables) t = &own_.emplace_back(rows_at(*t, common));
  }

 private:
  static std::set<double> times_of(const Table& table) {
    std::set<double> times;
    for (std::size_t row = 0; row < table.rows(); ++row) times.insert(table.at(row, 0));
    return times;
  }
  std::deque<Table> own_;
};

void add_tables(Json& data, std::span<const Table* const> tables) {
  const Thinned kept = thin(tables);
  std::vector<double> times;
  for (const std::size_t row : kept.rows) times.push_back(tables[0]->at(row, 0));
  data["times"] = base64(times);
  Json all = Json::array();
  std::vector<float> numbers(kept.rows.size());
  for (const Picked& p : kept.columns) {
    const Table& table = *tables[p.table];
    if (all.empty() || all.back()["name"].text() != table.name)
      all.push_back({{"name", table.name}, {"columns", Json::array()}});
    for (std::size_t k = 0; k < kept.rows.size(); ++k) numbers[k] = float(table.at(kept.rows[k], p.column));
    const Column& column = table.columns[p.column];
    all.back()["columns"].push_back({{"name", column.name}, {"unit", column.unit}, {"data", base64(numbers)}});
  }
  data["tables"] = std::move(all);
  const std::size_t rows = tables.empty() ? 0 : tables[0]->rows();
  data["thinned"] = Json();
  if (kept.rows.size() < rows || kept.left_out > 0)
    data["thinned"] = {{"rows", kept.rows.size()},
                       {"of", rows},
                       {"error", kept.error},
                       {"channel", kept.worst},
                       {"left_out", kept.left_out}};
}

/// What those of these units, of the columns that there are, become in units of the list.
Json shown_as(const std::set<std::string>& there, const ShownUnits& units) {
  Json json = Json::object();
  for (const std::string& u : there)
    if (const ShownUnit shown = units.of(u); shown.unit != u)
      json[u] = {{"unit", shown.unit}, {"factor", shown.factor}};
  return json;
}

std::set<std::string> units_there(std::span<const Table> tables) {
  std::set<std::string> there;
  for (const Table& t : tables)
    for (const Column& c : t.columns) there.insert(c.unit);
  return there;
}

/// The units that a reader may choose: degrees, turns per minute, millimetres.
Json switches_json(const std::set<std::string>& there) {
  struct Switch {
    const char *label, *unit;
    std::vector<std::vector<std::string>> choices;
  };
  const Switch all[] = {{"angles", "rad", {{"deg", "deg/s2"}}},
                        {"angular velocities", "rad/s", {{"deg/s"}, {"rpm"}}},
                        {"lengths", "m", {{"mm", "mm/s", "mm/s2"}}}};
  Json json = Json::array();
  for (const Switch& s : all) {
    if (!there.contains(s.unit)) continue;
    Json choices = Json::array();
    for (const std::vector<std::string>& units : s.choices)
      choices.push_back(shown_as(there, ShownUnits(units)));
    json.push_back({{"label", s.label}, {"unit", s.unit}, {"choices", choices}});
  }
  return json;
}

Json plots_json(const ReportOptions& options) {
  Json json = Json::array();
  for (const mubody::Plot& p : options.plots) json.push_back({{"title", p.title}, {"channels", p.channels}});
  return json;
}

Json overlay_json(const Overlay& overlay) {
  std::vector<const Table*> tables;
  for (const Table& t : overlay.results.tables)
    if (is_over_time(t)) tables.push_back(&t);
  Json json{{"name", overlay.name}};
  add_tables(json, Aligned(std::move(tables)).tables);
  return json;
}
}  // namespace

Json report_data(const Results& r, const Json& summary, const ReportModel& model) {
  const Table* const bodies = r.find("bodies");
  const Scene scene = scene_for(r, model.study);
  std::vector<const Table*> tables;
  Json lists = Json::array();
  for (const Table& t : r.tables)
    if (is_over_time(t))
      tables.push_back(&t);
    else if (t.name != "modes" && t.name != "mode_motion" && t.name != "frequency_response")
      add_list(lists, t);
  Table centre;
  if (bodies && model.study) tables.push_back(&(centre = mass_centre(*bodies, model.study->mechanism)));

  Json data{{"kind", "run"}};
  data["summary"] = summary;
  data["summary"].erase("files");
  data["summary"].erase("extremes");
  data["parts"] = model.study ? parts_of(model.study->mechanism) : Json();
  data["scene"] = scene_json(scene);
  data["loads"] = model.study ? loads_json(loads_of(model.study->mechanism, scene)) : Json::array();
  data["modes"] = modes_json(r);
  data["bode"] = bode_json(r);
  data["lists"] = std::move(lists);
  data["events"] = Json::array();
  for (const Event& e : r.events) data["events"].push_back({{"t", e.t}, {"kind", e.word()}, {"what", e.what}});
  data["reactions"] = Json::array();
  constexpr std::string_view words[] = {"no", "yes", "unknown"};
  for (const Reaction& x : r.reactions)
    data["reactions"].push_back({{"channel", x.channel},
                                 {"unit", x.unit},
                                 {"unique", words[x.unique]},
                                 {"largest", x.largest},
                                 {"t", x.at}});
  data["extremes"] = Json::array();
  for (const Extreme& x : r.extremes)
    data["extremes"].push_back(
        Json::array({x.channel, x.unit, x.least, x.least_at, x.greatest, x.greatest_at}));
  data["contacts"] = Json::array();
  for (const ContactRecord& c : r.contacts) data["contacts"].push_back(json_of(c));
  data["model"] = json_of(model.file);
  const ReportOptions options = model.study ? model.study->report : ReportOptions{};
  data["plots"] = plots_json(options);
  const std::set<std::string> units = units_there(r.tables);
  data["units"] = shown_as(units, ShownUnits(options.units));
  data["switches"] = switches_json(units);
  add_tables(data, Aligned(std::move(tables)).tables);
  if (model.overlay) data["overlay"] = overlay_json(*model.overlay);
  return data;
}

std::string report_html(const Results& r, const Json& summary, const ReportModel& model) {
  check_reports();
  const int dim = model.study ? model.study->mechanism.dim : scene_for(r, nullptr).dim;
  return page_with(dim == 3 ? "spatial" : "planar", report_data(r, summary, model));
}
}  // namespace mubody::io
