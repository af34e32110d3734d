#include "mubody/code/tangent_steps.h"

#include <algorithm>

#include "mubody/math/finite.h"

namespace mubody {
namespace {
constexpr double few = 4;  // times what counts as little: no step is shorter
constexpr double ahead =
    100;  // advances for which breakpoints are looked for at once beyond the end of the study
}  // namespace

TangentSteps::TangentSteps(const Mechanism& mechanism, const AnalysisOptions& o, TangentMotion& motion)
    : mechanism_(mechanism), o_(o), motion_(motion), y_(motion.start()), rate_(y_),
      integrator_(o.method()->make(o.control)), known_until_(o.start) {
  integrator_->start(motion_, o_.start, y_, std::max(o_.start, o_.end));
}

// The rules are those of simulation/loop_breakpoints.cpp, except that a goal beside a jump is not left behind: what is left
// of the way across is gone by the next call.
Outcome TangentSteps::go_to(double to, const Stepped& stepped) {
  look_ahead(to);
  for (; next_break_ < breaks_.size(); ++next_break_) {
    const Breakpoint& b = breaks_[next_break_];
    const double end = before(b, span());
    if (end > to) break;
    const bool is_there = end <= t() + few * little(t());
    if (Outcome o = is_there ? Outcome() : step_to(b.jumps ? end : begin_at(end, to), stepped); !o) return o;
    if (b.jumps && !cross(b, to)) return {};
  }
  return step_to(to, stepped);
}

Outcome TangentSteps::step_to(double to, const Stepped& stepped) {
  if (to <= t()) return {};
  integrator_->until(to);
  while (t() < to) {
    if (!integrator_->advance(motion_))
      return {integrator_->fault() == Fault::not_finite ? Outcome::not_finite : Outcome::step_too_small, t(),
              "derivatives cannot be followed: " + integrator_->why()};
    if (Outcome o = stepped(); !o) return o;
  }
  return {};
}

// Functions jump on the way; neither step sees the other side.  Up to the jump the state goes on along its rates before it.
// Returns false if the goal lies before the other side.
bool TangentSteps::cross(const Breakpoint& b, double goal) {
  const double from = t(), after = b.t + beside(b, span()), to = std::max(from, std::min(after, goal));
  if (to > from) {
    const double turn = std::clamp(b.t, from, to);
    y_ = integrator_->y();
    go_on(from, turn - from);
    go_on(to, to - turn);
    motion_.after_step(to, y_);
    const double at = begin_at(to, goal);
    integrator_->start(motion_, at, y_, std::max(at, o_.end));
  }
  return to >= after;
}
void TangentSteps::go_on(double at, double h) {
  if (!(h > 0)) return;
  motion_.rates(at, y_, rate_);
  if (all_finite(rate_)) y_ += h * rate_;
}

double TangentSteps::little(double t) const { return beside(t, span()); }
// Where to begin anew: what is left to the goal must be more than the shortest possible step, or nothing.
double TangentSteps::begin_at(double t, double goal) const { return goal - t < few * little(goal) ? goal : t; }

void TangentSteps::look_ahead(double to) {
  if (to <= known_until_) return;
  const double until = std::max(o_.end, known_until_ < o_.end ? to : to + ahead * (to - t()));
  breaks_.erase(breaks_.begin(), breaks_.begin() + std::ptrdiff_t(next_break_));
  next_break_ = 0;
  const std::vector<Breakpoint> found =
      breakpoints_through(mechanism_, known_until_, until, {o_.control.longest_over(span())});
  breaks_.insert(breaks_.end(), found.begin(), found.end());
  known_until_ = until;
}

void TangentSteps::interpolate(double t, Out y) {
  if (t == integrator_->t()) {
    y = integrator_->y();
    return;
  }
  integrator_->interpolate(motion_, t, y);
  motion_.close(t, y);
}
}  // namespace mubody
