// Runs of models: analyses, which the user may stop.
#include <chrono>

#include "mubody/analyses/run.h"
#include "python/bind.h"

namespace mubody::python {
namespace {
double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// (results, exception); the exception is that of a function in Python, or of what the user pressed.
py::tuple run_document(const Document& d, const std::vector<std::string>& settings, bool estimate) {
  auto kept = std::make_shared<KeptResults>();
  const RaisedRef raised = Raised::make();
  Watching watching(raised);
  const Reading reading = d.reading();
  in_terms_of(
      d,
      [&] {
        auto study = std::make_shared<Study>(reading.study(settings, raised));
        study->analysis.estimate_usual = estimate;
        kept->results = mubody::run(*study, std::ref(watching));
        kept->units = study->output.units, kept->format = study->output.format.word();
        kept->study = std::move(study);
      },
      raised);
  kept->functions = reading.functions;
  keep_model(*kept, d, settings);
  return py::make_tuple(kept, raised->taken());
}
}  // namespace

void keep_model(KeptResults& kept, const Document& d, const std::vector<std::string>& settings) {
  kept.file = d.file();
  kept.untrusted = d.untrusted();
  kept.text = d.callbacks.empty() ? d.toml() : "";
  kept.changes = settings;
}

Watching::Watching(RaisedRef raised) : raised_(std::move(raised)), looked_(seconds()) {}

bool Watching::operator()(double) {
  constexpr double often_enough = 0.02;  // [s]
  if (stopped_) return false;
  const double now = seconds();
  if (now - looked_ < often_enough) return true;
  looked_ = now;
  if (leaving()) return false;
  Locked lock;
  if (PyErr_CheckSignals() == 0) return true;
  raised_->take_current();
  stopped_ = true;
  return false;
}

RaisedRef Raised::make() { return {new Raised, give_up<Raised>}; }

void Raised::keep(py::object exception) {
  first_.try_emplace(std::this_thread::get_id(), std::move(exception));
}

void Raised::take_current() {
  const py::error_already_set error;
  keep(error.value());
}

// It knows the frames that it came through, which know the results: whoever takes it keeps it alone.
py::object Raised::taken() {
  const auto mine = first_.extract(std::this_thread::get_id());
  return mine ? mine.mapped() : py::object(py::none());
}

void Raised::rethrow() {
  const py::object mine = taken();
  if (mine.is_none()) return;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(mine.ptr())), mine.ptr());
  throw py::error_already_set();
}

void bind_runs(py::module_& m) { m.def("run", &run_document); }
}  // namespace mubody::python
