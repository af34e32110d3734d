#pragma once
// Quantities as functions of some of the independent variables: polynomials, cell by cell.
//
// The coefficients of a cell lie together, power by power, and those of all quantities side by side.  An
// evaluation finds the cell and contracts one argument after the other by Horner's scheme: no iteration, no
// allocation, always the same number of operations.                            docs/theory/tables.md
#include <vector>

#include "mubody/math/space.h"
#include "mubody/precompute/tables/axis.h"

namespace mubody {
class LookupTable {
 public:
  LookupTable() = default;
  LookupTable(std::vector<int> arguments, std::vector<Axis> axes, int degree, int quantities,
              std::vector<double> coefficients);

  /// The variables by which there are slopes: first those that have axes, then cyclic ones, whose slopes are zero.
  const std::vector<int>& arguments() const { return arguments_; }
  const std::vector<Axis>& axes() const { return axes_; }
  int degree() const { return degree_; }
  int quantities() const { return quantities_; }
  const std::vector<double>& coefficients() const { return coefficients_; }
  std::size_t cells() const;
  std::size_t bytes() const { return 8 * coefficients_.size(); }
  /// The number of multiply-adds in one evaluation with slopes.
  long operations() const;
  /// The size of the work space that an evaluation needs.
  std::size_t scratch() const;

  /// Values at θ, and the slope of quantity q by the a-th argument at slopes[a * quantities + q]; `slopes` may
  /// be null.
  void evaluate(const double* theta, double* values, double* slopes, double* scratch) const;

  /// The coefficients of a cell, in a table with one argument.
  const double* cell(const Axis::At& at) const { return coefficients_.data() + std::size_t(at.cell) * stride_; }

 private:
  std::vector<int> arguments_;
  std::vector<Axis> axes_;
  int degree_ = 3, quantities_ = 0;
  std::size_t stride_ = 0;  // numbers in a cell
  std::vector<double> coefficients_;
};
}  // namespace mubody
