#include "mubody/code/tangent_steps.h"

#include "mubody/mechanism/breakpoints.h"

namespace mubody {
TangentSteps::TangentSteps(const Mechanism& mechanism, const AnalysisOptions& o, TangentMotion& motion)
    : mechanism_(mechanism), o_(o), motion_(motion), y_(motion.start()), rate_(y_),
      integrator_(o.method()->make(o.control)) {
  integrator_->start(motion_, o_.start, y_, std::max(o_.start, o_.end));
}

Outcome TangentSteps::go_to(double to, const Stepped& stepped) {
  const double span = o_.end - o_.start;
  for (const Breakpoint& b : breakpoints_of(mechanism_, t(), to, {o_.control.longest_over(span)})) {
    const double aside = b.jumps ? beside(b.t, span) + b.unsure : 0;
    if (Outcome o = step_to(b.t - aside, stepped); !o) return o;
    if (b.jumps) cross(b.t + aside);
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

// Functions jump on the way; neither step sees the other side.
void TangentSteps::cross(double to) {
  const double from = t();
  if (to <= from) return;
  y_ = integrator_->y();
  motion_.rates(from, y_, rate_);
  y_ += (to - from) * rate_;
  motion_.after_step(to, y_);
  integrator_->start(motion_, to, y_, std::max(to, o_.end));
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
