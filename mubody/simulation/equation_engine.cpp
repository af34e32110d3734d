#include "mubody/simulation/equation_engine.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "mubody/integrators/runge_kutta.h"
#include "mubody/math/finite.h"
#include "mubody/simulation/verdict.h"
#include "mubody/solvers/freedom.h"
#include "mubody/study/state_sizes.h"

namespace mubody {
namespace {
constexpr double coarse_turn = 1.5;   // [rad] per step
constexpr double most_changed = 1.5;  // [rad] of a joint's turn in a step, by the change of its rate
constexpr double hopeless = 1e-5;     // System::gap() that a correction leaves only where there is no solution

void refuse_undetermined(const Study& study, const Begun& b) {
  const auto loose = undetermined(*b.system, study.analysis.start, b.q, b.u);
  if (!loose.empty())
    throw ModelError(study.mechanism.bodies[std::size_t(loose.front().body - 1)].place,
                     "the motion is not determined: " + loose.front().why + "; give it one, or a joint");
}

Formulated checked(const Study& study, Begun& b, Formulated f) {
  refuse_undetermined(study, b);
  return f;
}

bool has_driver(const System& s) {
  return std::any_of(s.joints.begin(), s.joints.end(), [](const JointRows& j) { return j.driver; });
}
}  // namespace

std::unique_ptr<Engine> make_equations(const Study& study, Begun& begun) {
  return std::make_unique<EquationEngine>(study, begun);
}

EquationEngine::EquationEngine(const Study& study, Begun& b) : EquationEngine(study, b, formulate(study, b)) {}

EquationEngine::EquationEngine(const Study& study, Begun& b, Formulated formulated)
    : begun_(b), formulated_(checked(study, b, std::move(formulated))), s_(formulated_.system()),
      d_(s_, s_.m > 0 && b.results.freedom.always_redundant()), treatment_(study.analysis.treatment),
      integrator_(*study.analysis.method()), view_(s_, formulated_.bodies), turning_(formulated_.bodies),
      branch_(formulated_.bodies, d_, treatment_->passes_singular_positions()),
      rank_(formulated_.bodies, b.results.freedom),
      loops_(formulated_.bodies, study.analysis.start, b.q, b.u, treatment_->passes_singular_positions()),
      phi_(VecX::Zero(s_.m)), rate_(phi_),
      start_(VecX::Zero(controlled() + (s_.has_power ? works * s_.groups : 0))), on_(start_),
      nu_(VecX::Zero(s_.m)), sizes_(sizes_of(s_, int(start_.size()) - controlled())),
      stretch_(study.analysis.control.stretch), solved_(start_), works_(std::size_t(s_.groups)),
      energies_(works_.size()), moving_(moving_rows(s_)), bad_(start_),
      stages_corrected_(treatment_->corrects_stages()), straight_(treatment_->passes_singular_positions()),
      driven_(has_driver(s_)), watched_(study.analysis.watched && formulated_.watched),
      weighs_(study.analysis.weighs_corrections),
      counts_turns_(study.mechanism.dim == 3 && formulated_.other && s_.own.empty()),
      delays_(std::isfinite(s_.shortest_delay())), before_(study.analysis.start) {
  list_rates();
  if (counts_turns_) rates_before_ = formulated_.watched ? formulated_.u : b.u;
  if (formulated_.other) in_bodies_ = formulated_.bodies.make_terms();
  start_.head(s_.nq) = formulated_.q;
  start_.segment(s_.nq, s_.nu) = formulated_.u;
  s_.start_states(study.analysis.start, formulated_.q, formulated_.u, start_.segment(s_.nq + s_.nu, s_.nz));
  limit_rates(speeds_of(formulated_.bodies, b.u));
  shortcut_ = make_shortcut(study);
  const StepControl control = this->control(study.analysis.control, integrator_.adaptive);
  if (const std::string chosen = treatment_->prepare({integrator_, control}); !chosen.empty())
    b.results.remarks.push_back(chosen);
}

// What bodies do together does not count: rates count as far as they differ between bodies.  Rates of unit vectors
// change with every turn, whatever the others do.
void EquationEngine::limit_rates(const Speeds& now) {
  speeds_ = now;
  const double slide = std::max(now.slide, s_.scales.speed()), turn = std::max(now.turn, 1 / s_.scales.time);
  for (const int k : slides_) sizes_.most[k] = slide;
  for (const int k : turns_) sizes_.most[k] = turn;
}

void EquationEngine::list_rates() {
  for (int k = 0; k < s_.nu; ++k)
    if (s_.velocities[std::size_t(k)].measured != System::Measured::orientation)
      (s_.turns[std::size_t(k)] ? turns_ : slides_).push_back(s_.nq + k);
}

StepControl EquationEngine::control(const StepControl& asked, bool adaptive) const {
  StepControl c = asked;
  c.controlled = controlled();
  // What a delay shows within a step must have been seen before it, and often enough to be followed.
  constexpr double often = 8;
  if (const double delay = s_.shortest_delay(); std::isfinite(delay)) {
    const double longest = adaptive ? delay / often : delay;
    c.max_step = std::min(c.max_step.value_or(longest), longest);
    if (c.step) c.step = std::min(*c.step, longest);
  }
  return c;
}

std::unique_ptr<Integrator> EquationEngine::own_integrator(const StepControl& c) {
  return treatment_->stepper(d_, {integrator_, c});
}

// Makes a copy of the state on the constraints.  Next to a singular position accelerations are smooth along the
// motion alone: a stage, which leaves the constraints a little, would have that divided by its distance from the
// position.  All stages of a step are treated alike, since its order relies on their errors cancelling each other.
void EquationEngine::put_on_constraints(double t, const In& y) {
  on_ = y;
  if (beside_)
    treatment_->after_step(d_, t, on_.head(s_.nq), on_.segment(s_.nq, s_.nu));
  else
    treatment_->before_rates(d_, t, on_.head(s_.nq), on_.segment(s_.nq, s_.nu));
}

// Where a vector begins says which views it has: all states have the same sizes.
const EquationEngine::Parts& EquationEngine::take_apart(const In& y) {
  KnownParts& known = known_parts_[next_parts_++ % known_parts_.size()];
  known.of = y.data();
  return known.parts.emplace(q(y), u(y), z(y));
}

// Accelerations and multipliers at a state, in the dynamics.
void EquationEngine::solve(double t, const In& y, const Parts& at) {
  solved_at_.reset();
  count_turns();
  d_.evaluate(t, at.q, at.u, at.z);
  if (s_.grips.any()) d_.grips.push(d_);
  treatment_->accelerations(d_);
  if (std::isfinite(d_.a.sum()) || all_finite(d_.a) || !all_finite(y)) return;
  bad_ = y;
  bad_time_ = t;
}

void EquationEngine::rates(double t, const In& state, Out dy) {
  if (has_shortcut() && shortcut_->rates(t, state, dy) && all_finite(dy)) {
    ++short_ways_;
    return;
  }
  gave_up_ = true;
  count_turns();
  if (is_solved(t, state)) return write_rates(t, state, parts(state), dy);
  const bool corrects = stages_corrected_ || beside_;
  if (corrects) put_on_constraints(t, state);
  const auto take = [&](const In& y) {
    const Parts& at = parts(y);
    solve(t, y, at);
    write_rates(t, y, at, dy);
  };
  corrects ? take(on_) : take(state);
}

// The rates of a state whose accelerations are in the dynamics.
void EquationEngine::write_rates(double t, const In& y, const Parts& at, Out dy) {
  s_.rates(at.q, at.u, dy.head(s_.nq));
  double* const rest = std::copy_n(d_.a.data(), s_.nu, dy.data() + s_.nq);
  if (s_.nz > 0) std::copy_n(d_.terms.z_rate.data(), s_.nz, rest);
  closest_ = std::min(closest_, d_.independence());
  if (s_.has_power) power(t, y, dy);
}

EquationEngine::Moving EquationEngine::moving_rows(const System& s) {
  Moving all;
  for (const JointRows& j : s.joints) {
    if (!j.moves || j.count == 0) continue;
    for (int r = j.first; r < j.first + j.count; ++r) all.rows.emplace_back(r, s.group_of(j));
    for (const SaddleStructure::Block& b : s.structure.D)
      if (b.row == j.first) all.blocks.D.push_back(b);
  }
  return all;
}

// Constraints that move do work: their force on the bodies is −Dᵀ λ, the bodies' velocity along it ν = −Φ_t = D u − Φ̇.
void EquationEngine::power(double t, const In& y, Out dy) {
  s_.powers(t, q(y), u(y), z(y), energies_);
  auto w = dy.tail(works * s_.groups);
  for (int g = 0; g < s_.groups; ++g) {
    const Energy& e = energies_[std::size_t(g)];
    w.segment<works>(works * g) << 0, e.supplied, e.dissipated, e.contact, e.friction, e.film;
  }
  for (int k = 0; k < s_.grips.size(); ++k) {
    const JointRows& joint = s_.joints[std::size_t(s_.grips.all[std::size_t(k)].joint)];
    w[works * s_.group_of(joint) + friction_work] -= s_.grips.force[k] * s_.grips.rate[k];
  }
  for (const auto& [row, group] : moving_.rows) nu_[row] = -d_.terms.rate[row];
  moving_.blocks.multiply(d_.terms.D.data(), y.data() + s_.nq, nu_.data());
  for (const auto& [row, group] : moving_.rows) w[works * group] -= d_.lambda[row] * nu_[row];
}

std::span<const Work> EquationEngine::work(const In& y) {
  if (!s_.has_power) return works_;
  for (int g = 0; g < s_.groups; ++g) {
    const auto w = y.segment<works>(controlled() + works * g);
    works_[std::size_t(g)] = {w[0], w[1], w[2], w[3], w[4], w[5]};
  }
  return works_;
}

bool EquationEngine::after_step(double t, Out y) {
  closest_ = 1;
  solved_at_.reset();
  s_.tidy(y.head(s_.nq));
  const long before = d_.corrections;
  const double energy = weighs_ ? stored(t, y) : 0;
  const int corrected = has_shortcut() ? shortcut_->close(t, y) : -1;
  closed_short_ = corrected >= 0;
  d_.corrections += std::max(corrected, 0);
  if (!closed_short_) count_turns();
  const bool changes =
      closed_short_ ? closes_short_ : treatment_->after_step(d_, t, y.head(s_.nq), y.segment(s_.nq, s_.nu));
  corrects_ = d_.corrections > before;
  put_in_ = weighs_ && changes ? stored(t, y) - energy : 0;
  if (s_.grips.any()) {
    count_turns();
    d_.evaluate(t, q(y), u(y), z(y));
    d_.grips.hold(d_, y.segment(s_.nq, s_.nu));
  }
  return changes;
}

// What bodies and springs store [J].
double EquationEngine::stored(double t, const In& y) {
  count_turns();
  const Energy e = s_.energy(t, q(y), u(y), z(y));
  return e.kinetic + e.potential;
}

void EquationEngine::choose_grips(double t, VecX& y, const std::vector<bool>& turned) {
  solved_at_.reset();
  count_turns();
  d_.evaluate(t, q(y), u(y), z(y));
  d_.grips.choose(d_, turned, y.segment(s_.nq, s_.nu));
}

void EquationEngine::begin(double t, const VecX& y) {
  solved_at_.reset();
  count_turns();
  treatment_->accepted(d_, t, q(y), u(y));
  hand_over_samples();
  branch_.start(t, begun_.u);
}

double EquationEngine::fastest_turn(const VecX& y) {
  view_.convert(q(y), u(y));
  return fastest_spin(formulated_.bodies, view_.u());
}

Outcome EquationEngine::accept(double t, const VecX& y, Recorder& recorder, Results& r) {
  bad_time_.reset();
  solved_at_.reset();
  const auto& [positions, velocities, states] = parts(y);
  view_.convert(positions, velocities);
  const In in_bodies = view_.u();
  if (integrator_.adaptive) limit_rates(speeds_of(formulated_.bodies, in_bodies));
  const bool is_short = closed_short_ && !gave_up_ && has_shortcut();
  gave_up_ = false;
  const double independence = is_short ? 1 : d_.independence();
  if (watched_) branch_.step(t, in_bodies, independence, r);
  if (is_short)
    shortcut_->gaps(t, y, phi_, rate_);
  else
    count_turns(), d_.close(t, positions, velocities);
  const double gap = recorder.watch(t, is_short ? phi_ : d_.terms.phi, is_short ? rate_ : d_.terms.rate);
  if (weighs_) recorder.correct(put_in_);
  // Angles among the coordinates may turn as far as they like in a step; Euler parameters and unit vectors may not.
  const bool vectors = !s_.own.empty();  // in place of orientations
  const double spin = vectors ? fastest_spin(formulated_.bodies, in_bodies) : fastest_spin(s_, velocities);
  turn_ = std::max(turn_, (t - before_) * spin);
  before_ = t;
  if (watched_ && rank_.is_due(t, in_bodies)) count_turns(), rank_.look(t, view_.q(), in_bodies, r);
  if (!is_short) widest_ = std::max(widest_, independence);
  if (!is_short && independence < close * widest_) came_close_ = true;
  beside_ = straight_ && integrator_.adaptive &&
            (independence < beside * widest_ || rank_.hold() * rank_.hold() < beside);
  const auto terms = [&]() -> const Terms& { return terms_in_bodies(t, y); };
  if (watched_) loops_.step(t, in_bodies, std::ref(terms), r);
  if (corrects_ && gap > hopeless) return cannot_meet(t, is_short ? phi_ : d_.terms.phi);
  if (const std::string why = s_.out_of_range(positions); !why.empty())
    return {
        Outcome::singular, t,
        fmt::format("{} at t = {:.6g} s; precompute with a wider --range, or with other variables", why, t)};
  d_.stiffen(beside_);
  treatment_->accepted(d_, t, positions, velocities);
  return {};
}

const Terms& EquationEngine::terms_in_bodies(double t, const VecX& y) {
  count_turns();
  if (formulated_.other) {
    formulated_.bodies.constraints(t, view_.q(), view_.u(), in_bodies_);
    return in_bodies_;
  }
  d_.close(t, parts(y).q, parts(y).u);
  return d_.terms;
}

Outcome EquationEngine::cannot_meet(double t, const VecX& phi) const {
  return {
      Outcome::singular, t,
      fmt::format("the constraints cannot be met at t = {:.6g} s: {}; {}", t,
                  worst_of(s_, phi, "gapes", "[m or rad]"),
                  driven_ ? "drivers contradict each other, or push the mechanism beyond a dead point"
                          : "forces push the mechanism beyond the end of its reach, or the step is too large")};
}

// In space an angle of a joint is the one nearest to its continuation along the rate that it had, even where the angle
// is a coordinate and a step may be as long as it likes: within half a turn of it the rate must not have changed much.
bool EquationEngine::overshot(double t, const VecX& y) {
  if (!counts_turns_) return false;
  const auto has_changed = [&](const System& s, const In& now, double most) {
    for (int k = 0; k < s.nu; ++k)
      if (s.turns[std::size_t(k)] && std::abs(now[k] - rates_before_[k]) * (t - before_) > most) return true;
    return false;
  };
  if (formulated_.watched) return has_changed(s_, u(y), most_changed);
  // Joints of loops that bodies follow have no velocities of their own; two bodies turn.
  view_.convert(q(y), u(y));
  return has_changed(formulated_.bodies, view_.u(), 0.5 * most_changed);
}

void EquationEngine::pass_instant(double t, const VecX& y) {
  count_turns();
  s_.pass_instant(t, q(y), u(y), z(y));
  d_.forget();
  solved_at_.reset();
  hand_over_samples();
}

void EquationEngine::note_past(double t, const VecX& y) {
  if (!delays_) return;
  count_turns();
  s_.note_past(t, q(y), u(y), z(y));
}

// The states of a contact begin at zero with every touch.
void EquationEngine::contacts_switched(const std::vector<int>& contacts, VecX& y) {
  solved_at_.reset();
  for (const int k : contacts) {
    const ContactSite& site = s_.contacts().sites[std::size_t(k)];
    y.segment(s_.nq + s_.nu + site.first_state, site.states).setZero();
  }
}

Outcome EquationEngine::solved(double t, const VecX& y) {
  solve(t, y);
  const bool determined = !straight_ || !(d_.independence() < at_singular);
  from_beside_ = !determined && solve_from_beside(t, y);
  if (from_beside_) {
    observe_from_beside(t, y);
  } else if (!determined && !beside_) {
    d_.stiffen(true);
    solve(t, y);
    d_.stiffen(false);
  }
  if (all_finite(d_.a) && all_finite(d_.lambda)) {
    if (determined) solved_ = y, solved_at_ = t;
    return {};
  }
  return {Outcome::not_finite, t,
          fmt::format("forces or accelerations are not finite at t = {:.6g} s", t) + likely_cause()};
}

void EquationEngine::evaluate(double t, const VecX& y) {
  solved_at_.reset();
  count_turns();
  d_.evaluate(t, q(y), u(y), z(y));
}

void EquationEngine::balance(double t, const VecX& y, Recorder& recorder) {
  count_turns();
  recorder.balance(t, q(y), u(y), z(y), work(y));
}

Outcome EquationEngine::record(double t, const VecX& y, Recorder& recorder) {
  Outcome o = solved(t, y);
  if (o) recorder.record(t, q(y), u(y), z(y), d_, work(y), from_beside_ ? &seen_ : nullptr);
  return o;
}

Outcome EquationEngine::observe(double t, const VecX& y, Out values) {
  if (has_shortcut() && shortcut_->observe(t, y, values) && all_finite(values)) return {};
  Outcome o = solved(t, y);
  if (o && from_beside_)
    values = seen_;
  else if (o)
    s_.observe(t, q(y), u(y), z(y), d_.a, d_.lambda, values);
  return o;
}

std::string EquationEngine::likely_cause() {
  count_turns();
  if (bad_time_) {
    const std::string force = s_.force_not_finite(*bad_time_, q(bad_), u(bad_), z(bad_));
    if (!force.empty()) return fmt::format("; force '{}' is not finite at t = {:.6g} s", force, *bad_time_);
    d_.evaluate(*bad_time_, q(bad_), u(bad_), z(bad_));
    d_.grips.push(d_);
  }
  if (const int grip = d_.grips.jammed(); grip >= 0)
    return fmt::format(
        "; joint '{}' jams: its friction raises the reaction by which it is loaded, without end; check its "
        "coefficient, radius and the arms of the forces on it",
        s_.grips.all[std::size_t(grip)].name);
  for (int k = 0; k < s_.nu; ++k)
    if (!std::isfinite(d_.terms.Q[k]))
      return fmt::format("; the forces on body '{}' are not finite there",
                         s_.body_names[s_.body_of_velocity[k]]);
  for (int k = 0; k < s_.m; ++k)
    if (!std::isfinite(d_.terms.phi[k]) || !std::isfinite(d_.terms.gamma[k]))
      return fmt::format("; {} asks for something that is not finite there", joint_at_row(s_, k));
  const double independence = d_.independence();
  if (s_.m > 0 && independence < 1e-6)
    return fmt::format("; {} is close to losing its hold (a singular position; independence {:.1e})",
                       joint_at_row(s_, d_.weakest_row()), independence);
  return "; a force or driver that is very stiff or not smooth there, or a step or tolerance that does not "
         "suit the model";
}

void EquationEngine::finish(const AnalysisOptions& o, Results& r) {
  if (turn_ > coarse_turn)
    r.remarks.push_back(
        fmt::format("in one step a body turned by {:.1f} rad: orientations are not accurate over such "
                    "steps; use smaller ones",
                    turn_));
  if (unbounded_ >= 0)
    r.remarks.push_back(
        fmt::format("at t = {:.6g} s the mechanism is in a singular position towards which '{}' grows without "
                    "bound, and perhaps "
                    "others: there it is given without that part",
                    unbounded_at_, s_.channels[std::size_t(unbounded_)].name));
  if (const std::string did = treatment_->report(); !did.empty()) r.remarks.push_back(did);
  if (shortcut_)
    r.remarks.push_back(short_ways_ == 0
                            ? "the motion was computed without generated code: inputs were set, or "
                              "equations were hardly independent"
                        : input_set_ ? "generated code computed the motion until an input was set"
                                     : "generated code computed the motion");
  r.statistics.factorizations = d_.factorizations;
  r.statistics.corrections = d_.corrections;
  r.statistics.solves = d_.solves;
  if (watched_) loops_.finish(r);
  remark_unbounded(r);
  judge(o, r);
}

// They are those of body coordinates, and of accelerations to which a treatment adds nothing.
void EquationEngine::offer(std::unique_ptr<ConstrainedSlopes> slopes) {
  if (formulated_.other || !treatment_->has_multipliers_alone() || stages_corrected_) return;
  slopes_ = std::move(slopes);
  d_.slopes = slopes_.get();
}

bool EquationEngine::stand_at(double t, const In& y) {
  if (!is_solved(t, y)) solve(t, y);
  const double* const values = slopes_->at({t, q(y), u(y), z(y), d_.a, d_.lambda}, d_.terms);
  if (!values) return false;
  if (!matrix_) matrix_.emplace(s_, slopes_->entries());
  matrix_->take(values, d_.terms, u(y));
  return true;
}

void EquationEngine::memory(Memory& m) {
  count_turns();
  counted_at_.reset();
  bad_time_.reset();
  solved_at_.reset();
  m(corrects_, beside_, widest_, came_close_, closest_, before_, turn_, speeds_.slide, speeds_.turn, branch_,
    rank_, loops_);
  m(unbounded_, unbounded_at_, rates_before_);
  limit_rates(speeds_);
  treatment_->memory(m);
  m(input_set_);
  if (shortcut_) shortcut_->memory(m);
  d_.memory(m);
  d_.stiffen(beside_);
  s_.memory(m);
  if (formulated_.other) formulated_.bodies.memory(m);
}
}  // namespace mubody
