// Results as numbers that numpy reads where they are, and as files.
#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "mubody/report/write_report.h"
#include "mubody/writing/read_results.h"
#include "mubody/writing/write_results.h"
#include "mubody/writing/write_summary.h"
#include "python/bind.h"

namespace mubody::python {
namespace {
constexpr std::size_t width = sizeof(double);

const Table& table_at(const KeptResults& r, std::size_t k) {
  if (k >= r.results.tables.size()) throw py::index_error("there is no such table");
  return r.results.tables[k];
}

py::array column_of(const py::object& self, std::size_t table, std::size_t column) {
  const Table& t = table_at(self.cast<const KeptResults&>(), table);
  if (column >= t.columns.size()) throw py::index_error("there is no such column");
  return view_of(t.values.data() + column, t.rows(), t.columns.size(), self);
}

}  // namespace

py::array rows_of(const py::object& self, std::size_t table) {
  const Table& t = table_at(self.cast<const KeptResults&>(), table);
  const auto columns = py::ssize_t(t.columns.size());
  load_numpy();
  py::array all(py::dtype::of<double>(), std::vector<py::ssize_t>{py::ssize_t(t.rows()), columns},
                std::vector<py::ssize_t>{columns * py::ssize_t(width), py::ssize_t(width)}, t.values.data(),
                self);
  all.attr("flags").attr("writeable") = false;
  return all;
}

namespace {
// [(name, [(column, unit), ...]), ...]
py::list tables_of(const KeptResults& r) {
  py::list all;
  for (const Table& t : r.results.tables) {
    py::list columns;
    for (const Column& c : t.columns) columns.append(py::make_tuple(c.name, c.unit));
    all.append(py::make_tuple(t.name, columns));
  }
  return all;
}

py::list events_of(const Results& r) {
  py::list all;
  for (const Event& e : r.events) all.append(py::make_tuple(e.t, e.word(), e.what));
  return all;
}

py::list accuracy_of(const Results& r) {
  py::list all;
  if (!r.accuracy) return all;
  for (const ChannelAccuracy& c : r.accuracy->channels)
    all.append(py::make_tuple(c.channel, c.digits(), c.error, c.at, c.range, c.unit, int(c.kind)));
  return all;
}

}  // namespace

// Without the model bodies are drawn as points.
std::shared_ptr<const Study> study_of(const KeptResults& r) {
  if (r.study || r.text.empty()) return r.study;
  try {
    return std::make_shared<const Study>(
        io::read_study_text(r.text, r.file, io::Settings(r.changes, r.untrusted)));
  } catch (const ModelError&) {
    return nullptr;  // its data files may have gone
  }
}

namespace {
std::string page_of(const KeptResults& r) {
  const std::shared_ptr<const Study> study = study_of(r);
  const io::Json summary = io::Json::parse(r.summary_text()).value_or(io::Json::object());
  const std::string name = r.file.substr(r.file.rfind('/') + 1);
  return io::report_html(r.results, summary, {study.get(), {name, r.text, r.changes}});
}

void write(const KeptResults& r, const std::string& folder, bool report, bool force) {
  Unlocked release;
  io::BesideResults beside{report ? page_of(r) : "", {force}, {}, r.units, r.format};
  io::write_results(r.results, folder, r.changes, beside);
}

ResultsRef load(const std::string& folder, bool untrusted) {
  io::StoredResults stored = io::read_results(folder, untrusted);
  auto kept = std::make_shared<KeptResults>();
  kept->results = std::move(stored.results);
  kept->summary = stored.summary.dump(2) + "\n";
  kept->changes = std::move(stored.changes);
  take_summary(kept->results, stored.summary);
  return kept;
}
}  // namespace

std::string KeptResults::summary_text() const {
  return summary.empty() ? io::summary_json(results, changes, format).dump(2) + "\n" : summary;
}

void load_numpy() {
  static std::atomic<bool> loaded = false;
  static std::mutex one;
  if (loaded) return;
  std::unique_lock lock(one, std::defer_lock);
  {
    Unlocked release;
    lock.lock();
  }
  py::detail::npy_api::get();
  loaded = true;
}

py::array view_of(const double* first, std::size_t count, std::size_t stride, py::handle owner) {
  load_numpy();
  py::array view(py::dtype::of<double>(), {py::ssize_t(count)}, {py::ssize_t(stride * width)}, first, owner);
  py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

void bind_results(py::module_& m) {
  const auto kept = seen_by_collector<KeptResults>([](KeptResults& r, const auto& take) { take(r.functions); });
  py::class_<KeptResults, ResultsRef>(m, "Results", kept,
                                      "Tables of numbers, and a record of how they were computed.")
      .def("tables", &tables_of)
      .def("column", &column_of)
      .def("rows", &rows_of)
      .def("events", [](const KeptResults& r) { return events_of(r.results); })
      .def("accuracy", [](const KeptResults& r) { return accuracy_of(r.results); })
      .def(
          "accuracy_missing",
          [](const KeptResults& r) { return r.results.accuracy ? r.results.accuracy->missing : std::string(); })
      .def("lists", [](const KeptResults& r) { return lists_of(r.results); })
      .def("summary_text", &KeptResults::summary_text)
      .def("page",
           [](const KeptResults& r) {
             Unlocked release;
             return page_of(r);
           })
      .def("write", &write)
      .def("state", &state_of)
      .def_static("of_state", &results_of)
      .def_static("load", &load)
      .def("distrust", [](KeptResults& r, const std::string& file) { r.file = file, r.untrusted = true; })
      .def_readonly("file", &KeptResults::file)
      .def_readonly("text", &KeptResults::text)
      .def_readonly("changes", &KeptResults::changes)
      .def_property_readonly("model", [](const KeptResults& r) { return r.results.model; })
      .def_property_readonly("analysis", [](const KeptResults& r) { return r.results.analysis; })
      .def_property_readonly("verdict", [](const KeptResults& r) { return r.results.verdict; })
      .def_property_readonly("trusted", [](const KeptResults& r) { return r.results.trusted; })
      .def_property_readonly("remarks",
                             [](const KeptResults& r) { return io::remarks_of(r.results, r.format); })
      .def_property_readonly("reached_end", [](const KeptResults& r) { return bool(r.results.outcome); })
      .def_property_readonly("outcome", [](const KeptResults& r) {
        const Outcome& o = r.results.outcome;
        return py::make_tuple(o.word(), o.at, o.why, o.place.file, o.place.line);
      });
}
}  // namespace mubody::python
