#pragma once
// The equations of motion at one instant, solved: the workspace that treatments and analyses share.
#include "mubody/math/saddle_point.h"
#include "mubody/system/grip_forces.h"

namespace mubody {
class ConstrainedSlopes;

class Dynamics {
 public:
  /// `redundant`: the constraint equations depend on each other at all times.
  explicit Dynamics(System&, bool redundant = false);
  Dynamics(const Dynamics&) = delete;  // the solver refers to the terms
  Dynamics& operator=(const Dynamics&) = delete;

  System& system;
  Terms terms;
  VecX a, lambda;                       // accelerations u̇ and multipliers, filled by solve()
  GripForces grips;                     // dry friction of joints, which is no part of an evaluation
  ConstrainedSlopes* slopes = nullptr;  // exact derivatives, where somebody offers them

  long evaluations = 0;  // evaluations of the equations of motion
  long factorizations = 0;
  long solves = 0;       // of linear equations, with factors at hand
  long corrections = 0;  // corrections of positions by Newton's method

  /// Evaluates all terms at an instant and makes the solver ready.
  void evaluate(double t, const In& q, const In& u, const In& z);
  /// As above, with the states of elements at zero.
  void evaluate(double t, const In& q, const In& u);
  /// Evaluates Φ, Φ̇, γ and D alone; the factors stay as they are.
  void look(double t, const In& q, const In& u);
  /// As evaluate(), for constraints only.
  void constrain(double t, const In& q, const In& u);
  /// As look(), unless the terms are those of that state already.  Returns System::gap().
  double gap_at(double t, const In& q, const In& u, const System::Room&);
  /// Factors for a correction of a position whose gap has been measured; those of a nearby position of that instant stay where
  /// they serve as well.
  void factor_nearby(double t, const In& q, double gap, const System::Room&);
  /// Ends an evaluation or a correction at the position last constrained: the next caller may rely on its factors, and close() is free.
  void arrive(double t, const In& q, const In& u);
  /// Makes sure that the terms have the gaps Φ, their rates and D of a state; free of charge at the last one that was put on
  /// the constraints.
  void close(double t, const In& q, const In& u);
  /// Solves M a + Dᵀ λ = g, D a = c, with M and D of the last evaluation.
  void solve(const In& g, const In& c);

  /// Constraints give way from now on: solve() takes D a − C λ = c with the diagonal C, at once for the last evaluation.
  void comply(const VecX& C);
  /// From now on, and at once for the last evaluation, a diagonal mass with these inverses takes the place of that of the
  /// bodies.
  void weigh(const VecX& inverse_mass);
  bool is_weighed() const { return weighed_; }

  /// Moves q to Φ = 0 by the displacement of least mass-weighted size; see treatments/projection.h.
  /// Returns the largest |Φ| left, as System::gap() measures it, and so does the tolerance.
  double project_positions(double t, Out q, const In& u, double tolerance, int most);
  /// Moves u to Φ̇ = 0, likewise, with the terms of the last constrain().
  void project_velocities(Out u);

  /// How independent the constraints are at the last evaluation: 1 at best, 0 at a singular position.  It is
  /// measured in lengths, so that a body of little inertia does not look like a singular position.
  double independence();
  /// The same in the metric of the factors, as they are.
  double independence_of_factors() const { return solver_.independence(); }
  /// The first row of the joint that is closest to becoming dependent there.
  int weakest_row() const { return weakest_; }
  /// Writes ν = −Φ_t of the last evaluation, the right-hand side of the velocity constraints, into `nu`.
  void required_velocities(const In& u, Out nu) const;
  /// Saves or restores the counts of work.  The factors are forgotten, so that a run goes on after a restore
  /// exactly as after the save.
  void memory(Memory&);
  /// Next to a singular position, with positions that are closed to round-off and steps of controlled size: holds firmly
  /// what comes close to depending on other equations.
  void stiffen(bool on);
  bool is_stiff() const { return stiff_; }
  /// Whether the constraint equations depend on each other at all times.
  bool is_redundant() const { return redundant_; }
  /// Forgets the factors, as when what the constraints ask for has been changed from outside.
  void forget();

 private:
  void factor(double t, const In& q);
  void factor_terms(double damping);
  void take_mass();
  bool soften();
  /// Whether the terms are those of a state, and the factors those of its position.
  bool has_terms_of(double t, const In& q, const In& u) const;
  void measure_arms();
  double independence_in_lengths(double by_mass);
  bool turns(int velocity) const { return system.turns[std::size_t(velocity)]; }

  SaddlePoint solver_;
  SaddlePoint geometry_;  // the same constraints in a metric of lengths
  double looked_ =
      0;  // independence in the metric of the mass at the last look at lengths; 0 if there was none ...
  double found_ = 0;  // ... and what was found there
  bool redundant_, stiff_ = false, independence_known_ = false;
  bool weighed_ = false;  // weigh() says what the mass is
  VecX compliance_;
  double independence_ = 1;
  int weakest_ = 0;
  bool tree_;  // no constraints, and the system solves by itself
  VecX zero_, correction_, best_, multipliers_, minus_;
  VecX closed_u_;  // velocities of the rates in the terms, where closed_ is true
  bool closed_ = false;
  double factored_t_ = 0;
  VecX factored_q_;  // the positions of the solver's factors
};
}  // namespace mubody
