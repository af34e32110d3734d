#pragma once
// Explicit Runge-Kutta methods.  A method is a table; the step is written once.
//
//   k_i = f(t + c_i h, y + h Σ_{j<i} a_ij k_j),    y⁺ = y + h Σ b_i k_i
//
//   Hairer, Nørsett & Wanner, Solving ODEs I, sec. II.1, II.4, II.6     docs/theory/integrators.md
#include <vector>

#include "mubody/integrators/integrator.h"

namespace mubody {
struct Tableau {
  int order;
  std::vector<double> c;                   // nodes
  std::vector<std::vector<double>> a;      // stages, strictly lower triangular
  std::vector<double> b;                   // weights
  std::vector<double> e;                   // weights of the error estimate; empty: fixed steps
  std::vector<std::vector<double>> dense;  // b_i(θ) = Σ_k dense[i][k] θ^(k+1); empty: no dense output
  bool first_same_as_last = false;         // the last stage is f(t + h, y⁺)
};

/// Fixed steps for tables without an error estimate, controlled steps for the others.
std::unique_ptr<Integrator> make_runge_kutta(const Tableau&, const StepControl&);

/// ζ − R(μ) with R(μ) = 1 + μ bᵀ(I − μA)⁻¹ 1 = 1 + Σ_k μ^k bᵀA^(k−1) 1, a polynomial since A is nilpotent.
StabilityPolynomial stability_of(const Tableau&);
}  // namespace mubody
