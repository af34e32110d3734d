#pragma once
// Moves a motion and its derivatives through time: steps of an integrator, and jumps of functions between them.
//
//   docs/theory/forward-sensitivity.md
#include <functional>
#include <memory>

#include "mubody/code/tangent_motion.h"
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
  void cross(double to);

  const Mechanism& mechanism_;
  const AnalysisOptions& o_;
  TangentMotion& motion_;
  VecX y_, rate_;
  std::unique_ptr<Integrator> integrator_;
};
}  // namespace mubody
