// A motion that a program in Python advances together with its derivatives.
#include "mubody/code/tangent_simulation.h"
#include "python/held_simulation.h"

namespace mubody::python {
namespace {
struct HeldTangents {
  TangentSimulation simulation;
  RaisedRef raised;
  bool in_use = false;  // read and set with the interpreter's lock
};

std::unique_ptr<HeldTangents> begin_tangents(const Document& d, const std::vector<std::string>& settings,
                                             const std::vector<std::string>& variables,
                                             const std::vector<std::string>& inputs) {
  RaisedRef raised = Raised::make();
  const Reading reading = d.reading();
  TangentOptions o;
  o.inputs = inputs;
  TangentSimulation simulation = in_terms_of(
      d, [&] { return TangentSimulation(reading.study(settings, raised), variables, o); }, raised);
  return std::make_unique<HeldTangents>(std::move(simulation), std::move(raised));
}

// Returns None, or (word, time, why, exception) if it failed or the user stopped it.
template <class Go> py::object went_on(HeldTangents& s, const Go& go) {
  const InUse use(s.in_use, "simulation");
  Watching watching(s.raised);
  Outcome outcome;
  {
    Unlocked release;
    outcome = go(s.simulation, std::ref(watching));
  }
  if (outcome) return py::none();
  return py::make_tuple(outcome.word(), outcome.at, outcome.why, s.raised->taken());
}
}  // namespace

void bind_tangents(py::module_& m) {
  py::class_<HeldTangents>(m, "TangentSimulation", "The motion of a model, advanced with its derivatives.")
      .def(py::init(&begin_tangents), py::arg("document"), py::arg("settings"), py::arg("variables"),
           py::arg("inputs"))
      .def_property_readonly("time",
                             [](HeldTangents& s) {
                               const InUse use(s.in_use, "simulation");
                               return s.simulation.time();
                             })
      .def("advance",
           [](HeldTangents& s, double dt) {
             return went_on(s, [&](TangentSimulation& x, const Progress& p) { return x.advance(dt, p); });
           })
      .def("advance_to",
           [](HeldTangents& s, double t) {
             return went_on(s, [&](TangentSimulation& x, const Progress& p) { return x.advance_to(t, p); });
           })
      .def("value",
           [](HeldTangents& s, const std::string& name) {
             const InUse use(s.in_use, "simulation");
             return s.simulation.value(s.simulation.output(name));
           })
      .def("slope",
           [](HeldTangents& s, const std::string& name, const std::string& variable) {
             const InUse use(s.in_use, "simulation");
             return s.simulation.slope(s.simulation.output(name), s.simulation.variable(variable));
           })
      .def("set",
           [](HeldTangents& s, const std::string& name, double x, double v, double a) {
             const InUse use(s.in_use, "simulation");
             s.simulation.set(s.simulation.input(name), Jet{x, v, a});
           })
      .def("input",
           [](HeldTangents& s, const std::string& name) {
             const InUse use(s.in_use, "simulation");
             return s.simulation.value(s.simulation.input(name));
           })
      .def("variables", [](const HeldTangents& s) { return s.simulation.variables(); })
      .def("inputs", [](const HeldTangents& s) { return s.simulation.inputs(); })
      .def("outputs", [](const HeldTangents& s) {
        py::dict all;
        for (const Column& c : s.simulation.outputs()) all[py::str(c.name)] = c.unit;
        return all;
      });
}
}  // namespace mubody::python
