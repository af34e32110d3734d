// Precomputed models: tables, their motion step by step, and C.
#include "mubody/precompute/run/real_time.h"

#include <fmt/format.h>

#include "mubody/precompute/c/emit_c.h"
#include "mubody/precompute/precompute.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/reading/precompute_section.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/writing/write_precomputed.h"
#include "python/held_simulation.h"

namespace mubody::python {
namespace {
/// A precomputed model with the study that it was made from.
struct HeldTables {
  RealTimeModel model;
  Study study;
  std::string json;
};
using TablesRef = std::shared_ptr<HeldTables>;

// (tables, exception)
py::tuple make_tables(const Document& d, const std::vector<std::string>& settings,
                      const std::vector<std::string>& design) {
  const RaisedRef raised = Raised::make();
  Watching watching(raised);
  auto held = std::make_shared<HeldTables>();
  const std::string text = d.toml();
  Precomputed made;
  const Reading reading = d.reading();
  in_terms_of(d, [&] {
    held->study = reading.study(settings, raised);
    PrecomputeOptions o =
        io::read_precompute_options_text(text, d.file(), io::Settings(settings, d.untrusted()));
    o.design = design;
    made = precompute(held->study, o, std::ref(watching));
    if (!made.outcome && made.outcome.kind != Outcome::interrupted) throw ModelError(made.outcome.why);
  });
  if (!made.outcome) return py::make_tuple(py::none(), raised->taken());
  made.model.file = d.file(), made.model.text = text, made.model.settings = settings;
  made.model.summary = io::precomputed_text(made);
  held->json = io::precomputed_json(made);
  held->model = std::move(made.model);
  return py::make_tuple(held, raised->taken());
}

TablesRef read_tables_of(const std::string& path, bool untrusted) {
  Unlocked release;
  auto held = std::make_shared<HeldTables>();
  held->model = io::read_real_time_file(path, untrusted);
  const RealTimeModel& m = held->model;
  held->study = io::read_study_text(m.text, m.file, io::Settings(m.settings, untrusted));
  return held;
}

std::unique_ptr<HeldSimulation> simulate_tables(const HeldTables& t, std::optional<double> record) {
  SimulationOptions o;
  o.record = record;
  auto about = std::make_shared<KeptResults>();
  about->file = t.model.file, about->text = t.model.text, about->changes = t.model.settings;
  about->units = t.study.output.units, about->format = t.study.output.format.word();
  about->study = std::make_shared<const Study>(t.study);
  return std::make_unique<HeldSimulation>(simulate(t.model, t.study, o), Raised::make(), std::move(about),
                                          py::none());
}

py::tuple run_tables(const HeldTables& t, bool estimate) {
  const RaisedRef raised = Raised::make();
  Watching watching(raised);
  auto kept = std::make_shared<KeptResults>();
  {
    Unlocked release;
    auto study = std::make_shared<Study>(t.study);
    study->analysis.estimate_usual = estimate;
    kept->results = run_real_time(t.model, *study, std::ref(watching));
    kept->study = std::move(study);
  }
  kept->file = t.model.file, kept->text = t.model.text, kept->changes = t.model.settings;
  kept->units = t.study.output.units, kept->format = t.study.output.format.word();
  return py::make_tuple(kept, raised->taken());
}

/// The bare equations of a precomputed model: a state, forces on its variables, and steps of equal size.
class Stepper {
 public:
  explicit Stepper(TablesRef tables)
      : tables_(std::move(tables)), run_(tables_->model, tables_->study.mechanism) {
    reset();
  }
  void reset() {
    state_ = run_.start();
    run_.switch_contacts(state_);
  }
  bool step(double h) {
    if (!(h > 0 && std::isfinite(h))) throw py::value_error("a step is a positive number of seconds");
    const RealTime::State before = state_;
    wild_ = false;
    if (!run_.step(state_, h)) return false;
    const auto sound = [](double x) { return std::abs(x) < 1e15; };  // also false for what is no number
    wild_ = !std::ranges::all_of(variables(), sound) || !std::ranges::all_of(rates(), sound);
    if (wild_) state_ = before;
    return !wild_;
  }
  std::string why() const {
    if (wild_) return "the step gives no sensible numbers: the forces or the step are too large";
    return run_.out_of_range(state_);
  }
  double time() const { return state_.t; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    const RealTimeModel& m = tables_->model;
    for (const VariableRange& v : m.regions[std::size_t(state_.region)].variables) all.push_back(v.name);
    for (const StiffVariable& v : m.stiff) all.push_back(v.name);
    return all;
  }
  std::vector<double> variables() const { return first(state_.theta); }
  std::vector<double> rates() const { return first(state_.rate); }
  std::vector<double> input() const { return first(state_.input); }
  void set_input(const std::vector<double>& forces) {
    if (int(forces.size()) != run_.n()) throw py::value_error(fmt::format("there are {} variables", run_.n()));
    if (!std::ranges::all_of(forces, [](double f) { return std::isfinite(f); }))
      throw py::value_error("forces are finite numbers");
    std::copy(forces.begin(), forces.end(), state_.input.begin());
  }

 private:
  std::vector<double> first(const RealTime::Vector& v) const { return {v.begin(), v.begin() + run_.n()}; }

  TablesRef tables_;
  RealTime run_;
  RealTime::State state_;
  bool wild_ = false;  // the last step was taken back
};

py::tuple c_of(const HeldTables& t, const std::string& name, bool single, double step) {
  EmitOptions o;
  o.name = name.empty() ? c_name(t.study.mechanism.name) : name;
  if (o.name != c_name(o.name))
    throw py::value_error("'" + name + "' is no name in C, perhaps " + c_name(name));
  if (!(step > 0 && std::isfinite(step))) throw py::value_error("a step is a positive number of seconds");
  o.single = single;
  o.step = step;
  check_for_c(!t.model.design.empty());
  EmittedC c = emit_c(t.model, t.study.mechanism, o);
  return py::make_tuple(o.name, std::move(c.header), std::move(c.source));
}
}  // namespace

void bind_real_time(py::module_& m) {
  py::class_<HeldTables, TablesRef>(m, "Tables", "A precomputed model.")
      .def("simulation", &simulate_tables)
      .def("run", &run_tables)
      .def("emit_c", &c_of)
      .def("save",
           [](const HeldTables& t, const std::string& path) { io::write_real_time_file(t.model, path); })
      .def_property_readonly("summary", [](const HeldTables& t) { return t.model.summary; })
      .def_property_readonly("json", [](const HeldTables& t) { return t.json; })
      .def_property_readonly("bytes", [](const HeldTables& t) { return t.model.bytes(); })
      .def_property_readonly("name", [](const HeldTables& t) { return t.model.name; });
  py::class_<Stepper>(m, "Stepper", "The equations of a precomputed model, step by step.")
      .def(py::init<TablesRef>())
      .def("step", &Stepper::step)
      .def("reset", &Stepper::reset)
      .def("why", &Stepper::why)
      .def_property_readonly("time", &Stepper::time)
      .def_property_readonly("names", &Stepper::names)
      .def_property_readonly("variables", &Stepper::variables)
      .def_property_readonly("rates", &Stepper::rates)
      .def_property("input", &Stepper::input, &Stepper::set_input);
  m.def("precompute", &make_tables);
  m.def("read_tables", &read_tables_of);
}
}  // namespace mubody::python
