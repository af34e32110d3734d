#pragma once
// Static equilibrium on the constraints.                                     docs/theory/equilibrium.md
//
//   r(z) = Rᵀ M a = Rᵀ Q,    K = −∂r/∂z,    (|K| + μ) Δz = r
//
// a are the accelerations from rest.  |K| has the eigenvalues of K, negative ones turned positive.  Where there are none
// and μ = 0 it is Newton's method; else an implicit step of a motion so heavily damped that speed is proportional to force:
// it goes downhill and ends at rest.
#include "mubody/analyses/reduced.h"
#include "mubody/results/outcome.h"

namespace mubody {
class Statics {
 public:
  Statics(System&, bool redundant, double t);

  System& system;
  Dynamics dynamics;  // terms, accelerations from rest and multipliers of the last look
  long steps = 0, damped = 0;

  /// From q to an equilibrium; the outcome tells which body is not held if there is none.
  Outcome solve(VecX& q);
  /// Everything at rest at q, with drivers standing still and contacts as they are there.
  void look(const VecX& q);
  /// Free directions at the last look.
  MatX directions() const { return free_directions(system, dynamics.terms).velocities; }
  /// q moved along and put back on the constraints.
  VecX moved(const VecX& q, const VecX& displacement);
  /// K about q, for these directions there.
  MatX stiffness(const VecX& q, const MatX& R, double* error = nullptr);
  /// Rᵀ M a of the last look.
  VecX unbalanced(const MatX& R) const;

 private:
  Outcome not_found(const VecX& q, const std::string& why);

  double t_, length_;
  VecX still_, no_acceleration_;
};
}  // namespace mubody
