#pragma once
// Taylor series in small variables beside the arguments of a table; their coefficients are tabulated.
//
//   f(θ, σ) = f(θ) + Σ f_s(θ) σ_s + Σ_{s ≥ t} f_st(θ) σ_s σ_t
//
// The small variables are stiff variables of deformable joints, or design variables.  Each quantity has terms
// up to an order of its own; they lie one after the other in the table: 1, then σ_1, σ_2, ..., then σ_1², σ_2
// σ_1, σ_2², ...  With both kinds, each term of the series in stiff variables is itself a series in design variables.
//
// Precomputation (dissertation), eqs. 5.4.2-5.4.9.                            docs/theory/deformable-joints.md
#include <memory>
#include <span>

#include "mubody/precompute/tables/make_table.h"

namespace mubody {
/// The number of terms of a series in n variables.
constexpr int terms_of(int order, int n) { return 1 + (order > 0 ? n : 0) + (order > 1 ? n * (n + 1) / 2 : 0); }

/// The coefficients as functions of the free variables alone.
class TaylorSamples final : public Sampled {
 public:
  struct Small {
    std::string name;
    double step = 1e-3;  // of difference quotients
    double most = 1;     // the largest value that is expected; errors of coefficients are multiplied by it
  };
  /// The arguments of `of` are the free variables and then the small ones.  If it has exact slopes, and
  /// `slopes_by_small` says that they include those by small variables, these are the first derivatives and
  /// their differences give the second. Otherwise differences of values give the first derivatives, and there
  /// are no second ones.
  TaylorSamples(Sampled& of, int free, std::vector<Small> small, std::vector<int> order, bool slopes_by_small);
  /// The same, of functions that it keeps.
  TaylorSamples(std::unique_ptr<Sampled> of, int free, std::vector<Small> small, std::vector<int> order,
                bool slopes_by_small);
  bool at(const VecX& x, Out values, MatX& slopes) override;
  /// The orders that the quantities have in the end: no more than asked for, and 1 where there are no second
  /// derivatives.
  const std::vector<int>& order() const { return order_; }

 private:
  bool sample(const VecX& x, VecX& f, MatX& g);

  std::unique_ptr<Sampled> kept_;
  Sampled& of_;
  int free_;
  std::vector<Small> small_;
  std::vector<int> order_;
  bool slopes_by_small_;
};

/// Sums the series: from values and slopes of a table (the slope of number k of `in` by the a-th of `free`
/// arguments at [a * in + k]) to those of the quantities.  Slopes by small variables follow those by free
/// ones.  Terms of an order above `upto` are left out.
void sum_series(std::span<const int> order, int free, std::span<const double> sigma, int upto,
                const double* values, const double* slopes, double* out, double* out_slopes);
/// The terms of second order alone, for one quantity whose first term is values[0].
double second_order(std::span<const double> sigma, const double* values);
}  // namespace mubody
