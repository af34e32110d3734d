#pragma once
// From exact values to a table whose error is known and below a bound.
//
//   1. take values and slopes at the points of every cell, and from them its polynomials
//   2. compare with the exact values at points between, in every cell
//   3. where the error, times a margin, is above the bound, halve the cells along the argument that causes it, and
//      repeat
//
// Memory is known before it is taken, and limited.                             docs/theory/tables.md
#include <functional>
#include <string>

#include "mubody/precompute/tables/hermite.h"
#include "mubody/precompute/tables/table.h"

namespace mubody {
/// What is tabulated.
class Sampled {
 public:
  virtual ~Sampled() = default;
  struct Quantity {
    std::string name, unit;
    bool exact_slopes = true;  // else only values are at hand
    bool slopes_used = false;  // at run time: then the bound holds for them too
    double terms = 0;          // size of what its value is the sum of, if that is more than the value
    double factor = 1;         // that it is multiplied with at most, at run time: errors count as much
  };
  std::vector<Quantity> quantities;
  /// Values, and slopes by the table's arguments, at values of these; false if the mechanism cannot go there.
  virtual bool at(const VecX& x, Out values, MatX& slopes) = 0;
};

struct TableOptions {
  int degree = 5;
  double bound = 1e-8;
  double memory = 100e6;                   // [bytes]
  int intervals = 8;                       // to begin with, along each argument
  std::function<bool()> going;             // false stops; may be empty
  std::function<void(double bytes)> tell;  // the memory that will be taken next; may be empty
};

/// How good a table is, quantity by quantity; errors are largest ones found, times the margin and the quantity's factor.
struct Certificate {
  static constexpr double margin = 2;
  std::vector<double> value, slope;  // slope: only of those that are used
  std::vector<double> largest;       // |value|
  double worst = 0;                  // of all, relative to what was allowed: at most 1
  long samples = 0, checks = 0;
};

struct MadeTable {
  enum Fate { made, interrupted, unreachable, too_large, too_coarse };
  LookupTable table;
  Certificate certificate;
  Fate fate = made;
  std::string why;     // it could not be made, in words
  VecX where;          // ... at these arguments, if it is about a place
  double needed = 0;   // ... memory, if that is what it lacks [bytes]
  double reached = 0;  // ... error that the memory allows
};
MadeTable make_table(Sampled&, std::vector<int> arguments, std::vector<Axis> axes, const TableOptions&);
}  // namespace mubody
