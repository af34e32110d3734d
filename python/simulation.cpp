// A motion that a program in Python advances, feeds and reads.
#include <array>

#include <fmt/format.h>

#include "python/held_simulation.h"

namespace mubody::python {
namespace {
Jet jet_of(py::handle value) {
  if (!py::isinstance<py::tuple>(value)) return Jet{number_of(value, "an input"), 0, 0};
  const auto parts = py::reinterpret_borrow<py::tuple>(value);
  if (parts.empty() || parts.size() > 3)
    throw py::value_error("an input is a value, its rate and its acceleration");
  std::array<double, 3> all{};
  for (std::size_t k = 0; k < parts.size(); ++k) all[k] = number_of(parts[k], "an input, its rate");
  return Jet{all[0], all[1], all[2]};
}

/// The number that a name has in a dictionary; -1 if it is not there.
int number_in(const py::dict& all, py::handle name) {
  PyObject* const found = PyDict_GetItemWithError(all.ptr(), name.ptr());
  if (!found) {
    if (PyErr_Occurred()) throw py::error_already_set();
    return -1;
  }
  return int(PyLong_AsLong(found));
}

int input_number(HeldSimulation& s, py::handle name) {
  if (const int known = number_in(s.inputs, name); known >= 0) return known;
  const int found = s.simulation.input(text_of(name, "the name of an input")).index();
  s.inputs[name] = found;
  return found;
}

double get(HeldSimulation& s, py::handle name) {
  const InUse use(s);
  if (const int k = number_in(s.outputs, name); k >= 0) return s.simulation.value(Output(k));
  try {
    return s.simulation.value(Input(input_number(s, name)));
  } catch (const ModelError&) {
    return s.simulation.value(s.simulation.output(text_of(name, "a name")));  // its message suggests one
  }
}

void set(HeldSimulation& s, py::handle name, py::handle value) {
  const InUse use(s);
  s.simulation.set(Input(input_number(s, name)), jet_of(value));
}

std::unique_ptr<HeldSimulation> begin(const Document& d, const std::vector<std::string>& settings,
                                      std::optional<double> record) {
  RaisedRef raised = Raised::make();
  auto kept = std::make_shared<KeptResults>();
  const Reading reading = d.reading();
  Simulation simulation = in_terms_of(
      d,
      [&] {
        auto study = std::make_shared<Study>(reading.study(settings, raised));
        SimulationOptions options;
        options.record = record;
        Simulation s(*study, options);
        kept->units = study->output.units, kept->format = study->output.format.word();
        kept->study = std::move(study);
        return s;
      },
      raised);
  keep_model(*kept, d, settings);
  return std::make_unique<HeldSimulation>(std::move(simulation), std::move(raised), std::move(kept),
                                          reading.functions);
}

// Returns None, or (word, time, why, exception) if it failed or the user stopped it.
template <class Go> py::object went(HeldSimulation& s, const Go& go) {
  const InUse use(s);
  Watching watching(s.raised);
  Outcome outcome;
  {
    Unlocked release;
    outcome = go(s.simulation, std::ref(watching));
  }
  if (outcome) return py::none();
  return py::make_tuple(outcome.word(), outcome.at, outcome.why, s.raised->taken());
}

ResultsRef finish(HeldSimulation& s) {
  const InUse use(s);
  auto kept = std::make_shared<KeptResults>(*s.about);
  kept->functions = s.functions;
  Unlocked release;
  kept->results = s.simulation.finish();
  return kept;
}

std::unique_ptr<HeldSimulation> copy(HeldSimulation& s) {
  const InUse use(s);
  Unlocked release;
  Simulation other = s.simulation.copy();
  py::gil_scoped_acquire lock;
  return std::make_unique<HeldSimulation>(std::move(other), s.raised, s.about, s.functions);
}

py::list last_events(HeldSimulation& s) {
  const InUse use(s);
  py::list all;
  for (const Event& e : s.simulation.events()) all.append(py::make_tuple(e.t, e.word(), e.what));
  return all;
}
}  // namespace

HeldSimulation::HeldSimulation(Simulation s, RaisedRef r, ResultsRef k, py::object f)
    : simulation(std::move(s)), raised(std::move(r)), about(std::move(k)), functions(std::move(f)) {
  int number = 0;
  for (const Column& c : simulation.outputs()) outputs[py::str(c.name)] = number++;
}

InUse::InUse(HeldSimulation& s) : InUse(s.in_use, "simulation") {}

InUse::InUse(bool& flag, const char* what) : flag_(flag) {
  if (flag_) throw std::runtime_error(std::string("this ") + what + " is being used by another thread");
  flag_ = true;
}

void bind_simulation(py::module_& m) {
  py::class_<Snapshot>(m, "Snapshot", "A state of a simulation.")
      .def_property_readonly("time", &Snapshot::time);
  const auto kept =
      seen_by_collector<HeldSimulation>([](HeldSimulation& s, const auto& take) { take(s.functions); });
  py::class_<HeldSimulation>(m, "Simulation", kept, "The motion of a model, advanced in time.")
      .def(py::init(&begin), py::arg("document"), py::arg("settings"), py::arg("record"))
      .def("__getitem__", &get)
      .def("__setitem__", &set)
      .def_property_readonly("time", [](const HeldSimulation& s) { return s.simulation.time(); })
      .def("advance",
           [](HeldSimulation& s, double dt) {
             return went(s, [&](Simulation& x, const Progress& p) { return x.advance(dt, p); });
           })
      .def("advance_to",
           [](HeldSimulation& s, double t) {
             return went(s, [&](Simulation& x, const Progress& p) { return x.advance_to(t, p); });
           })
      .def("inputs", [](const HeldSimulation& s) { return s.simulation.inputs(); })
      .def("outputs",
           [](const HeldSimulation& s) {
             py::dict all;
             for (const Column& c : s.simulation.outputs()) all[py::str(c.name)] = c.unit;
             return all;
           })
      .def("events", &last_events)
      .def("record",
           [](HeldSimulation& s) {
             const InUse use(s);
             s.simulation.record();
           })
      .def("save",
           [](HeldSimulation& s) {
             const InUse use(s);
             return s.simulation.save();
           })
      .def("restore",
           [](HeldSimulation& s, const Snapshot& x) {
             const InUse use(s);
             s.simulation.restore(x);
           })
      .def("copy", &copy)
      .def("finish", &finish);
}
}  // namespace mubody::python
