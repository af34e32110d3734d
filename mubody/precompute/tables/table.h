#pragma once
// Quantities as functions of some of the independent variables: polynomials, cell by cell.
//
// The coefficients of a cell lie together, power by power, and those of all quantities side by side.  An
// evaluation finds the cell and contracts one argument after the other by Horner's scheme: no iteration, no
// allocation, always the same number of operations.                            docs/theory/tables.md
#include <memory>
#include <vector>

#include "mubody/math/space.h"
#include "mubody/precompute/tables/axis.h"

namespace mubody {
class LookupTable {
 public:
  LookupTable() = default;
  LookupTable(std::vector<int> arguments, std::vector<Axis> axes, int degree, int quantities,
              std::vector<double> coefficients);
  /// The table of a mirrored mechanism, which has the same numbers: `signs` of the quantities, and of the axes, −1 where a
  /// variable counts the other way.
  LookupTable(const LookupTable& of, std::vector<int> arguments, std::vector<Axis> axes,
              std::vector<double> signs, std::vector<double> flips);

  /// The variables by which there are slopes: first those that have axes, then cyclic ones, whose slopes are zero.
  const std::vector<int>& arguments() const { return arguments_; }
  const std::vector<Axis>& axes() const { return axes_; }
  int degree() const { return degree_; }
  int quantities() const { return quantities_; }
  /// Those that are kept; of a mirrored table these are the ones of the other, so that unfolded() is wanted.
  const std::vector<double>& coefficients() const { return *coefficients_; }
  const std::shared_ptr<const std::vector<double>>& kept() const { return coefficients_; }
  /// Both empty if it is not mirrored.
  const std::vector<double>& signs() const { return signs_; }
  const std::vector<double>& flips() const { return flips_; }
  bool mirrored() const { return !signs_.empty(); }
  /// The same functions with numbers of its own.
  LookupTable unfolded() const;
  std::size_t cells() const;
  std::size_t bytes() const { return 8 * coefficients_->size(); }
  /// The number of multiply-adds in one evaluation with slopes.
  long operations() const;
  /// The size of the work space that an evaluation needs.
  std::size_t scratch() const;

  /// Values at θ, and the slope of quantity q by the a-th argument at slopes[a * quantities + q]; `slopes` may
  /// be null.
  void evaluate(const double* theta, double* values, double* slopes, double* scratch) const;

  /// The coefficients of a cell, in a table with one argument.
  const double* cell(const Axis::At& at) const {
    return coefficients_->data() + std::size_t(at.cell) * stride_;
  }

 private:
  std::vector<int> arguments_;
  std::vector<Axis> axes_;
  int degree_ = 3, quantities_ = 0;
  std::size_t stride_ = 0;  // numbers in a cell
  std::shared_ptr<const std::vector<double>> coefficients_ = std::make_shared<const std::vector<double>>();
  std::vector<double> signs_, flips_;
};
}  // namespace mubody
