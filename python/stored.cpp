// Results as plain values of Python, for pickle and files of numpy.
#include <algorithm>

#include "python/bind.h"

namespace mubody::python {
py::dict lists_of(const Results& r) {
  py::list reactions, extremes, contacts;
  for (const Reaction& x : r.reactions)
    reactions.append(py::make_tuple(x.channel, x.unit, int(x.unique), x.largest, x.at));
  for (const Extreme& x : r.extremes)
    extremes.append(py::make_tuple(x.channel, x.unit, x.least, x.least_at, x.greatest, x.greatest_at));
  for (const ContactRecord& c : r.contacts)
    contacts.append(py::make_tuple(c.contact, c.onset, c.end, c.speed_in, c.speed_out, c.peak_force, c.peak_at,
                                   c.deepest, c.energy_lost));
  py::dict all;
  all["reactions"] = reactions, all["extremes"] = extremes, all["contacts"] = contacts;
  return all;
}

namespace {
void take_lists(Results& r, const py::dict& all) {
  using Row = std::vector<py::object>;
  const auto rows = [&](const char* name) { return all[name].cast<std::vector<Row>>(); };
  const auto text = [](const Row& row, std::size_t k) { return row.at(k).cast<std::string>(); };
  const auto number = [](const Row& row, std::size_t k) { return row.at(k).cast<double>(); };
  for (const Row& x : rows("reactions"))
    r.reactions.push_back({text(x, 0), text(x, 1), Reaction::Unique(std::clamp(x.at(2).cast<int>(), 0, 2)),
                           number(x, 3), number(x, 4)});
  for (const Row& x : rows("extremes"))
    r.extremes.push_back({text(x, 0), text(x, 1), number(x, 2), number(x, 3), number(x, 4), number(x, 5)});
  for (const Row& x : rows("contacts")) {
    ContactRecord c{text(x, 0), number(x, 1), x.at(2).cast<std::optional<double>>(), number(x, 3),
                    number(x, 4)};
    c.peak_force = number(x, 5), c.peak_at = number(x, 6), c.deepest = number(x, 7),
    c.energy_lost = number(x, 8);
    r.contacts.push_back(std::move(c));
  }
}

Event::Kind event_kind(const std::string& word) {
  const auto at = std::ranges::find(Event::words, std::string_view(word));
  if (at == std::end(Event::words)) throw py::value_error("there is no event '" + word + "'");
  return Event::Kind(at - std::begin(Event::words));
}

void take_tables(Results& r, const py::list& tables) {
  for (const py::handle item : tables) {
    const auto parts = item.cast<py::tuple>();
    Table t;
    t.name = parts[0].cast<std::string>();
    const auto names = parts[1].cast<std::vector<std::string>>(),
               units = parts[2].cast<std::vector<std::string>>();
    if (names.size() != units.size()) throw py::value_error("a table has as many units as columns");
    if (names.empty()) throw py::value_error("a table has columns");
    for (std::size_t k = 0; k < names.size(); ++k) t.columns.push_back({names[k], units[k]});
    const auto values = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(parts[3]);
    if (!values || values.ndim() != 2 || std::size_t(values.shape(1)) != names.size())
      throw py::value_error("a table has as many numbers in a row as columns");
    t.values.assign(values.data(), values.data() + values.size());
    r.tables.push_back(std::move(t));
  }
}

}  // namespace

// Everything of results that is kept in a file: tables, events and the summary, which states the rest.
py::dict state_of(const py::object& self) {
  const auto& r = self.cast<const KeptResults&>();
  py::list tables;
  for (std::size_t k = 0; k < r.results.tables.size(); ++k) {
    const Table& t = r.results.tables[k];
    py::list names, units;
    for (const Column& c : t.columns) names.append(c.name), units.append(c.unit);
    tables.append(py::make_tuple(t.name, names, units, rows_of(self, k)));
  }
  py::dict all;
  all["tables"] = tables;
  all["events"] = self.attr("events")();
  all["accuracy"] = self.attr("accuracy")();
  all["lists"] = lists_of(r.results);
  all["summary"] = r.summary_text();
  all["file"] = r.file, all["text"] = r.text, all["changes"] = r.changes, all["units"] = r.units;
  all["format"] = r.format;
  return all;
}

// What the summary says of how a run went.
void take_summary(Results& r, const io::Json& summary) {
  r.model = summary["model"].text();
  r.analysis = summary["analysis"].text();
  r.verdict = summary["verdict"].text();
  r.trusted = summary["trusted"].dump() == "true";
}

ResultsRef results_of(const py::dict& state) {
  auto kept = std::make_shared<KeptResults>();
  take_tables(kept->results, state["tables"].cast<py::list>());
  for (const py::handle item : state["events"].cast<py::list>()) {
    const auto parts = item.cast<py::tuple>();
    kept->results.events.push_back(
        {parts[0].cast<double>(), event_kind(parts[1].cast<std::string>()), parts[2].cast<std::string>()});
  }
  for (const py::handle item : state["accuracy"].cast<py::list>()) {
    const auto p = item.cast<py::tuple>();
    if (!kept->results.accuracy) kept->results.accuracy.emplace();
    ChannelAccuracy c{p[0].cast<std::string>(), p[5].cast<std::string>(),
                      ChannelAccuracy::Kind(std::clamp(p[6].cast<int>(), 0, int(ChannelAccuracy::other)))};
    c.error = p[2].cast<double>(), c.at = p[3].cast<double>(), c.range = p[4].cast<double>();
    kept->results.accuracy->channels.push_back(std::move(c));
  }
  take_lists(kept->results, state["lists"].cast<py::dict>());
  kept->summary = state["summary"].cast<std::string>();
  kept->file = state["file"].cast<std::string>(), kept->text = state["text"].cast<std::string>();
  kept->changes = state["changes"].cast<std::vector<std::string>>();
  kept->units = state["units"].cast<std::vector<std::string>>();
  if (state.contains("format")) kept->format = state["format"].cast<std::string>();
  const auto summary = io::Json::parse(kept->summary);
  if (!summary || !summary->is_object()) throw py::value_error("the summary is no JSON object");
  take_summary(kept->results, *summary);
  return kept;
}
}  // namespace mubody::python
