// How a motion meets the instants at which functions of time change, and values that are set from outside.
//                                                                              docs/theory/breakpoints.md
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/finite.h"
#include "mubody/simulation/loop.h"

namespace mubody {
namespace {
constexpr double ahead = 100;     // advances for which breakpoints are looked for at once ...
constexpr int pieces_ahead = 10;  // ... and how often, beyond the end of the study
}  // namespace

// Functions of time may jump at a breakpoint: the step before ends a little earlier, the step after begins a little
// later, and neither sees the other side.  Returns the time from which to go on.
double Simulation::Loop::pass_breakpoints(double t) {
  while (at_break(t)) {
    const Breakpoint& b = breaks_[next_break_++];
    if (b.jumps) t = resume_ = cross(b, t);
  }
  return t;
}

// Between the two steps the state goes on along its rates, up to the breakpoint along those before it.  A motion for
// comparison changes at one end or the other in turn, so that the difference shows what depends on when exactly the jump
// is, and on how long it is to the next.
double Simulation::Loop::cross(const Breakpoint& b, double t) {
  const double end = b.t + beside(b), to = std::max(t, goal_ > b.t ? std::min(end, goal_) : end),
               late = next_break_ % 2 == 0 ? to : t;
  const double turn = control_.stretch != 1 ? late : std::clamp(b.t, t, to);
  const auto go_on = [&](double at, double h) {
    if (!(h > 0)) return;
    engine_->rates(at, y_, rates_);
    if (all_finite(rates_)) y_ += h * rates_;
  };
  go_on(t, turn - t);
  if (switched_) switches_.hold(to, [&](double) { engine_->evaluate(to, y_); });
  go_on(to, to - turn);
  return to;
}

bool Simulation::Loop::at_instant(double t) const {
  const double next = engine_->next_instant();
  return next < std::numeric_limits<double>::infinity() && next <= t + few * little(t);
}

// Signals that are sampled take their new values, and formulas that read them the side on which they are then.
// Their instant has come, though round-off may have ended the step a little earlier.
void Simulation::Loop::pass_instant(double t) {
  engine_->pass_instant(std::max(t, engine_->next_instant()), y_);
  engine_->note_past(t, y_);
  if (switched_) switches_.hold(t, [&](double) { engine_->evaluate(t, y_); });
  recorder_->extremes().jump();
}

bool Simulation::Loop::at_break(double t) const {
  return next_break_ < breaks_.size() && before_break() <= t + few * little(t);
}

// Where to begin anew: what is left to the goal must be more than the shortest possible step, or nothing.
double Simulation::Loop::begin_at(double t) const { return goal_ - t < few * little(goal_) ? goal_ : t; }

double Simulation::Loop::little(double t) const { return mubody::beside(t, goal_ - study_.analysis.start); }

// Where the step towards the next breakpoint has to end.
double Simulation::Loop::before_break() const {
  return before(breaks_[next_break_], goal_ - study_.analysis.start);
}

// How far from a breakpoint its sides are told apart.
double Simulation::Loop::beside(const Breakpoint& b) const {
  return mubody::beside(b, goal_ - study_.analysis.start);
}

// How long steps can be, as far as that is known beforehand.
StepLength Simulation::Loop::step_length(double span) const {
  return {(adapts_ ? control_.max_step : control_.step).value_or(span), control_.stretch};
}

// An instant or a kink that lies next to the goal, as 30 * 0.01 does to 3 * 0.1, is met at the goal: no step is as short as
// what would be left.
void Simulation::Loop::aim() {
  const double end = std::min(goal_, engine_->next_instant());
  const bool breaks = next_break_ < breaks_.size();
  if (breaks && breaks_[next_break_].jumps && before_break() <= end) return integrator_->until(before_break());
  integrator_->until(begin_at(breaks ? std::min(before_break(), end) : end));
}

// Breakpoints are looked for ahead of the motion, up to the end that the study names or for many advances at a time, since
// nobody knows where it will end and looking takes memory.
void Simulation::Loop::look_ahead(double to) {
  if (!varies_ || to <= known_until_) return;
  breaks_.erase(breaks_.begin(), breaks_.begin() + std::ptrdiff_t(next_break_));
  next_break_ = 0;
  look_between(std::max(time_, known_until_),
               rows_ == Rows::output_times ? to : std::max(to, study_.analysis.end));
  for (int k = 1; rows_ == Rows::on_request && k <= pieces_ahead; ++k)
    look_between(known_until_, to + k * ahead * (to - time_));
}

void Simulation::Loop::look_between(double from, double to) {
  if (!(to > from)) return;
  const std::vector<Breakpoint> more = breakpoints_through(study_.mechanism, from, to, step_length(to - from));
  breaks_.insert(breaks_.end(), more.begin(), more.end());
  known_until_ = to;
}

void Simulation::Loop::remember_breakpoints(Memory& m) {
  if (m.saves()) breaks_.erase(breaks_.begin(), breaks_.begin() + std::ptrdiff_t(next_break_));
  std::size_t count = breaks_.size();
  m(count, known_until_);
  breaks_.resize(count);
  next_break_ = 0;
  for (Breakpoint& b : breaks_) m(b.t, b.jumps, b.unsure);
}

void Simulation::Loop::set(int input, const Jet& value) {
  if (const std::string why = engine_->refuses_input(inputs_[input].element); !why.empty())
    throw ModelError(why);
  Held& held = *inputs_[input].held;
  const bool same = held.set && held.value.x == value.x && held.value.v == value.v && held.value.a == value.a;
  if (same && value.v == 0 && value.a == 0) return;
  held.set = true;
  held.at = time_;
  held.value = value;
  changed_ = true;
  observed_ = false;
  engine_->input_changed();
}

double Simulation::Loop::value_of_input(int input) const {
  const InputSlot& slot = inputs_[input];
  if (slot.held->set) return (*slot.held)(time_).x;
  if (!slot.was)
    throw ModelError(fmt::format("input '{}' follows a formula of the state until it is set", slot.name));
  return slot.was->at(time_).x;
}

// The motion goes on from the present state with what has been set.  A driver that now moves otherwise takes the mechanism with
// it at once, as a function of time that jumps does.  Returns whether nothing ended the motion.
bool Simulation::Loop::take_inputs() {
  constexpr double moved = 1e-8;  // [m, rad, m/s, rad/s], and of the number itself
  row_ = y_;
  if (is_driven_) engine_->after_step(time_, y_);
  if (!all_finite(y_)) y_ = row_;
  bool moves = false;
  for (Eigen::Index k = 0; k < y_.size(); ++k)
    moves = moves || std::abs(y_[k] - row_[k]) > moved * (1 + std::abs(row_[k]));
  if (!moves) y_ = row_;
  if (!choose_grips(time_)) return false;
  engine_->note_past(time_, y_);
  if (moves)
    restart(time_);
  else
    integrator_->refresh(*engine_);
  recorder_->extremes().jump();
  return true;
}
}  // namespace mubody
