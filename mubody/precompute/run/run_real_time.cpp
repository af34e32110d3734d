// Forward dynamics in the independent variables.
//
// The state of the integrator is y = (θ, θ̇, w, w_d), with w the work of forces that are not in the potential V, and w_d that
// of drivers.  Between steps the region, the number of laps and the counts of turns are fixed.
//                                                                              docs/theory/precompute.md
#include "mubody/precompute/run/run_real_time.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/precompute/plan/closure.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/recorder.h"
#include "mubody/simulation/verdict.h"
#include "mubody/watches/contacts.h"

namespace mubody {
namespace {
class Motion final : public Ode {
 public:
  Motion(RealTime& run, const RealTime::State& start) : run_(run), state_(start), n_(run.n()) {}

  int controlled() const { return 2 * n_; }
  VecX pack(const RealTime::State& s, double work, double driven) const {
    VecX y(2 * n_ + 2);
    for (int k = 0; k < n_; ++k) y[k] = s.theta[std::size_t(k)], y[n_ + k] = s.rate[std::size_t(k)];
    y[2 * n_] = work;
    y[2 * n_ + 1] = driven;
    return y;
  }
  const RealTime::State& at(double t, const In& y) {
    state_.t = t;
    for (int k = 0; k < n_; ++k) state_.theta[std::size_t(k)] = y[k], state_.rate[std::size_t(k)] = y[n_ + k];
    run_.prescribe(state_);
    return state_;
  }
  void rates(double t, const In& y, Out dy) override {
    at(t, y);
    run_.accelerations(state_, dy.data() + n_);
    for (int k = 0; k < n_; ++k) dy[k] = state_.rate[std::size_t(k)];
    dy[2 * n_] = run_.power(state_);
    dy[2 * n_ + 1] = run_.driver_power(state_);
  }
  bool after_step(double, Out) override { return false; }
  /// Into another region, if need be; true if it is one.  `inside` is false if there is none.
  bool change(double t, VecX& y, bool& inside) {
    at(t, y);
    const int region = state_.region;
    inside = run_.settle(state_);
    if (state_.region == region) return false;
    y = pack(state_, y[2 * n_], y[2 * n_ + 1]);
    return true;
  }
  /// A step has led past the region, and there is another one next to it.
  bool leapt(double t, const In& y) { return run_.leapt(at(t, y)); }

 private:
  RealTime& run_;
  RealTime::State state_;
  int n_;
};
}  // namespace

namespace {
/// The start in the variables of the tables, where design variables have changed it.
RealTimeModel started(RealTimeModel model, const Study& study, const Begun& b) {
  std::vector<Variable> variables;
  for (const VariableRange& v : model.regions[std::size_t(model.start_region)].variables)
    variables.push_back(find_variable(study.mechanism, v.name));
  Closure at(study.mechanism, variables, model.t, b.q);
  const VecX rates = at.rates(b.u);
  constexpr double turn = 2 * EIGEN_PI;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const double now = at.theta()[Eigen::Index(k)], before = model.start[k];
    model.start[k] = variables[k].turn ? now + turn * std::round((before - now) / turn) : now;
    model.start_rate[k] = rates[Eigen::Index(k)];
  }
  return model;
}
}  // namespace

Results run_real_time(const RealTimeModel& given, const Study& study, const Progress& progress) {
  Begun b = begin(study, "real-time");
  Results& r = b.results;
  System& s = *b.system;
  const AnalysisOptions& o = study.analysis;
  r.integrator = o.integrator;
  r.treatment = "tables";
  if (!r.outcome) {
    r.verdict = r.outcome.why;
    return std::move(b.results);
  }
  const bool changed = std::ranges::any_of(given.design, [](const auto& d) { return d.value != d.nominal; });
  const RealTimeModel other = changed ? started(given, study, b) : RealTimeModel{};
  const RealTimeModel& model = changed ? other : given;
  RealTime run(model, study.mechanism);
  Motion motion(run, run.start());
  Dynamics d(s, r.freedom.always_redundant());
  Recorder recorder(s, study.output, r, true);
  StepControl control = o.control;
  control.controlled = motion.controlled();
  if (!control.max_step) control.max_step = (o.end - o.start) / 200;
  const IntegratorEntry& kind = *find_integrator(o.integrator);
  // Variables may start next to zero, where nothing tells how large a step might be.
  if (kind.adaptive && !control.step) control.step = *control.max_step / 50;
  auto integrator = kind.make(control);

  VecX y = motion.pack(run.start(), 0, 0), row = y, q(s.nq), u(s.nu), a(s.nu), bodies(s.nq + s.nu);
  std::array<double, RealTime::most> acceleration{};
  std::vector<double> deflection(model.stiff.size(), 0);
  RealTime::SeriesError series;
  double stored = 0;  // in forces at run time, at the start [J]
  bool first = true;
  const std::vector<double> times = study.output.at(o);
  std::size_t next = 0;
  const auto place = [&](const RealTime::State& now) {
    run.positions(now, q);
    run.velocities(now, u);
  };
  // Turns are counted at states between which no body turns by much; in the plane, angles count by themselves.  None is
  // expected to go on as it did.
  const VecX still = VecX::Zero(s.nu);
  const bool counts = run.loads() || s.nq != s.nu;
  const RealTime::Vector turning = run.turning();
  RealTime::Vector counted = run.start().theta;
  const auto has_turned = [&](const RealTime::State& now) {
    constexpr double little = 0.02;  // rad
    double way = 0;
    for (std::size_t k = 0; k < std::size_t(run.n()); ++k)
      if (now.theta[k] != counted[k]) way += turning[k] * std::abs(now.theta[k] - counted[k]);
    return way > little;
  };
  const auto count_turns = [&](const RealTime::State& now) {
    place(now);
    s.remember(now.t, q, still);
    if (run.loads()) run.loads()->remember(now.t, q);
    counted = now.theta;
  };
  const auto record = [&](double t, const VecX& state) {
    const RealTime::State& now = motion.at(t, state);
    run.accelerations(now, acceleration.data());
    place(now);
    run.body_accelerations(now, acceleration.data(), a);
    const RealTime::SeriesError missing = run.series_error(now);
    series = {std::max(series.length, missing.length), std::max(series.angle, missing.angle)};
    for (std::size_t k = 0; k < deflection.size(); ++k)
      deflection[k] =
          std::max(deflection[k], std::abs(now.theta[std::size_t(run.n()) - deflection.size() + k]));
    s.remember(t, q, still);
    d.evaluate(t, q, u);
    VecX g = d.terms.Q;
    s.structure.multiply_mass(-1, d.terms.M.data(), a.data(), g.data());
    d.solve(g, VecX::Zero(s.m));  // D' lambda = Q - M a, which leaves nothing to accelerate
    d.a = a;
    const double elsewhere = s.energy(t, q, u).potential - run.potential(now);
    if (first) stored = elsewhere;
    first = false;
    Work work;
    work.supplied = state[2 * run.n()] + elsewhere - stored;
    work.drivers = state[2 * run.n() + 1];
    recorder.record(t, q, u, d, work);
    ++next;
  };

  // Contacts are watched in the model itself; those of the tables' forces follow.
  ContactWatch contacts(s, d);
  std::vector<ContactNow> seen;
  const auto follow_contacts = [&](double t) {
    if (!contacts.any()) return;
    s.look_at_contacts(t, q, u, seen);
    System& own = run.loads()->system();
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const auto at = std::ranges::find(own.contacts, s.contacts[k].name, &ContactSite::name);
      const int there = int(at - own.contacts.begin());
      if (own.is_touching(there) != s.is_touching(int(k)))
        own.set_contact(there, s.is_touching(int(k)), std::max(0.0, seen[k].approach));
    }
  };
  const ContactWatch::StateAt bodies_at = [&](double t) -> const VecX& {
    integrator->interpolate(motion, t, row);
    place(motion.at(t, row));
    bodies << q, u;
    return bodies;
  };

  StepStatistics all;
  double limit = std::numeric_limits<double>::infinity();  // of steps [s]
  const auto restart = [&](double t, const VecX& state) {
    all += integrator->statistics();
    StepControl c = control;
    c.max_step = std::min(*c.max_step, limit);
    if (c.step) c.step = std::min(*c.step, limit);
    integrator = kind.make(c);
    integrator->start(motion, t, state, o.end);
  };
  integrator->start(motion, o.start, y, o.end);
  place(motion.at(o.start, y));
  s.remember(o.start, q, still);
  bodies << q, u;
  contacts.start(o.start, bodies, r);
  follow_contacts(o.start);
  limit = contacts.longest_step(o.start, kind.adaptive, kind.adaptive);
  if (std::isfinite(limit)) restart(o.start, y);
  while (next < times.size() && times[next] <= o.start) record(times[next], y);
  while (integrator->t() < o.end) {
    if (progress && !progress((integrator->t() - o.start) / (o.end - o.start))) {
      r.outcome = {Outcome::interrupted, integrator->t(),
                   fmt::format("stopped by the user at t = {:.6g} s", integrator->t())};
      break;
    }
    const double before = integrator->t();
    y = integrator->y();
    if (!integrator->advance(motion)) {
      r.outcome = {Outcome::step_too_small, integrator->t(), integrator->why()};
      break;
    }
    if (motion.leapt(integrator->t(), integrator->y()) && kind.adaptive) {
      limit = 0.5 * (integrator->t() - before);
      restart(before, y);
      continue;
    }
    // What follows is for the step up to t: its end, or the instant at which a contact changes.
    const std::optional<double> touched =
        contacts.any() ? contacts.first_change(integrator->t(), bodies_at) : std::nullopt;
    const double t = touched.value_or(integrator->t());
    y = integrator->y();
    if (touched) integrator->interpolate(motion, t, y);
    while (next < times.size() && times[next] <= t) {
      integrator->interpolate(motion, times[next], row);
      record(times[next], times[next] < t ? row : y);
    }
    if (contacts.any()) {
      contacts.take(t, bodies_at, r);
      if (touched && !contacts.change(bodies_at(t), r)) break;
      follow_contacts(t);
    }
    if (counts && (contacts.any() || has_turned(motion.at(t, y)))) count_turns(motion.at(t, y));
    bool inside = true;
    const bool crossed = motion.change(t, y, inside);
    if (counts && crossed) count_turns(motion.at(t, y));
    if (!inside) {
      r.outcome = {
          Outcome::singular, t,
          fmt::format("{} at t = {:.6g} s; {}", run.out_of_range(motion.at(t, y)), t,
                      motion.leapt(t, y) ? "a step has led past the next region: choose a smaller one"
                                         : "precompute with a wider --range, or with other variables")};
      break;
    }
    const double wanted = contacts.longest_step(t, kind.adaptive, kind.adaptive);
    if ((touched || crossed || !(wanted == limit || (wanted > 0.5 * limit && wanted < 2 * limit))) &&
        t < o.end) {
      limit = wanted;
      restart(t, y);
    }
  }
  all += integrator->statistics();
  Statistics& out = r.statistics;
  out.steps = all.steps;
  out.rejected = all.rejected;
  out.evaluations = all.evaluations;
  out.smallest_step = all.smallest;
  out.largest_step = all.largest;
  contacts.finish(r);
  r.remarks.push_back(
      fmt::format("from tables with errors below {:.1e}, in SI units; what becomes of them in the motion, no "
                  "table tells.  Work of "
                  "dampers{} counts as applied",
                  model.bound, contacts.any() ? " and contacts" : ""));
  if (!model.stiff.empty()) {
    std::string most;
    for (std::size_t k = 0; k < deflection.size(); ++k)
      most += fmt::format("{}{} {:.2e} {}", k > 0 ? ", " : "", model.stiff[k].name, deflection[k],
                          model.stiff[k].unit);
    r.remarks.push_back(
        fmt::format("joints give way by at most {}; positions are right to first order in this, and what "
                    "that leaves out is about {:.2e} m and {:.2e} rad, by the terms of second order",
                    most, series.length, series.angle));
  }
  for (const DesignVariable& v : model.design)
    if (v.value != v.nominal)
      r.remarks.push_back(fmt::format("{} = {:.6g} instead of {:.6g}, to first order in the change", v.name,
                                      v.value, v.nominal));
  // What positions to first order leave open is told, and no reason for distrust as long as it is small.
  constexpr double small = 1e-4;  // [m, rad]
  const double open = std::max(series.length, series.angle);
  judge(o, r, open < small ? 4 * open : 0);
  return std::move(b.results);
}
}  // namespace mubody
