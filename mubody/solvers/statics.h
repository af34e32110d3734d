#pragma once
// Static equilibrium on the constraints.                                     docs/theory/equilibrium.md
//
//   r(z) = Rᵀ M a = Rᵀ Q,    K = −∂r/∂z
//
//   Newton        (|K| + μ) Δz = r
//   to rest       z − τ r(z) = 0     steps of ż = r, a motion so heavily damped that speed is proportional to force
//
// a are the accelerations from rest.  |K| has the eigenvalues of K, negative ones turned positive.  Without
// negative ones and with μ = 0 this is Newton's method; else it goes downhill.  Where that does not arrive,
// because forces are too stiff or too sudden for steps of a useful length, damped motion from the start leads
// to rest, with steps τ as long as Newton's method solves them.
//
// Any formulation serves: R is orthonormal in the metric of the mass, so that r and the eigenvalues of K are the same in
// all of them.  What forces cancel each other is seen in body coordinates alone, for others have added them up.
#include "mubody/results/outcome.h"
#include "mubody/solvers/exact_slopes.h"
#include "mubody/solvers/reduced.h"
#include "mubody/study/patience.h"

namespace mubody {
class Statics {
 public:
  Statics(System& s, bool redundant, double t) : Statics(s, s, redundant, t) {}
  /// `bodies`: the same system in body coordinates.
  Statics(System&, System& bodies, bool redundant, double t);

  System &system, &bodies;
  Dynamics dynamics;  // terms, accelerations from rest and multipliers of the last evaluate_at_rest()
  Patience patience;  // how long solve() may take
  ExactSlopes* exact = nullptr;  // in place of differences, where somebody knows them
  long steps = 0;                // all of them
  long downhill = 0;  // Newton steps turned downhill, because forces do not pull back or the way is long
  long settling = 0;  // steps of the motion to rest; 0 if it was not needed

  /// Moves q to an equilibrium; if there is none, the outcome names the body that is not held.
  Outcome solve(VecX& q);
  /// Moves q from nearby to an equilibrium, stable or not.
  void follow(VecX& q);
  /// Evaluates everything at rest at q, with drivers standing still and contacts as they are there.
  void evaluate_at_rest(const VecX& q);
  /// Free directions at the last evaluate_at_rest().
  MatX directions() const { return free_directions(system, dynamics.terms).velocities; }
  /// q moved by the displacement and put back on the constraints.
  VecX moved(const VecX& q, const VecX& displacement);
  /// K about q, for these directions there.
  MatX stiffness(const VecX& q, const MatX& R, double* error = nullptr);
  /// Bounds on cancelling forces at the last evaluate_at_rest(); see at_work().
  AtWork at_work(const MatX& R);
  /// Rᵀ M a of the last evaluate_at_rest().
  VecX unbalanced(const MatX& R) const;

 private:
  bool newton(VecX& q, int most, std::string& why);
  bool settle(VecX& q, std::string& why);
  bool finish(VecX& q);
  int rest_step(VecX& q, const MatX& R, double tau, double& way);
  MatX slopes(const VecX& q, const MatX& R);
  std::optional<MatX> exact_stiffness(const VecX& q, const MatX& R);
  Outcome not_found(const VecX& q, const std::string& why);
  double size(const VecX& displacement) const { return size_of(system, displacement, length_); }

  double t_, length_;
  VecX still_, no_acceleration_;
  VecX at_;       // position of the last evaluate_at_rest()
  Terms acting_;  // in body coordinates, where the system is in others
};
}  // namespace mubody
