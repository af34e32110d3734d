#include "fmu/instance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "mubody/text/checksum.h"
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
    : say_(std::move(say)), stepping_(stepping) {
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
  if (phase_ < Phase::going)
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
    // An integrator outside is ahead of the last completed step, from which values are continued.
    const Jet now = f.jet();
    const double ahead = exchange_ ? t_ - moved().time() : 0;
    moved().set(handles_[k], {now.x - ahead * (now.v - 0.5 * ahead * now.a), now.v - ahead * now.a, now.a});
  }
  stale_ = false;
}

void Instance::expect(Phase phase, const char* what) const {
  constexpr const char* words[] = {"has only been made", "is being initialized", "has been initialized",
                                   "has been terminated"};
  if (phase_ != phase)
    throw ModelError(fmt::format("{} was called out of order: the instance {}", what, words[int(phase_)]));
}

void Instance::setup(std::optional<double> tolerance, double start) {
  expect(Phase::made, "the set-up of the experiment");
  if (!std::isfinite(start)) throw ModelError(fmt::format("a motion cannot start at t = {} s", start));
  if (tolerance && *tolerance > 0) options_.rtol = tolerance;
  options_.start = start;
  forget();
}
void Instance::enter_initialization() {
  expect(Phase::made, "the beginning of the initialization");
  phase_ = Phase::initializing;
}
void Instance::initialize() {
  expect(Phase::initializing, "the end of the initialization");
  simulation();
  phase_ = Phase::going;
}
void Instance::terminate() {
  expect(Phase::going, "the end of the motion");
  phase_ = Phase::ended;
}

void Instance::reset() {
  forget();
  parameters_.clear();
  fed_.assign(inputs_.size(), {});
  options_ = {};
  phase_ = Phase::made;
  failed_ = stale_ = false;
}

double Instance::value(unsigned reference) {
  if (reference == 0) return time();
  if (reference > places_.size() && stepping_ == StepsBy::others) return exchanged(reference);
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
      if (!observed_) exchange_->outputs(t_, x_, values_);
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
  if (phase_ < Phase::going) forget();  // the mechanism is assembled with it
}

void Instance::set_derivative(unsigned reference, int order, double value) {
  const Place& p = place(reference);
  if (p.kind != io::FmuVariable::input || order < 1 || order > 2 || !std::isfinite(value))
    throw ModelError("first and second derivatives of inputs can be set, others cannot");
  Fed& f = fed_[std::size_t(p.index)];
  if (!f.set) f.by_variables.x = this->value(reference);
  (order == 1 ? f.rate : f.acceleration) = value;
  f.set = f.fresh = stale_ = true;
  if (phase_ < Phase::going) forget();
}

double Instance::time() {
  if (exchange_) return t_;
  return simulation_ ? simulation_->time() : options_.start.value_or(0);
}

Instance::Step Instance::step(double now, double dt, bool early) {
  expect(Phase::going, "a step");
  Simulation& s = simulation();
  const double slack = 1e-9 * std::max({std::abs(dt), std::abs(now), 1e-9});
  if (!(dt >= 0 && std::isfinite(dt))) throw ModelError(fmt::format("a step of {} s cannot be made", dt));
  if (!(std::abs(now - s.time()) <= slack))
    throw ModelError(
        fmt::format("a step from t = {} s was asked for, but the motion is at t = {} s", now, s.time()));
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

Exchange& Instance::exchange() {
  if (stepping_ != StepsBy::others)
    throw ModelError("this instance is for co-simulation, which makes its own steps");
  simulation();
  return *exchange_;
}
void Instance::expect_states(std::size_t n, std::size_t size) const {
  if (n != size) throw ModelError(fmt::format("{} numbers were given, and there are {}", n, size));
}
void Instance::set_time(double t) {
  exchange();
  t_ = t, observed_ = false;
}
void Instance::set_states(const double* x, std::size_t n) {
  expect_states(n, states());
  exchange();
  x_ = Eigen::Map<const VecX>(x, Eigen::Index(n)), observed_ = false;
}
void Instance::get_states(double* x, std::size_t n) {
  expect_states(n, states());
  exchange();
  Eigen::Map<VecX>(x, Eigen::Index(n)) = x_;
}
void Instance::get_rates(double* dx, std::size_t n) {
  expect_states(n, states());
  exchange().rates(t_, x_, Eigen::Map<VecX>(dx, Eigen::Index(n)));
}
void Instance::get_indicators(double* z, std::size_t n) {
  expect_states(n, indicators());
  exchange().indicators(t_, x_, Eigen::Map<VecX>(z, Eigen::Index(n)));
}
// States, their derivatives and event indicators as variables.
double Instance::exchanged(unsigned reference) {
  exchange();
  const std::size_t k = reference - places_.size() - 1, n = states();
  if (k < n) return x_[Eigen::Index(k)];
  std::vector<double> all(k < 2 * n ? n : indicators());
  const std::size_t at = k < 2 * n ? k - n : k - 2 * n;
  if (at >= all.size()) throw ModelError(fmt::format("there is no variable with the reference {}", reference));
  if (k < 2 * n)
    get_rates(all.data(), n);
  else
    get_indicators(all.data(), all.size());
  return all[at];
}

bool Instance::complete() {
  expect(Phase::going, "the end of a step");
  Exchange& e = exchange();
  const Exchange::Completed c = e.complete(t_, x_);
  for (const Event& happened : e.simulation().events())
    say(Severity::event, fmt::format("t = {:.9g} s: {}: {}", happened.t, happened.word(), happened.what));
  if (!c.outcome) {
    failed_ = true;
    throw ModelError(fmt::format("t = {:.9g} s: {}: {}", c.outcome.at, c.outcome.word(), c.outcome.why));
  }
  last_time_ = t_;
  return jumped_ = jumped_ || c.jumped;
}
bool Instance::new_states() {
  Exchange& e = exchange();
  if (t_ > e.simulation().time()) complete();  // an event in the midst of a step
  if (!jumped_) return false;
  jumped_ = observed_ = false;
  x_ = e.state();
  return true;
}
std::optional<double> Instance::next_instant() { return exchange().next_instant(t_); }

std::unique_ptr<SavedState> Instance::save() {
  auto s = std::make_unique<SavedState>(SavedState{phase_, parameters_, fed_, options_, {}, t_, x_});
  if (has_begun()) s->snapshot = begun().save();
  return s;
}

void Instance::restore(const SavedState& s) {
  if (has_begun() && (s.parameters != parameters_ || s.options.rtol != options_.rtol)) forget();
  parameters_ = s.parameters;
  options_ = s.options;
  phase_ = s.phase;
  fed_ = s.inputs;
  failed_ = false;
  if (!s.snapshot) return;
  begun();
  moved().restore(*s.snapshot);  // with what its inputs were
  fed_ = s.inputs;
  stale_ = std::ranges::any_of(fed_, &Fed::fresh);
  last_time_ = moved().time();
  t_ = s.t, x_ = s.x;
  observed_ = jumped_ = false;
}

namespace {
void put(std::string& out, const void* from, std::size_t size) {
  out.append(static_cast<const char*>(from), size);
}
void put(std::string& out, double x) { put(out, &x, sizeof(x)); }
constexpr const char* not_whole = "these bytes are no whole state of an FMU";
double get(std::string_view& in) {
  double x = 0;
  if (in.size() < sizeof(x)) throw ModelError(not_whole);
  std::memcpy(&x, in.data(), sizeof(x));
  in.remove_prefix(sizeof(x));
  return x;
}
constexpr double no_number = std::numeric_limits<double>::infinity();
}  // namespace

// A checksum of the rest, then numbers of eight bytes, then the snapshot of the simulation.
std::string Instance::bytes_of(const SavedState& s) const {
  std::string out;
  put(out, double(s.phase));
  for (const auto& [name, start] : at_start_) {
    const auto changed = s.parameters.find(name);
    put(out, changed == s.parameters.end() ? no_number : changed->second);
  }
  put(out, s.options.rtol.value_or(no_number));
  put(out, s.options.start.value_or(no_number));
  for (const Fed& f : s.inputs)
    for (const double x : {f.by_variables.x, f.by_variables.v, f.by_variables.a, f.rate, f.acceleration,
                           double(f.set), double(f.fresh)})
      put(out, x);
  put(out, s.t);
  for (int k = 0; k < list_.states; ++k) put(out, s.x.size() > 0 ? s.x[k] : 0);
  if (s.snapshot) out += s.snapshot->bytes();
  const std::uint64_t sum = io::checksum(out);
  std::string head = list_.token;
  put(head, &sum, sizeof(sum));
  return head + out;
}

std::unique_ptr<SavedState> Instance::from_bytes(std::string_view in) {
  if (!in.starts_with(list_.token)) throw ModelError("these bytes are not a state of this FMU");
  in.remove_prefix(list_.token.size());
  const auto sum = std::bit_cast<std::uint64_t>(get(in));
  if (sum != io::checksum(in)) throw ModelError(not_whole);
  auto s = std::make_unique<SavedState>();
  const double phase = get(in);
  if (!(phase >= 0 && phase <= double(Phase::ended))) throw ModelError(not_whole);
  s->phase = Phase(int(phase));
  for (const auto& [name, start] : at_start_)
    if (const double x = get(in); x != no_number) s->parameters[name] = x;
  if (const double x = get(in); x != no_number) s->options.rtol = x;
  if (const double x = get(in); x != no_number) s->options.start = x;
  s->inputs.resize(inputs_.size());
  for (Fed& f : s->inputs) {
    for (double* x : {&f.by_variables.x, &f.by_variables.v, &f.by_variables.a, &f.rate, &f.acceleration})
      *x = get(in);
    f.set = get(in) != 0;
    f.fresh = get(in) != 0;
  }
  s->t = get(in);
  s->x = VecX::Zero(list_.states);
  for (double& x : s->x) x = get(in);
  if (in.empty()) return s;
  // What a snapshot belongs to is a simulation with the same parameters.
  const Study study = model_->study(s->parameters);
  if (stepping_ == StepsBy::itself)
    s->snapshot = model_->simulate(study, s->options).snapshot(in);
  else
    s->snapshot = Exchange(study, s->options).simulation().snapshot(in);
  return s;
}
}  // namespace mubody::fmu
