#pragma once
// The forces of dry friction at one state, for grips that stick or slip as they do.
//
//   docs/theory/dry-friction.md
//
// The accelerations of the coordinates of grips are linear in the forces of all of them, a = a₀ + A F, and so are the
// reactions that load them.  What sticks has a = 0; what slips has F from its load.  Both are solved together, in as many
// unknowns as there are grips.
#include <vector>

#include "mubody/math/dense.h"
#include "mubody/system/system.h"

namespace mubody {
class Dynamics;

class GripForces {
 public:
  explicit GripForces(System&);

  /// Adds the friction of the state last evaluated to the forces of the dynamics.  If there is none, as the loads grow
  /// with the friction that they cause, accelerations will be no numbers.
  void push(Dynamics&);
  /// Decides at an accepted state that was evaluated last which grips stick, and which way the others slip.  Those that
  /// `turned` back within the step are at rest.  The velocities of all at rest are made zero.
  void choose(Dynamics&, const std::vector<bool>& turned, Out u);
  /// Slips all grips that move, the way they do, for motions that are prescribed.
  void follow(Dynamics&);
  /// Takes away what round-off left of the velocities of grips that stick, at the state last evaluated.
  void hold(Dynamics&, Out u);
  /// The grip whose load and friction raise each other without end at the last solution; −1 if none does.
  int jammed() const { return jammed_; }

 private:
  void gather(Dynamics&);
  void respond(Dynamics&, int k);
  void weigh_hold(const Dynamics&, int k);
  void settle();
  double load(int k) const;
  double acceleration(int k) const;
  double wrong(int k) const;
  void stop(Out u);
  void factor(const std::vector<bool>& those);
  double still(int k) const;
  double slight(int k) const;
  Grip& grip(int k) { return s_.grips.all[std::size_t(k)]; }
  const Grip& grip(int k) const { return s_.grips.all[std::size_t(k)]; }

  System& s_;
  int n_;
  VecX free_;                   // accelerations without friction
  MatX A_, responses_;          // accelerations of grips, and of all, to a unit of friction
  MatX pressed_;                // loads without friction ...
  std::vector<MatX> pressing_;  // ... and to a unit of each
  VecX scale_, right_, part_, none_;
  MatX scaled_;
  LeastSquares factors_;
  std::vector<bool> sticking_, at_rest_;
  int jammed_ = -1;
};
}  // namespace mubody
