#pragma once
// Quantities as functions of some of the independent variables: polynomials, cell by cell.
//
// The coefficients of a cell lie together, power by power, and those of all quantities side by side.  An
// evaluation finds the cell and contracts one argument after the other by Horner's scheme: no iteration, no
// allocation, always the same number of operations.
//
// A table that covers only the neighbourhood of a motion has a tree in place of cells that are all there: a cell is divided in
// two along an argument, or absent.  Then a few comparisons come before the contraction.
//                                                                              docs/theory/tables.md
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
  /// `tree` has a node for each cell of the axes, and others after these; a node is two numbers, kind and place.  A kind that is
  /// an axis divides the cell in the middle of it: its halves are the nodes `place` and `place` + 1.  Other kinds are below.
  LookupTable(std::vector<int> arguments, std::vector<Axis> axes, int degree, int quantities,
              std::vector<double> coefficients, std::vector<int> tree);
  enum {
    numbers_at = -1,
    absent = -2
  };  // kinds of nodes; numbers of a cell stand at `place`, counted in cells
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
  std::size_t cells() const { return stride_ == 0 ? 0 : coefficients_->size() / stride_; }
  /// Empty if all cells of the axes are there.
  const std::vector<int>& tree() const { return tree_; }
  std::size_t bytes() const { return 8 * coefficients_->size() + 4 * tree_.size(); }
  /// The number of multiply-adds in one evaluation with slopes.
  long operations() const;
  /// The size of the work space that an evaluation needs.
  std::size_t scratch() const;

  /// Whether there are numbers at θ.
  bool holds(const double* theta) const;
  /// The cell that is closest to θ of those that there are: middle and half width along each axis.
  std::vector<Axis::Cell> closest(const double* theta) const;

  /// Values at θ, and the slope of quantity q by the a-th argument at slopes[a * quantities + q]; `slopes` may
  /// be null.  Where the cell is absent, they are those at the border of one that is close.
  void evaluate(const double* theta, double* values, double* slopes, double* scratch) const;

  /// The coefficients of a cell, in a table with one argument.
  const double* cell(const Axis::At& at) const {
    return coefficients_->data() + std::size_t(at.cell) * stride_;
  }

 private:
  std::size_t roots() const;
  // Goes down the tree from a cell of the axes; returns the node, and changes the place s in the cell and ds/dx.  Where a half is
  // absent it goes to the border of the other one.
  std::size_t descend(std::size_t cell, double* s, double* scale) const;
  // The cell of the axes that is closest to another, of those that there are, with the place on its border.
  std::size_t nearest_root(std::size_t from, double* s) const;

  std::vector<int> arguments_;
  std::vector<Axis> axes_;
  int degree_ = 3, quantities_ = 0;
  std::size_t stride_ = 0;  // numbers in a cell
  std::shared_ptr<const std::vector<double>> coefficients_ = std::make_shared<const std::vector<double>>();
  std::vector<double> signs_, flips_;
  std::vector<int> tree_;
};
}  // namespace mubody
