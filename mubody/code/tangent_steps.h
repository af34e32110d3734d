#pragma once
// Moves a motion and its derivatives through time: steps of an integrator, and jumps of functions between them.
//
//   docs/theory/forward-sensitivity.md
#include <functional>
#include <memory>

#include "mubody/code/tangent_motion.h"
#include "mubody/mechanism/breakpoints.h"
#include "mubody/study/options.h"

namespace mubody {
class TangentSteps {
 public:
  /// All of them must live as long as this.
  TangentSteps(const Mechanism&, const AnalysisOptions&, TangentMotion&);

  double t() const { return integrator_->t(); }
  const VecX& y() const { return integrator_->y(); }
  /// Asked after every step; an outcome that is false ends the motion there.
  using Stepped = std::function<Outcome()>;
  /// Goes on to a time, in steps that may be predicted from those before.
  Outcome go_to(double t, const Stepped&);
  /// A state within the last step, on the constraints.
  void interpolate(double t, Out y);
  /// Rates have changed, as by an input.
  void refresh() { integrator_->refresh(motion_); }

 private:
  Outcome step_to(double t, const Stepped&);
  bool cross(const Breakpoint&, double goal);
  void go_on(double at, double h);
  void look_ahead(double to);
  double span() const { return o_.end - o_.start; }
  double little(double t) const;
  double begin_at(double t, double goal) const;

  const Mechanism& mechanism_;
  const AnalysisOptions& o_;
  TangentMotion& motion_;
  VecX y_, rate_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<Breakpoint> breaks_;
  std::size_t next_break_ = 0;
  double known_until_;  // [s] breakpoints are known
};
}  // namespace mubody
