#pragma once
// Polynomials on a cell [−1, 1]ⁿ from values and exact slopes: what tables are made of.
//
//   f(s) = Σ c_ab.. s₁ᵃ s₂ᵇ ..,   0 ≤ a, b, .. ≤ d
//
// With one argument a polynomial of degree d has the values of the function at both ends and its slopes there; between
// them it follows the slopes at d − 2 more points.  Slopes rather than values, since differences of values in a small cell
// have few digits left.  With several arguments values and slopes at the ends and values at d − 3 points between are met,
// and the products of these, but for those of two slopes: mixed derivatives are not known exactly, and values at further
// points between take their place.  So neighbouring cells have the same values on the whole of their common border, and
// with one argument the same slopes too.  Quantities without exact slopes have values at d + 1 points.
//                                                                              docs/theory/tables.md
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
/// The data that fix the polynomial of one cell, and the way from them to its coefficients.
class Hermite {
 public:
  Hermite(int arguments, int degree);

  int arguments() const { return n_; }
  int degree() const { return degree_; }
  int coefficients() const { return int(T_.rows()); }
  /// Where the function is looked at; for quantities with and without exact slopes.
  const std::vector<VecX>& points() const { return points_; }
  /// Where an interpolated function is compared with the true one: places of that sort along one argument, and points
  /// between the data in all of them.
  const std::vector<VecX>& checks(int argument) const { return checks_[std::size_t(argument)]; }
  const std::vector<VecX>& checks() const { return all_checks_; }

  /// What each of the data is: a point, and −1 for the value or the argument of a slope there.
  struct Datum {
    int point, slope;
  };
  const std::vector<Datum>& data(bool slopes) const { return slopes ? use_ : use_values_; }
  /// Coefficients of powers, the last argument's power running fastest, from the data: c = T f.  A column for each function.
  /// T is large where degrees are high, so that sums need more digits than their terms and their result have.
  MatX fit(bool slopes, const MatX& f) const;

 private:
  int n_, degree_;
  std::vector<VecX> points_, all_checks_;
  std::vector<std::vector<VecX>> checks_;
  std::vector<Datum> use_, use_values_;
  using Exact = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Exact T_, T_values_;
};
}  // namespace mubody
