#include "mubody/precompute/run/table_engine.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/mechanism/compliance.h"
#include "mubody/precompute/run/table_start.h"
#include "mubody/simulation/verdict.h"

namespace mubody {
namespace {
/// The start in the variables of the tables, and the springs of joints that give way, where design variables have changed
/// them.
std::shared_ptr<const RealTimeModel> started(std::shared_ptr<const RealTimeModel> given, const Begun& b) {
  if (std::ranges::none_of(given->design, [](const DesignVariable& d) { return d.value != d.nominal; }))
    return given;
  auto model = std::make_shared<RealTimeModel>(*given);
  const StiffMatrices springs = stiff_matrices(b.mechanism);
  model->stiffness.assign(springs.K.data(), springs.K.data() + springs.K.size());
  model->damping.assign(springs.C.data(), springs.C.data() + springs.C.size());
  TableStart start = table_start(*model, b);
  model->start = std::move(start.theta), model->start_rate = std::move(start.rate);
  return model;
}

// Contacts are never in the tables: all those of the mechanism are among the loads.
std::vector<int> matched(System& whole, const Loads* loads) {
  std::vector<int> at;
  if (!loads) return at;
  int last = -1, place = 0;  // the places of one force follow each other
  for (const ContactSite& site : whole.contacts().sites) {
    place = site.force == last ? place + 1 : 0;
    last = site.force;
    const int first = loads->contact_of(site.force);
    at.push_back(first + place);
    if (first < 0)
      throw ModelError("the precomputed model leaves out a contact: make it again with 'mubody precompute'");
  }
  return at;
}
constexpr int works = 6;  // numbers of the state beside variables and rates
}  // namespace

TableEngine::TableEngine(std::shared_ptr<const RealTimeModel> given, const Study& study, Begun& b)
    : model_(started(std::move(given), b)), mechanism_(study.mechanism), run_(*model_, study.mechanism),
      s_(*b.system), d_(s_, b.results.freedom.always_redundant()), n_(run_.n()), state_(run_.start()),
      start_(VecX::Zero(2 * n_ + works)), q_(VecX::Zero(s_.nq)), u_(VecX::Zero(s_.nu)), a_(u_), still_(u_),
      seen_(VecX::Zero(s_.nq + s_.nu)), force_(u_), zero_(VecX::Zero(s_.m)), no_states_(VecX::Zero(s_.nz)),
      turning_(run_.turning()), counted_(state_.theta), own_contact_(matched(s_, run_.loads())),
      counts_(run_.loads() || !s_.angular.empty()), deflection_(model_->stiff.size(), 0) {
  sizes_.size.setOnes(start_.size());
  sizes_.most.setConstant(start_.size(), std::numeric_limits<double>::infinity());
  take_sizes();
  pack(state_, start_);
  b.results.treatment = "tables";
}

// Variables are relative to other bodies, so that their rates count as they are; the works are not controlled.
void TableEngine::take_sizes() {
  const Region& region = model_->regions[std::size_t(state_.region)];
  const std::size_t free = region.variables.size();
  for (int k = 0; k < n_; ++k) {
    const auto at = std::size_t(k);
    const bool turn = at < free ? region.variables[at].turn : model_->stiff[at - free].turn;
    sizes_.size[k] = sizes_.most[k] = turn ? 1 : s_.scales.length;
    sizes_.size[n_ + k] = sizes_.size[k] / s_.scales.time;
  }
}

// Forces in the tables are what they were when these were made.
std::string TableEngine::refuses_input(const std::string& element) const {
  for (std::size_t k = 0; k < mechanism_.forces.size(); ++k)
    if (mechanism_.forces[k].name == element &&
        std::ranges::find(model_->run_time, int(k)) == model_->run_time.end())
      return "force '" + element +
             "' is part of the tables and cannot be set: precompute it as a function of time";
  return {};
}

// Variables may start next to zero, where nothing says how large a step might be.
StepControl TableEngine::control(const StepControl& asked, bool adaptive) const {
  StepControl c = asked;
  c.controlled = controlled();
  if (adaptive && !c.step && c.max_step) c.step = *c.max_step / 50;
  return c;
}

void TableEngine::pack(const RealTime::State& s, VecX& y) const {
  for (int k = 0; k < n_; ++k) y[k] = s.theta[std::size_t(k)], y[n_ + k] = s.rate[std::size_t(k)];
}

const RealTime::State& TableEngine::at(double t, const In& y) {
  state_.t = t;
  for (int k = 0; k < n_; ++k) state_.theta[std::size_t(k)] = y[k], state_.rate[std::size_t(k)] = y[n_ + k];
  run_.prescribe(state_);
  return state_;
}

void TableEngine::rates(double t, const In& y, Out dy) {
  at(t, y);
  run_.accelerations(state_, dy.data() + n_);
  for (int k = 0; k < n_; ++k) dy[k] = state_.rate[std::size_t(k)];
  dy[2 * n_] = run_.power(state_);
  dy[2 * n_ + 1] = run_.driver_power(state_);
  const Energy lost = run_.losses(state_);
  dy.segment<4>(2 * n_ + 2) << lost.dissipated, lost.contact, lost.friction, lost.film;
}

void TableEngine::place(const RealTime::State& now) {
  run_.positions(now, q_);
  run_.velocities(now, u_);
}

const VecX& TableEngine::seen(double t, const VecX& y) {
  place(at(t, y));
  seen_ << q_, u_;
  return seen_;
}

void TableEngine::begin(double t, const VecX& y) {
  place(at(t, y));
  follow_contacts(t);
}

// Turns are counted at states between which no body turns by much; in the plane, angles count by themselves.  None is
// expected to go on as it did.
bool TableEngine::has_turned(const RealTime::State& now) const {
  constexpr double little = 0.02;  // rad
  double way = 0;
  for (std::size_t k = 0; k < std::size_t(n_); ++k)
    if (now.theta[k] != counted_[k]) way += turning_[k] * std::abs(now.theta[k] - counted_[k]);
  return way > little;
}

void TableEngine::count_turns(const RealTime::State& now) {
  place(now);
  s_.remember(now.t, q_, still_);
  if (run_.loads()) run_.loads()->remember(now.t, q_);
  counted_ = now.theta;
}

void TableEngine::remember(double t, const VecX& y) {
  if (first_) {
    place(at(t, y));
    s_.remember(t, q_, still_);
  }
}

// Contacts are watched in the mechanism itself; those of the tables' forces follow.
void TableEngine::follow_contacts(double t) {
  if (own_contact_.empty()) return;
  Contacts &watched = s_.contacts(), &own = run_.loads()->system().contacts();
  watched.measure_contacts(t, q_, u_, contacts_);
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    if (own.touching(own_contact_[k]) != watched.touching(int(k)))
      own.set(own_contact_[k], watched.touching(int(k)), std::max(0.0, contacts_[k].approach));
}

// A state out of range ends the run before anything of it is recorded.
Outcome TableEngine::accept(double t, const VecX& y, Recorder&, Results&) {
  const std::string left = run_.out_of_range(at(t, y));
  if (left.empty()) return {};
  return {Outcome::singular, t,
          fmt::format("{} at t = {:.6g} s; {}", left, t,
                      run_.leapt(state_) ? "a step has led past the next region: choose a smaller one"
                                         : "precompute with a wider --range, or with other variables")};
}

Engine::Completed TableEngine::complete_step(double t, VecX& y) {
  const bool touches = s_.contacts().any();
  at(t, y);
  if (touches) {
    place(state_);
    follow_contacts(t);
  }
  if (counts_ && (touches || has_turned(state_))) count_turns(state_);
  const int region = state_.region;
  run_.change_region(state_);
  const bool crossed = state_.region != region;
  if (crossed) {
    pack(state_, y);
    take_sizes();
    if (counts_) count_turns(state_);
  }
  return {{}, crossed};
}

// Accelerations by the tables, and the multipliers that go with them: Dᵀ λ = Q − M u̇.
void TableEngine::solve(double t, const RealTime::State& now) {
  run_.accelerations(now, acceleration_.data());
  place(now);
  run_.body_accelerations(now, acceleration_.data(), a_);
  s_.remember(t, q_, still_);
  d_.evaluate(t, q_, u_);
  force_ = d_.terms.Q;
  s_.structure.multiply_mass(-1, d_.terms.M.data(), a_.data(), force_.data());
  d_.solve(force_, zero_);  // which leaves nothing to accelerate
  d_.a = a_;
}

// What forces at run time store is work of the tables.
Work TableEngine::work(const VecX& y, double potential, const RealTime::State& now) {
  const double elsewhere = potential - run_.potential(now);
  if (first_) stored_ = elsewhere;
  first_ = false;
  Work work;
  work.drivers = y[2 * n_ + 1];
  work.dampers = y[2 * n_ + 2], work.contact = y[2 * n_ + 3];
  work.friction = y[2 * n_ + 4], work.film = y[2 * n_ + 5];
  work.supplied = y[2 * n_] + work.lost() + elsewhere - stored_;
  return work;
}

void TableEngine::balance(double t, const VecX& y, Recorder& recorder) {
  const RealTime::State& now = at(t, y);
  place(now);
  const Work done = work(y, s_.energy(t, q_, u_).potential, now);
  recorder.balance(t, q_, u_, no_states_, {&done, 1});
}

Outcome TableEngine::record(double t, const VecX& y, Recorder& recorder) {
  const RealTime::State& now = at(t, y);
  solve(t, now);
  const RealTime::SeriesError missing = run_.series_error(now);
  series_ = {std::max(series_.length, missing.length), std::max(series_.angle, missing.angle)};
  for (std::size_t k = 0; k < deflection_.size(); ++k)
    deflection_[k] = std::max(deflection_[k], std::abs(now.theta[std::size_t(n_) - deflection_.size() + k]));
  recorder.record(t, q_, u_, d_, work(y, s_.energy(t, q_, u_).potential, now));
  return {};
}

Outcome TableEngine::observe(double t, const VecX& y, Out values) {
  solve(t, at(t, y));
  s_.observe(t, q_, u_, d_.a, d_.lambda, values);
  return {};
}

void TableEngine::finish(const AnalysisOptions& o, Results& r) {
  r.remarks.push_back(fmt::format(
      "from tables with errors below {:.1e} {}; tables do not say what becomes of them in the motion",
      model_->bound, model_->bound_unit()));
  if (!model_->stiff.empty()) {
    std::string most;
    for (std::size_t k = 0; k < deflection_.size(); ++k)
      most += fmt::format("{}{} {:.2e} {}", k > 0 ? ", " : "", model_->stiff[k].name, deflection_[k],
                          model_->stiff[k].unit);
    r.remarks.push_back(
        fmt::format("joints give way by at most {}; positions are right to first order in this, and what "
                    "that leaves out is about {:.2e} m and {:.2e} rad, by the terms of second order",
                    most, series_.length, series_.angle));
  }
  for (const DesignVariable& v : model_->design)
    if (v.value != v.nominal)
      r.remarks.push_back(fmt::format("{} = {:.6g} instead of {:.6g}, to first order in the change", v.name,
                                      v.value, v.nominal));
  // What positions to first order leave open is reported, and no reason for distrust as long as it is small.
  constexpr double small = 1e-4;  // of the characteristic length, or rad
  const double open = std::max(series_.length / s_.scales.length, series_.angle);
  if (open < small) r.statistics.expected_violation = 4 * open;
  judge(o, r);
}

void TableEngine::memory(Memory& m) {
  m(state_.region, state_.laps, counted_, deflection_, series_.length, series_.angle, stored_, first_);
  take_sizes();
  d_.memory(m);
  s_.memory(m);
  if (run_.loads()) run_.loads()->system().memory(m);
}
}  // namespace mubody
