// Forward dynamics: from forces to motion.
//
//   Flores & Lankarani (2012), sec. 6, eqs. 141-144, direct integration         docs/theory/forward.md
//
// The state of the integrator is y = (q, u, z, w): positions, velocities, states of elements, and the work of drivers
// and applied forces and of all that takes energy away, so that the energy balance is as accurate as the motion.
#include <algorithm>

#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/recorder.h"
#include "mubody/simulation/verdict.h"
#include "mubody/solvers/freedom.h"
#include "mubody/watches/branch.h"
#include "mubody/watches/contacts.h"
#include "mubody/watches/loops.h"
#include "mubody/watches/redundancy.h"

namespace mubody {
namespace {
class Motion final : public Ode {
 public:
  Motion(Dynamics& d, Treatment& treatment)
      : d_(d), treatment_(treatment), settles_(treatment.corrects_stages()), nu_(VecX::Zero(d.system.m)) {}

  int size() const { return controlled() + works; }
  /// Numbers whose error counts.
  int controlled() const { return d_.system.nq + d_.system.nu + int(d_.system.inner.size()); }
  auto q(const In& y) const { return y.head(d_.system.nq); }
  auto u(const In& y) const { return y.segment(d_.system.nq, d_.system.nu); }
  auto inner(const In& y) const { return y.segment(d_.system.nq + d_.system.nu, d_.system.inner.size()); }

  void rates(double t, const In& state, Out dy) override {
    const System& s = d_.system;
    const In y = settled(t, state);
    solve(t, y);
    s.rates(q(y), u(y), dy.head(s.nq));
    dy.segment(s.nq, s.nu) = d_.a;
    dy.segment(s.nq + s.nu, s.inner_rate.size()) = s.inner_rate;
    closest_ = std::min(closest_, d_.independence());
    if (s.has_power)
      power(t, y, dy);
    else
      dy.tail<works>().setZero();
  }
  bool after_step(double t, Out y) override {
    const System& s = d_.system;
    closest_ = 1;
    s.tidy(y.head(s.nq));
    return corrects_ = treatment_.after_step(d_, t, y.head(s.nq), y.segment(s.nq, s.nu));
  }
  void accepted(double t, const In& y) { treatment_.accepted(d_, t, q(y), u(y)); }
  bool corrects() const { return corrects_; }
  bool rough() const override { return closest_ < singular; }
  /// Accelerations and multipliers at a state, in the dynamics.
  void solve(double t, const In& y) {
    if (d_.system.inner.size() > 0) d_.system.inner = inner(y);
    d_.evaluate(t, q(y), u(y));
    treatment_.accelerations(d_);
  }
  Work work(const In& y) const {
    const auto w = y.tail<works>();
    return {w[0], w[1], w[2], w[3], w[4], w[5]};
  }

 private:
  // The state itself, or a copy of it on the constraints.
  In settled(double t, const In& y) {
    if (!settles_) return y;
    const System& s = d_.system;
    on_ = y;
    treatment_.before_rates(d_, t, on_.head(s.nq), on_.segment(s.nq, s.nu));
    return on_;
  }
  // Constraints that move do work: their force on the bodies is −Dᵀ λ, the bodies' velocity along it ν.
  void power(double t, const In& y, Out dy) {
    d_.required_velocities(u(y), nu_);
    const Energy e = d_.system.energy(t, q(y), u(y));
    dy.tail<works>() << -d_.lambda.dot(nu_), e.supplied, e.dissipated, e.contact, e.friction, e.film;
  }

  static constexpr int works = 6;
  static constexpr double singular = 1e-2;  // independence below which a stage may be far off
  Dynamics& d_;
  Treatment& treatment_;
  bool settles_;
  VecX on_, nu_;
  bool corrects_ = false;
  double closest_ = 1;  // to a singular position, since the last accepted step
};

constexpr double coarse_turn = 1.5;  // [rad] per step
constexpr double hopeless = 1e-5;    // |Φ| [m, rad] that a correction leaves only where there is no solution

// From the last evaluation, which is where it went wrong.
std::string likely_cause(Dynamics& d) {
  for (int k = 0; k < d.system.nu; ++k)
    if (!std::isfinite(d.terms.Q[k]))
      return fmt::format("; the forces on body '{}' are not finite there",
                         d.system.body_names[d.system.body_of_velocity[k]]);
  for (int k = 0; k < d.system.m; ++k)
    if (!std::isfinite(d.terms.phi[k]) || !std::isfinite(d.terms.gamma[k]))
      return fmt::format("; {} asks for something that is not finite there", joint_at_row(d.system, k));
  const double independence = d.independence();
  if (d.system.m > 0 && independence < 1e-6)
    return fmt::format("; {} is close to losing its hold (a singular position; independence {:.1e})",
                       joint_at_row(d.system, d.weakest_row()), independence);
  return "; a force or driver that is very stiff or not smooth there, or a step or tolerance that does not "
         "suit the model";
}
}  // namespace

Results run_forward(const Study& study, const Progress& progress) {
  Begun b = begin(study, "forward");
  Results& r = b.results;
  const AnalysisOptions& o = study.analysis;
  r.integrator = o.integrator;
  r.treatment = std::string(o.treatment->info().name);
  if (!r.outcome) return std::move(b.results);
  const auto loose = undetermined(*b.system, o.start, b.q, b.u);
  if (!loose.empty())
    throw ModelError(study.mechanism.bodies[std::size_t(loose.front().body - 1)].place,
                     "the motion is not determined: " + loose.front().why + "; give it one, or a joint");

  const Formulated f = formulate(study, b);
  System& s = f.system();
  BodyView view(s, f.bodies);
  Dynamics d(s, r.freedom.always_redundant());
  Box<Treatment> treatment = o.treatment;
  Motion motion(d, *treatment);
  StepControl control = o.control;
  control.controlled = motion.controlled();
  if (!control.max_step) control.max_step = (o.end - o.start) / 200;  // a short pulse must not be stepped over
  const IntegratorEntry& kind = *find_integrator(o.integrator);
  if (const std::string chosen = treatment->prepare({kind, control}); !chosen.empty())
    r.remarks.push_back(chosen);
  const auto make_integrator = [&](const StepControl& c) {
    auto own = treatment->stepper(d, {kind, c});
    if (own) r.integrator = r.treatment;  // it brings its own
    return own ? std::move(own) : kind.make(c);
  };
  auto integrator = make_integrator(control);
  Recorder recorder(s, f.bodies, study.output, r, true);
  BranchWatch branch(f.bodies, d);
  RankWatch rank(f.bodies, r.freedom);
  LoopWatch loops(f.bodies, o.start, b.q, b.u);
  Terms in_bodies;  // of the constraints, where the motion is computed in other coordinates
  if (f.other) in_bodies = f.bodies.make_terms();

  VecX y = VecX::Zero(motion.size()), row = y;
  y.head(s.nq) = f.q;
  y.segment(s.nq, s.nu) = f.u;
  const std::vector<double> times = study.output.at(o);
  std::size_t next = 0;
  const auto record = [&](double t, const VecX& state) {
    motion.solve(t, state);
    if (!d.a.allFinite() || !d.lambda.allFinite()) {
      r.outcome = {Outcome::not_finite, t,
                   fmt::format("forces or accelerations are not finite at t = {:.6g} s", t) + likely_cause(d)};
      return false;
    }
    recorder.record(t, motion.q(state), motion.u(state), d, motion.work(state));
    ++next;
    return true;
  };

  // A change of contacts starts the integrator anew, with steps that suit the contacts.
  ContactWatch contacts(s, d);
  StepStatistics all;
  double limit = std::numeric_limits<double>::infinity();
  const auto restart = [&](double t, const VecX& state) {
    all += integrator->statistics();
    StepControl c = control;
    if (kind.adaptive && r.integrator == o.integrator)
      c.step.reset();  // the first step of the model suits its start
    if (std::isfinite(limit)) {
      c.max_step = std::min(control.max_step.value_or(limit), limit);
      if (c.step) c.step = std::min(*c.step, limit);
    }
    integrator = make_integrator(c);
    integrator->start(motion, t, state, o.end);
  };
  const auto fits = [&](double wanted) { return wanted > 0.5 * limit && wanted < 2 * limit; };
  const ContactWatch::StateAt state_at = [&](double t) -> const VecX& {
    integrator->interpolate(motion, t, row);
    if (t < integrator->t()) motion.after_step(t, row);
    return row;
  };

  const bool implicit = r.integrator != o.integrator;  // a treatment that steps by itself
  const bool adapts = kind.adaptive && !implicit;
  s.remember(o.start, f.q, f.u);
  contacts.start(o.start, y, r);
  motion.accepted(o.start, y);
  integrator->start(motion, o.start, y, o.end);
  limit = contacts.longest_step(o.start, adapts, adapts || implicit);
  if (std::isfinite(limit)) restart(o.start, y);
  branch.start(o.start, b.u);
  const bool driven =
      std::any_of(s.joints.begin(), s.joints.end(), [](const JointRows& j) { return j.driver; });
  const bool vectors = !s.own.empty();  // in place of orientations
  const std::vector<int> spins = spins_of(vectors ? f.bodies : s);
  bool going = true;
  double before = o.start, turn = 0;  // largest turn of a body in a step [rad]
  while (going && next < times.size() && times[next] <= o.start) going = record(times[next], y);
  while (going && integrator->t() < o.end) {
    if (progress && !progress((integrator->t() - o.start) / (o.end - o.start))) {
      r.outcome = {Outcome::interrupted, integrator->t(),
                   fmt::format("stopped by the user at t = {:.6g} s", integrator->t())};
      break;
    }
    if (kind.adaptive && r.integrator == o.integrator &&
        all.steps + integrator->statistics().steps >= o.control.steps) {
      r.outcome = {
          Outcome::too_many_steps, integrator->t(),
          fmt::format("more than {} steps, at t = {:.6g} s; see max_steps", o.control.steps, integrator->t())};
      break;
    }
    if (!integrator->advance(motion)) {
      const bool finite = integrator->why().find("not finite") == std::string::npos;
      const std::string film = contacts.squeezed_out();
      r.outcome = {finite ? Outcome::step_too_small : Outcome::not_finite, integrator->t(),
                   integrator->why() + (film.empty() ? likely_cause(d) : film)};
      break;
    }
    // What follows is for the step up to t: its end, or the instant at which a contact changes.
    const std::optional<double> change = contacts.first_change(integrator->t(), state_at);
    const double t = change.value_or(integrator->t());
    y = state_at(t);
    view.look(motion.q(y), motion.u(y));
    branch.step(t, view.u(), r);
    motion.accepted(t, y);
    // Angles among the coordinates may turn as far as they like in a step; Euler parameters and unit vectors may not.
    const double spin = vectors ? fastest_spin(spins, view.u()) : fastest_spin(spins, motion.u(y));
    turn = std::max(turn, (t - before) * spin);
    before = t;
    rank.step(t, view.q(), view.u(), r);
    const VecX& gap = recorder.watch(t, motion.q(y), motion.u(y));
    if (f.other) f.bodies.constraints(t, view.q(), view.u(), in_bodies);
    loops.step(t, f.other ? in_bodies : recorder.watched(), view.u(), r);
    if (motion.corrects() && gap.size() > 0 && gap.lpNorm<Eigen::Infinity>() > hopeless) {
      r.outcome = {
          Outcome::singular, t,
          fmt::format("the constraints cannot be met at t = {:.6g} s: {}; {}", t,
                      worst_of(s, gap, "gapes", "[m or rad]"),
                      driven
                          ? "drivers contradict each other, or push the mechanism beyond a dead point"
                          : "forces push the mechanism beyond the end of its reach, or the step is too large")};
      break;
    }
    while (going && next < times.size() && times[next] <= t) {
      const double when = times[next];
      going = record(when, when < t ? VecX(state_at(when)) : y);
    }
    contacts.take(t, state_at, r);
    s.remember(t, motion.q(y), motion.u(y));
    if (change) {
      if (s.inner.size() > 0) s.inner = motion.inner(y);
      if (!contacts.change(y, r)) break;
      y.segment(s.nq + s.nu, s.inner.size()) = s.inner;
    }
    const double wanted = contacts.longest_step(t, adapts, adapts || implicit);
    if (change || !(wanted == limit || fits(wanted))) {
      limit = wanted;
      restart(t, y);
    }
  }

  if (turn > coarse_turn)
    r.remarks.push_back(
        fmt::format("in one step a body turned by {:.1f} rad: orientations are not accurate over such "
                    "steps; use smaller ones",
                    turn));
  if (const std::string did = treatment->report(); !did.empty()) r.remarks.push_back(did);
  all += integrator->statistics();
  const StepStatistics& st = all;
  Statistics& out = r.statistics;
  out.steps = st.steps;
  out.rejected = st.rejected;
  out.evaluations = st.evaluations;
  out.smallest_step = st.smallest;
  out.largest_step = st.largest;
  out.factorizations = d.factorizations;
  out.corrections = d.corrections;
  out.iterations = st.iterations;
  loops.finish(r);
  contacts.finish(r);
  judge(o, r);
  return std::move(b.results);
}
}  // namespace mubody
