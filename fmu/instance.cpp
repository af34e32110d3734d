#include "fmu/instance.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/text/text_file.h"

namespace mubody::fmu {
namespace {
constexpr io::FileKind list_kind{"the list of variables", 64};

int number_in(std::vector<std::string>& names, const std::string& name) {
  const std::ptrdiff_t at = std::ranges::find(names, name) - names.begin();
  if (at == std::ssize(names)) names.push_back(name);
  return int(at);
}
}  // namespace

Instance::Instance(const std::filesystem::path& resources, const std::string& token, StepsBy stepping, Say say)
    : say_(std::move(say)), stepping_(stepping), uses_events_(stepping == StepsBy::others) {
  try {
    list_ = io::read_fmu_list(io::read_file(resources / io::fmu_list_name, list_kind));
  } catch (const io::FileError& e) {
    throw ModelError(fmt::format("{}: {}", (resources / io::fmu_list_name).string(), e.what()));
  }
  if (list_.token != token)
    throw ModelError(fmt::format("the token {} is not that of this FMU, {}", token, list_.token));
  if (!(stepping == StepsBy::itself ? list_.cosimulation : list_.exchange))
    throw ModelError(
        fmt::format("this FMU is for {} only", list_.exchange ? "model exchange" : "co-simulation"));
  model_ = std::make_unique<io::FmuModel>(resources / list_.model, io::Settings(list_.settings));
  for (const io::FmuModel::Parameter& p : model_->parameters()) at_start_[p.name] = p.value;
  std::vector<std::string> parameters;
  for (const io::FmuVariable& v : list_.variables) {
    if (v.kind == io::FmuVariable::parameter && !at_start_.contains(v.of))
      throw ModelError(fmt::format("the model has no parameter '{}'", v.of));
    std::vector<std::string>& names = v.kind == io::FmuVariable::parameter ? parameters
                                      : v.kind == io::FmuVariable::output  ? channels_
                                                                           : inputs_;
    places_.push_back({v.kind, number_in(names, v.of)});
  }
  fed_.resize(inputs_.size());
}

const Instance::Place& Instance::place(unsigned reference) const {
  if (reference == 0 || reference > places_.size())
    throw ModelError(fmt::format("there is no variable with the reference {}", reference));
  return places_[reference - 1];
}

void Instance::begin() {
  const Study study = model_->study(parameters_);
  SimulationOptions options = options_;
  if (phase_ <= Phase::initializing)
    for (std::size_t k = 0; k < fed_.size(); ++k)
      if (fed_[k].set) options.inputs[inputs_[k]] = fed_[k].jet();
  if (stepping_ == StepsBy::itself)
    simulation_ = std::make_unique<Simulation>(model_->simulate(study, options));
  else
    exchange_ = std::make_unique<Exchange>(study, options);
  Simulation& sim = moved();
  handles_.clear();
  outputs_.clear();
  for (const std::string& name : inputs_) handles_.push_back(sim.input(name));
  for (const std::string& name : channels_) outputs_.push_back(sim.output(name));
  for (Fed& f : fed_) f.fresh = f.set;
  stale_ = true;
  t_ = last_time_ = sim.time();
  if (!exchange_) return;
  x_ = exchange_->state();
  values_ = VecX::Zero(Eigen::Index(sim.outputs().size()));
  observed_ = false;
}

Simulation& Instance::simulation() {
  if (phase_ == Phase::made) throw ModelError("the motion has not been initialized yet");
  return begun();
}
Simulation& Instance::begun() {
  if (!has_begun()) begin();
  if (stale_) feed();
  return moved();
}

// Values are handed over together, since a driver needs its rate with its value.
void Instance::feed() {
  for (std::size_t k = 0; k < fed_.size(); ++k) {
    Fed& f = fed_[k];
    if (!f.fresh) continue;
    f.fresh = false;
    unsettled_ = true;
    // An integrator outside is ahead of the last completed step, from which values are continued.
    const Jet now = f.jet();
    const double ahead = exchange_ ? t_ - moved().time() : 0;
    moved().set(handles_[k], {now.x - ahead * (now.v - 0.5 * ahead * now.a), now.v - ahead * now.a, now.a});
  }
  stale_ = false;
}

namespace {
[[noreturn]] void fail_order(const char* what, Phase now) {
  constexpr const char* words[] = {"has only been made", "is being initialized", "is at an event",
                                   "is between events", "has been terminated"};
  throw ModelError(fmt::format("{} was called out of order: the instance {}", what, words[int(now)]));
}
}  // namespace

void Instance::expect(Phase phase, const char* what) const {
  if (phase_ != phase) fail_order(what, phase_);
}
void Instance::expect_motion(const char* what) const {
  if (phase_ != Phase::event && phase_ != Phase::stepping) fail_order(what, phase_);
}
void Instance::expect_event(const char* what) const {
  if (!(uses_events_ && phase_ == Phase::event)) fail_order(what, phase_);
}
void Instance::expect_before_stop(double t) const {
  if (stop_ && t > *stop_ + 1e-9 * std::max({std::abs(t), std::abs(*stop_), 1e-9}))
    throw ModelError(fmt::format("the motion was to stop at t = {} s, and t = {} s was asked for", *stop_, t));
}

void Instance::setup(std::optional<double> tolerance, double start, std::optional<double> stop) {
  expect(Phase::made, "the set-up of the experiment");
  if (!std::isfinite(start)) throw ModelError(fmt::format("a motion cannot start at t = {} s", start));
  if (stop && !(std::isfinite(*stop) && *stop >= start))
    throw ModelError(fmt::format("a motion that starts at t = {} s cannot stop at {} s", start, *stop));
  if (tolerance && !(std::isfinite(*tolerance) && *tolerance >= 0))
    throw ModelError(fmt::format("a tolerance of {} cannot be kept", *tolerance));
  if (tolerance && *tolerance > 0) options_.rtol = tolerance;
  options_.start = start;
  stop_ = stop;
  forget();
}
void Instance::enter_initialization() {
  expect(Phase::made, "the beginning of the initialization");
  phase_ = Phase::initializing;
}
void Instance::initialize() {
  expect(Phase::initializing, "the end of the initialization");
  simulation();
  phase_ = uses_events_ ? Phase::event : Phase::stepping;
}
void Instance::enter_event() {
  expect_motion("the event mode");
  if (!uses_events_) throw ModelError("this instance uses no event mode");
  phase_ = Phase::event;
  // What has been reached is completed with the inputs that led there.
  if (exchange_ && t_ > exchange_->simulation().time()) settle();
}
void Instance::leave_event() {
  expect_motion("the end of the event mode");
  if (!uses_events_) throw ModelError("this instance uses no event mode");
  phase_ = Phase::stepping;
}
void Instance::terminate() {
  expect_motion("the end of the motion");
  phase_ = Phase::ended;
}

void Instance::reset() {
  forget();
  parameters_.clear();
  fed_.assign(inputs_.size(), {});
  options_ = {};
  stop_.reset();
  phase_ = Phase::made;
  failed_ = stale_ = jumped_ = unsettled_ = false;
}

double Instance::value(unsigned reference) {
  if (reference == 0) return time();
  if (reference > places_.size()) return exchanged(reference);
  const Place& p = place(reference);
  const auto k = std::size_t(p.index);
  switch (p.kind) {
    case io::FmuVariable::parameter: {
      const std::string& name = list_.variables[reference - 1].of;
      const auto changed = parameters_.find(name);
      return changed != parameters_.end() ? changed->second : at_start_.at(name);
    }
    case io::FmuVariable::output: {
      Simulation& sim = simulation();
      if (!exchange_) return sim.value(outputs_[k]);
      if (!observed_) exchange_->outputs(seen_at(), x_, values_);
      observed_ = true;
      return values_[outputs_[k].index()];
    }
    case io::FmuVariable::rate: return fed_[k].by_variables.v;
    case io::FmuVariable::acceleration: return fed_[k].by_variables.a;
    case io::FmuVariable::input: break;
  }
  if (fed_[k].set) return fed_[k].by_variables.x;
  const double x = begun().value(handles_[k]);
  if (phase_ == Phase::made) forget();  // a value of the model was asked for before there is a motion
  return x;
}

void Instance::set(unsigned reference, double value) {
  const Place& p = place(reference);
  const std::string& name = list_.variables[reference - 1].of;
  if (!std::isfinite(value)) throw ModelError(fmt::format("'{}' must be finite, got {}", name, value));
  if (p.kind == io::FmuVariable::output)
    throw ModelError(fmt::format("'{}' is an output, which nobody can set", name));
  if (p.kind == io::FmuVariable::parameter) {
    if (phase_ > Phase::initializing)
      throw ModelError(fmt::format("the parameter '{}' is fixed once the motion has been initialized", name));
    model_->check(name, value);
    parameters_[name] = value;
    forget();
    return;
  }
  Fed& f = fed_[std::size_t(p.index)];
  if (!f.set && p.kind != io::FmuVariable::input) {
    // The value itself stays as the model has it.
    unsigned own = 1;
    while (!(places_[own - 1].kind == io::FmuVariable::input && places_[own - 1].index == p.index)) ++own;
    f.by_variables.x = this->value(own);
  }
  if (p.kind == io::FmuVariable::input) f.by_variables.x = value, f.rate = f.acceleration = 0;
  if (p.kind == io::FmuVariable::rate) f.by_variables.v = value;
  if (p.kind == io::FmuVariable::acceleration) f.by_variables.a = value;
  f.set = f.fresh = stale_ = true;
  observed_ = false;
  if (phase_ <= Phase::initializing) forget();  // the mechanism is assembled with it
}

void Instance::set_derivative(unsigned reference, int order, double value) {
  const Place& p = place(reference);
  if (p.kind != io::FmuVariable::input || order < 1 || order > 2 || !std::isfinite(value))
    throw ModelError("first and second derivatives of inputs can be set, others cannot");
  Fed& f = fed_[std::size_t(p.index)];
  if (!f.set) f.by_variables.x = this->value(reference);
  (order == 1 ? f.rate : f.acceleration) = value;
  f.set = f.fresh = stale_ = true;
  observed_ = false;
  if (phase_ <= Phase::initializing) forget();
}

double Instance::time() {
  if (exchange_) return t_;
  return simulation_ ? simulation_->time() : options_.start.value_or(0);
}

Instance::Step Instance::step(double now, double dt, bool early) {
  if (stepping_ != StepsBy::itself)
    throw ModelError("this instance is for model exchange, where somebody else makes the steps");
  expect(Phase::stepping, "a step");
  Simulation& s = simulation();
  const double slack = 1e-9 * std::max({std::abs(dt), std::abs(now), 1e-9});
  if (!(dt >= 0 && std::isfinite(dt))) throw ModelError(fmt::format("a step of {} s cannot be made", dt));
  if (!(std::abs(now - s.time()) <= slack))
    throw ModelError(
        fmt::format("a step from t = {} s was asked for, but the motion is at t = {} s", now, s.time()));
  expect_before_stop(now + dt);
  Outcome outcome;
  bool happened = false;
  const auto report = [&] {
    for (const Event& e : s.events())
      say(Severity::event, fmt::format("t = {:.9g} s: {}: {}", e.t, e.word(), e.what));
    happened = happened || !s.events().empty();
  };
  if (!early) {
    outcome = s.advance_to(now + dt);
    report();
  } else {
    do {
      bool once = true;
      outcome = s.advance_to(now + dt, [&once](double) { return std::exchange(once, false); });
      report();
    } while (outcome.kind == Outcome::interrupted && !happened);
  }
  last_time_ = s.time();
  if (outcome) return happened && early && s.time() < now + dt ? Step::early : Step::done;
  if (outcome.kind == Outcome::interrupted) return Step::early;
  failed_ = true;
  last_time_ = outcome.at;
  say(Severity::discard, fmt::format("t = {:.9g} s: {}: {}", outcome.at, outcome.word(), outcome.why));
  return Step::failed;
}
}  // namespace mubody::fmu
