#pragma once
// The generalized-α method on the equations of motion of index 3: positions satisfy Φ = 0, forces and multipliers are
// those of the end of the step, and high frequencies are damped as much as one likes.
//
//   Chung & Hulbert (1993); Arnold & Brüls (2007); Brüls, Cardona & Arnold (2012), eqs. 18-24
//                                                               docs/theory/generalized-alpha.md
//
//   M u̇ + Dᵀ λ = Q(t, q, u),   Φ(t, q) = 0                           at the end of the step
//   (1 − α_m) a⁺ + α_m a = (1 − α_f) u̇⁺ + α_f u̇
//   q⁺ = q ∘ exp(h u + h² (½ − β) a + h² β a⁺),    u⁺ = u + h (1 − γ) a + h γ a⁺
//
// When: stiff springs, dampers and bushings, with steps far beyond the stability of explicit methods.  When
// not: for smooth motion, where it is of second order only; where energy must be kept.
#include "mubody/treatments/treatment.h"

namespace mubody {
struct GeneralizedAlpha {
  static constexpr Info info{"generalized-alpha",
                             "implicit steps of its own on the equations of index 3, for stiff systems"};
  static constexpr int order = 2;
  static constexpr bool multipliers_alone = true;
  double radius = 0.8;
  double tolerance = 1e-12;
  int iterations = 25;

  void fields(Fields& f) {
    f.optional(
        "radius", radius, "1",
        "what is left of the highest frequencies after a step: nearly 1 keeps them, 0 damps them at once");
    f.optional(
        "tolerance", tolerance, "1",
        "change of positions at which Newton's iteration stops: a share of the characteristic length, or rad");
    f.optional("iterations", iterations, "1", "of Newton per step, at most");
  }
  void check() const {
    require(radius >= 0 && radius <= 1, "radius", "must lie between 0 and 1");
    require(tolerance > 0, "tolerance", "must be positive");
    require(iterations >= 2, "iterations", "must be at least 2");
  }
  std::unique_ptr<Integrator> stepper(Dynamics&, const Stepping&);

  /// The accelerations of a given state, as for the output.
  void accelerations(Dynamics& d) { d.solve(d.terms.Q, d.terms.gamma); }
  /// Steps end on the constraints; states between them, for the output, are put there.
  void after_step(Dynamics& d, double t, Out q, Out u) { d.project_positions(t, q, u, tolerance, 4); }
};
}  // namespace mubody
