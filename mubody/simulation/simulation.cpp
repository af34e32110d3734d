#include "mubody/simulation/simulation.h"

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/simulation/equation_engine.h"
#include "mubody/simulation/estimate.h"
#include "mubody/simulation/loop.h"
#include "mubody/simulation/model.h"

namespace mubody {
Study with_options(Study study, const SimulationOptions& o) {
  AnalysisOptions& a = study.analysis;
  if (study.mechanism.bodies.empty()) throw ModelError("there are no bodies: nothing can move");
  if (o.integrator) a.integrator = *o.integrator;
  if (o.integrator) a.own_integrator = nullptr;
  if (o.own_integrator) {
    a.own_integrator = o.own_integrator;
    a.integrator = o.own_integrator->info.name;
  }
  if (!a.method())
    throw ModelError(fmt::format("there is no integrator '{}'; see 'mubody list integrators'", a.integrator));
  if (o.formulation) {
    const auto& words = a.formulation.words;
    const auto at = std::find(words.begin(), words.end(), *o.formulation);
    if (at == words.end())
      throw ModelError(fmt::format("there is no formulation '{}': body, cartesian or joint", *o.formulation));
    a.formulation.index = int(at - words.begin());
  }
  if (o.start) a.start = *o.start;
  if (o.step) a.control.step = o.step;
  if (o.rtol) a.control.rtol = *o.rtol;
  if (o.atol) a.control.atol = o.atol;
  if (o.max_step) a.control.max_step = o.max_step;
  a.end = std::max(a.end, a.start);
  if (!a.method()->adaptive && !a.control.step)
    throw ModelError(fmt::format("integrator '{}' has a fixed step: 'step' is missing", a.integrator));
  if (o.record && !(*o.record > 0)) throw ModelError("record: the time between rows must be positive");
  try {
    a.check();
  } catch (const FieldError& e) {
    throw ModelError(e.field + ": " + e.what());
  }
  return study;
}

Simulation::Simulation(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}

Simulation Simulation::begin(const Study& study, std::string_view analysis, const MakeEngine& make,
                             const SimulationOptions& options) {
  auto loop = std::make_unique<Loop>(with_options(study, options), analysis, make, Loop::Rows::on_request,
                                     options.record, options.inputs);
  if (!loop->assembled()) throw ModelError(loop->outcome().place, loop->outcome().why);
  return Simulation(std::move(loop));
}

Results Simulation::run(const Study& study, std::string_view analysis, const MakeEngine& make,
                        const Progress& progress) {
  if (study.analysis.patience.waits()) return run(with_time_begun(study), analysis, make, progress);
  return run_with_estimate(study, progress, [&](const Study& s, const Progress& p) {
    Loop loop(s, analysis, make, Loop::Rows::output_times);
    return loop.run(p);
  });
}

Simulation::Simulation(const Study& study, const SimulationOptions& options)
    : Simulation(begin(study, "forward", make_equations, options)) {}
Simulation::Simulation(const Model& model, const SimulationOptions& options)
    : Simulation(model.study(), options) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

double Simulation::time() const { return loop_->time(); }
const Outcome& Simulation::outcome() const { return loop_->outcome(); }
Outcome Simulation::advance(double dt, const Progress& progress) { return loop_->advance_by(dt, progress); }
Outcome Simulation::advance_to(double t, const Progress& progress) { return loop_->advance_to(t, progress); }

Input Simulation::input(std::string_view name) const { return Input(loop_->inputs().index_of(name)); }
std::vector<std::string> Simulation::inputs() const {
  std::vector<std::string> all;
  for (const InputSlot& s : loop_->inputs().all()) all.push_back(s.name);
  return all;
}
void Simulation::set(Input i, const Jet& value) {
  check(i);
  loop_->set(i.index(), value);
}
double Simulation::value(Input i) const {
  check(i);
  return loop_->value_of_input(i.index());
}
void Simulation::check(Input i) const {
  if (i.index() < 0 || std::size_t(i.index()) >= loop_->inputs().all().size())
    throw ModelError("this is no input of the model: take one from input()");
}

Output Simulation::output(std::string_view name) const {
  const auto& channels = loop_->system().channels;
  std::vector<std::string> all;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (channels[k].name == name) return Output(int(k));
    all.push_back(channels[k].name);
  }
  throw ModelError(fmt::format("there is no output '{}'{}", name, suggestion(std::string(name), all)));
}
std::vector<Column> Simulation::outputs() const {
  std::vector<Column> all;
  for (const Channel& c : loop_->system().channels) all.push_back({c.name, c.unit});
  return all;
}
double Simulation::value(Output o) {
  if (o.index() < 0 || std::size_t(o.index()) >= loop_->system().channels.size())
    throw ModelError("this is no output of the model: take one from output()");
  return loop_->value_of_output(o.index());
}

VecX Simulation::state() const { return loop_->state(); }
VecX Simulation::rates() { return loop_->rates(); }
VecX Simulation::gaps() { return loop_->gaps(); }

std::span<const Event> Simulation::events() const { return loop_->events(); }
void Simulation::record() { loop_->record(); }

Snapshot Simulation::save() {
  Snapshot s;
  s.time_ = time();
  s.signature_ = loop_->signature();
  loop_->save(s.memory_, s.results_);
  return s;
}
void Simulation::restore(const Snapshot& s) {
  if (s.signature_ != loop_->signature())
    throw ModelError("the snapshot is of another model, integrator or formulation");
  loop_->restore(s.memory_, s.results_);
}
Simulation Simulation::copy() {
  Simulation other(loop_->again());
  if (!other.loop_->assembled()) throw ModelError(other.outcome().why);
  other.restore(save());
  return other;
}
Results Simulation::finish() { return loop_->finish(); }
}  // namespace mubody
