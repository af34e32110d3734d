#pragma once
// From exact values to a table whose error is measured and lies below a bound.
//
//   1. sample values and slopes at the points of every cell, and find its polynomials
//   2. compare them with exact values at points between, in every cell
//   3. where the error, times a margin, is above the bound, halve the cells along the argument that causes it,
//      and repeat
//
// The memory of each round is computed before it is taken, and is limited.  What the last round will need is foreseen from the
// errors of the first ones, so that nobody waits for a table that cannot be had.
//
// In the neighbourhood of a motion it is otherwise, see make_near.h.           docs/theory/tables.md
#include <functional>
#include <limits>
#include <string>

#include "mubody/precompute/tables/cell_polynomial.h"
#include "mubody/precompute/tables/neighbourhood.h"
#include "mubody/precompute/tables/table.h"

namespace mubody {
/// Functions that can be evaluated exactly and are to be tabulated.
class Sampled {
 public:
  virtual ~Sampled() = default;
  struct Quantity {
    std::string name, unit;
    bool exact_slopes = true;  // otherwise only values are known
    bool slopes_used = false;  // at run time; the bound then holds for slopes too
    double terms = 0;          // size of the terms whose sum the value is, if it exceeds the value
    double factor = 1;         // the most that it is multiplied by at run time; errors are multiplied as well
    int series = 2;            // order of its series in stiff variables, if there are any
    double size = 1;           // what the bound is a share of
  };
  std::vector<Quantity> quantities;
  /// Values, and slopes by the arguments, where the arguments are x; returns false if the mechanism cannot go
  /// there.
  virtual bool at(const VecX& x, Out values, MatX& slopes) = 0;
  /// Where it is, and back there: a mechanism goes on from the last place.
  virtual std::pair<VecX, VecX> here() const { return {}; }
  virtual void put(const std::pair<VecX, VecX>& /*place*/) {}
};

struct TableOptions {
  int degree = 5;
  double bound = 1e-8;        // of the size of each quantity
  bool own_scale = false;     // the size is the largest value, or slope, if that is larger
  std::vector<double> units;  // of the arguments, in which slopes are measured; 1 if empty
  double memory = 100e6;      // the most that may be taken [bytes]
  double work = std::numeric_limits<double>::infinity();  // the most samples that may be taken
  bool only_look = false;                                 // stop after a few rounds, with what is foreseen
  bool thrifty = false;              // cells become as many as needed, in more rounds, rather than being halved
  int intervals = 8;                 // along each argument, to begin with
  CellPolynomials* cells = nullptr;  // those of other tables; may be null
  const Neighbourhood* near = nullptr;         // what is tabulated; everything if null
  std::function<bool()> going;                 // returns false to stop; may be empty
  std::function<void(double bytes)> announce;  // called before memory is taken; may be empty
};

/// How accurate a table is.  Errors are the largest that were found, times the margin and the factor of the
/// quantity; those of slopes are per unit of the argument.
struct Certificate {
  static constexpr double margin = 2;
  std::vector<double> value, slope;            // errors of each quantity; of slopes only where they are used
  std::vector<double> largest;                 // the largest |value| of each quantity
  std::vector<double> value_size, slope_size;  // what the bound is a share of, for each quantity
  double worst = 0;                            // the largest error relative to what is allowed: at most 1
  long samples = 0, checks = 0;                // evaluations to make the table, and to check it
};

struct MadeTable {
  enum Ending {
    made,
    interrupted,
    unreachable,    // the mechanism cannot go to the arguments `where`
    looked,         // `needed` and `work` are foreseen; there is no table
    out_of_memory,  // `needed` is more than there is
    too_long,       // `work` is more than may be done
    not_accurate    // the error stays above the bound, however fine the cells are
  };
  Ending ending = made;
  LookupTable table;
  Certificate certificate;
  VecX where;
  double needed = 0;   // memory of the last attempt, or the least that is foreseen [bytes]
  double work = 0;     // samples, likewise
  double reached = 0;  // error of the last attempt that was complete
  std::string worst;   // the quantity that has this error
};
/// The coefficients of all quantities on a cell, from samples at its points; written where the table has them.
void fit_cell(const CellPolynomial&, const std::vector<Sampled::Quantity>&, const std::vector<VecX>& values,
              const std::vector<MatX>& slopes, const VecX& half, bool roughly, double* to);
/// Arguments beyond the axes are cyclic: nothing depends on them, and the functions are not told of them.
///
/// Cells are visited in an order in which each is next to the one before, so that a mechanism moves little
/// between samples.
MadeTable make_table(Sampled&, std::vector<int> arguments, std::vector<Axis> axes, const TableOptions&);
}  // namespace mubody
