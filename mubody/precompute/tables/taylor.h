#pragma once
// Small variables beside those of a table: Taylor series in them, whose coefficients are tabulated.
//
//   f(θ, σ) = f(θ) + Σ f_s(θ) σ_s + Σ_{s ≥ t} f_st(θ) σ_s σ_t
//
// Stiff variables of deformable joints are such, and design variables.  A quantity has terms up to its own order; they lie
// one after the other in the table: 1, then σ_1, σ_2, ..., then σ_1², σ_2 σ_1, σ_2², ...
//
// Precomputation (dissertation), eqs. 5.4.2-5.4.9.                            docs/theory/deformable-joints.md
#include <span>

#include "mubody/precompute/tables/make_table.h"

namespace mubody {
/// Terms of a series of that order in n variables.
constexpr int terms_of(int order, int n) { return 1 + (order > 0 ? n : 0) + (order > 1 ? n * (n + 1) / 2 : 0); }

/// The coefficients as functions of the free variables alone.
class TaylorSamples final : public Sampled {
 public:
  struct Small {
    std::string name;
    double step = 1e-3;  // for differences
    double most = 1;     // as large as it is expected to become: errors of terms count at that
  };
  /// `of` has the free variables and then the small ones as arguments.  Where it has exact slopes and `slopes_by_small`, first
  /// derivatives by small variables are those, and second ones their differences; otherwise differences of values.
  TaylorSamples(Sampled& of, int free, std::vector<Small> small, std::vector<int> order, bool slopes_by_small);
  bool at(const VecX& x, Out values, MatX& slopes) override;
  /// Of each quantity, after all: differences of values give first derivatives only.
  const std::vector<int>& order() const { return order_; }

 private:
  bool look(const VecX& x, VecX& f, MatX& g);

  Sampled& of_;
  int free_;
  std::vector<Small> small_;
  std::vector<int> order_;
  bool slopes_by_small_;
};

/// Sums the series: from the values and slopes of a table (slope by the a-th of `free` arguments at [a * in + k]) to those of the
/// quantities, slopes by small variables behind those by free ones.  Terms above `upto` are left out.
void sum_series(std::span<const int> order, int free, std::span<const double> sigma, int upto,
                const double* values, const double* slopes, double* out, double* out_slopes);
/// The terms of second order alone, of one quantity whose first term is values[0].
double second_order(std::span<const double> sigma, const double* values);
}  // namespace mubody
