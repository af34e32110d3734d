#pragma once
// Polynomials on a cell [−1, 1]ⁿ from values and exact slopes: the pieces of a table.
//
//   f(s) = Σ c_ab.. s₁ᵃ s₂ᵇ ..,   0 ≤ a, b, .. ≤ d
//
// With one argument, a polynomial of degree d has the values and slopes of the function at both ends, and
// follows its slopes at d − 2 points between them.  Slopes are used rather than values, because differences of
// values in a small cell have few digits left.
//
// With several arguments, the data along each of them are values and slopes at the ends and values at d − 3
// points between, and the data of the cell are their products.  Products of two slopes are left out, because
// mixed derivatives are not known exactly; values at further points take their place.
//
// Neighbouring cells therefore have the same values on the whole of their common border, and with one argument
// the same slopes too.  A quantity without exact slopes is given by its values at d + 1 points along each
// argument.
//                                                                              docs/theory/tables.md
#include <map>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
/// The data that fix the polynomial of one cell, and the way from them to its coefficients.
class CellPolynomial {
 public:
  CellPolynomial(int arguments, int degree);

  int arguments() const { return n_; }
  int degree() const { return degree_; }
  int coefficients() const { return int(T_.rows()); }
  /// The points at which the function is sampled, for quantities with and without exact slopes.
  const std::vector<VecX>& points() const { return points_; }
  /// The points at which the polynomial is compared with the true function: those that show the error along one
  /// argument, and those that lie between the data in all arguments.
  const std::vector<VecX>& checks(int argument) const { return checks_[std::size_t(argument)]; }
  const std::vector<VecX>& checks() const { return all_checks_; }

  /// One of the data: the value at a point, if `slope` is −1, or the slope there by that argument.
  struct Datum {
    int point, slope;
  };
  const std::vector<Datum>& data(bool slopes) const { return slopes ? use_ : use_values_; }
  /// Coefficients of powers from the data, c = T f, with a column for each function; the power of the last
  /// argument runs fastest.  Entries of T are large where degrees are high, so the sums are taken in more
  /// digits than double precision has; unless `roughly`, which is ten times as fast where there are three arguments.
  MatX fit(bool slopes, const MatX& f, bool roughly = false) const;

 private:
  int n_, degree_;
  std::vector<VecX> points_, all_checks_;
  std::vector<std::vector<VecX>> checks_;
  std::vector<Datum> use_, use_values_;
  using Exact = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Exact T_, T_values_;
  mutable MatX rough_, rough_values_;  // the same in double precision, once it is asked for
};

/// Those of all tables, since one of several arguments takes long to set up.
class CellPolynomials {
 public:
  const CellPolynomial& of(int arguments, int degree) {
    return all_.try_emplace({arguments, degree}, arguments, degree).first->second;
  }

 private:
  std::map<std::pair<int, int>, CellPolynomial> all_;
};
}  // namespace mubody
