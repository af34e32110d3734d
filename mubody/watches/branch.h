#pragma once
// Watches for singular positions during a motion, and for a motion that leaves one on the wrong branch.
//
// At a singular position (equal rods folded, a flat parallelogram) two motions cross.  A solution on the
// constraints runs straight through.  A closure error turns the crossing into a sharp bend: between entering
// and leaving the neighbourhood of the singular position the direction of motion, in the metric of the mass,
// turns by a finite angle.  Energy and violation do not show it; the bend does.    docs/theory/branches.md
#include "mubody/results/results.h"
#include "mubody/system/dynamics.h"

namespace mubody {
class BranchWatch {
 public:
  /// Velocities are those of `bodies`, in body coordinates; the dynamics may be in others.
  BranchWatch(System& bodies, Dynamics&, bool passes_singular_positions);
  void start(double t, const In& u);
  /// Called after an accepted step; the independence of its equations is that of the dynamics, or large.
  void step(double t, const In& u, double independence, Results&);
  void memory(Memory& m) {
    m(before_, last_, last_t_, earlier_, earlier_t_, rate_, entered_, fastest_, closest_, closest_t_, sharpest_,
      closest_row_, near_);
  }

 private:
  /// Angle between the lines along two velocities, in the metric of the mass [rad]; reversal is no turn.
  double angle(const VecX& u, const VecX& w) const;
  double speed(const VecX& u) const { return std::sqrt(u.dot(mass_.cwiseProduct(u))); }
  void leave(const VecX& u, Results&);

  Dynamics& dynamics_;
  bool passes_;                              // the treatment is the one to use at singular positions
  VecX mass_, before_, last_, earlier_, u_;  // velocities before entering, at the last step, before that, now
  double last_t_ = 0, earlier_t_ = 0;
  double rate_ = 0;  // speed at which the direction turned before entering [rad/s]
  double entered_ = 0, fastest_ = 0;
  double closest_ = 1, closest_t_ = 0;  // independence and time of the present approach
  double sharpest_ = 0;                 // largest turn within one of its steps [rad]
  int closest_row_ = 0;
  bool near_ = false;
};
}  // namespace mubody
