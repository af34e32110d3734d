#pragma once
// Static equilibrium on the constraints.                                     docs/theory/equilibrium.md
//
//   r(z) = Rᵀ M a = Rᵀ Q,    K = −∂r/∂z
//
//   Newton        (|K| + μ) Δz = r
//   to rest       z − τ r(z) = 0     steps of ż = r, a motion so heavily damped that speed is proportional to force
//
// a are the accelerations from rest.  |K| has the eigenvalues of K, negative ones turned positive.  Where there are none
// and μ = 0 it is Newton's method; else it goes downhill.  Where that does not arrive, because forces are too stiff or too
// sudden for steps of a useful length, damped motion from the start leads to rest, with steps τ as long as Newton's
// method solves them.
#include "mubody/results/outcome.h"
#include "mubody/solvers/reduced.h"

namespace mubody {
class Statics {
 public:
  Statics(System&, bool redundant, double t);

  System& system;
  Dynamics dynamics;  // terms, accelerations from rest and multipliers of the last look
  long steps = 0;     // all of them
  long downhill = 0;  // of Newton's, those that forces which do not pull back, or a long way, turned downhill
  long settling = 0;  // of the motion to rest; 0 if it was not needed

  /// From q to an equilibrium; the outcome tells which body is not held if there is none.
  Outcome solve(VecX& q);
  /// From next to an equilibrium to it, be it stable or not.
  void follow(VecX& q);
  /// Everything at rest at q, with drivers standing still and contacts as they are there.
  void look(const VecX& q);
  /// Free directions at the last look.
  MatX directions() const { return free_directions(system, dynamics.terms).velocities; }
  /// q moved along and put back on the constraints.
  VecX moved(const VecX& q, const VecX& displacement);
  /// K about q, for these directions there.
  MatX stiffness(const VecX& q, const MatX& R, double* error = nullptr);
  /// What may cancel, at the last look; see at_work().
  AtWork at_work(const MatX& R) const { return mubody::at_work(system, dynamics.terms, R, length_); }
  /// Rᵀ M a of the last look.
  VecX unbalanced(const MatX& R) const;

 private:
  bool newton(VecX& q, int most, std::string& why);
  bool settle(VecX& q, std::string& why);
  int settled(VecX& q, const MatX& R, double tau, double& way);
  MatX slopes(const VecX& q, const MatX& R);
  Outcome not_found(const VecX& q, const std::string& why);
  double size(const VecX& displacement) const { return size_of(system, displacement, length_); }

  double t_, length_;
  VecX still_, no_acceleration_;
};
}  // namespace mubody
