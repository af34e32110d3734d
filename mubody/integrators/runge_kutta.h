#pragma once
// Explicit Runge-Kutta methods.  A method is a table; the step is written once.
//
//   k_i = f(t + c_i h, y + h Σ_{j<i} a_ij k_j),    y⁺ = y + h Σ b_i k_i
//
//   Hairer, Nørsett & Wanner, Solving ODEs I, sec. II.1, II.4, II.6     docs/theory/integrators.md
#include <string_view>
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

/// The stages of a step from a state y at a time t, and the sum that they lead to.
struct ExplicitStep {
  const Tableau& table;
  double t, h;              // [s]
  const VecX &y, &residue;  // the state, and rounding errors of it that the sum is to make good
  bool first;               // the rates of the first stage are known
  std::vector<VecX>& k;     // rates of each stage
  VecX &sum, &lost;         // y⁺, and rounding errors of it
};

/// The table of the explicit steps of an integrator of that name; null if it has none.
const Tableau* find_tableau(std::string_view integrator);

/// Fixed steps for tables without an error estimate, controlled steps for the others.
std::unique_ptr<Integrator> make_runge_kutta(const Tableau&, const StepControl&);

/// The first step of a motion that lasts `span`, where y and y' are so large relative to their tolerance: a trial step,
/// which gives y'', and the step itself from the larger of y' and y''.  A start that is round-off beside zero counts as
/// large as the tolerance.  Sec. II.4.
inline double first_trial(double y, double slope, double span) {
  return y < 1e-5 || slope < 1e-5 ? 1e-6 * std::min(1.0, span) : 0.01 * std::max(1.0, y) / slope;
}
inline double first_step(double trial, double steepest, int order, double span) {
  const double step = steepest <= 1e-15 ? std::max(1e-6 * std::min(1.0, span), 1e-3 * trial)
                                        : std::pow(0.01 / steepest, 1.0 / order);
  return std::min(100 * trial, step);
}

/// Proportional-integral control of the steps.  Hairer & Wanner, Solving ODEs II, sec. IV.2.
struct StepSizes {
  static constexpr double beta = 0.04;
  double next = 0;           // [s]; 0 if none is chosen yet
  double last_error = 1e-4;  // relative to the tolerance

  /// Shorter steps are lost in the round-off of time.
  static double shortest(double t, double t_end) {
    return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(t_end));
  }
  /// Where the next step ends, which is at most so long; no tiny step is left at the end.
  double end_of_next(double t, double most, double t_end) {
    next = std::min(next, most);
    return t + next > t_end - 0.01 * next ? t_end : t + next;
  }
  /// By what a step with an error of this size is to be shorter.
  static double shorter(double size, int order) {
    return std::isfinite(size) ? std::clamp(0.9 * std::pow(size, -exponent(order)), 0.1, 0.9) : 0.1;
  }
  /// Chooses the next step after an accepted one, which was cut if the end came first.
  void accept(double h, double size, int order, bool retried, bool at_end) {
    const double wanted = 0.9 * std::pow(std::max(size, 1e-10), -exponent(order)) * std::pow(last_error, beta);
    const bool cut = at_end && h < next;
    if (!cut) next = h * std::clamp(wanted, 0.2, retried ? 1.0 : 5.0);
    last_error = std::max(size, 1e-4);
  }

 private:
  static double exponent(int order) { return 1.0 / order - 0.75 * beta; }
};

/// ζ − R(μ) with R(μ) = 1 + μ bᵀ(I − μA)⁻¹ 1 = 1 + Σ_k μ^k bᵀA^(k−1) 1, a polynomial since A is nilpotent.
StabilityPolynomial stability_of(const Tableau&);
}  // namespace mubody
