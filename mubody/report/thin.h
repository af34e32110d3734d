#pragma once
// Which rows and columns of long results are kept so that a page stays small, and what that costs.
//
// The rows are cut into equal stretches.  Of each, the first row is kept and the row that is furthest from the straight
// line to the next stretch, so that short peaks survive.  How far a number is off is measured by the range of its
// column.  Violations and the residual of the energy, which are rounding at best, have no say in this.
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mubody/results/results.h"

namespace mubody::io {
/// A column of a table.
struct Picked {
  std::size_t table = 0, column = 0;
};

struct Thinned {
  std::vector<std::size_t> rows;  // that are kept, in order
  std::vector<Picked> columns;    // that are kept, without times; in the order of the tables
  std::size_t left_out = 0;       // columns that are not kept
  double error = 0;   // largest distance of a row that is not kept from the line between its neighbours that
  std::string worst;  // are, by the range of its column; and that column
};

struct ThinLimits {
  std::size_t values = 3'200'000;  // in all
  std::size_t rows = 20'000;       // at most
  std::size_t fewest = 500;        // columns are left out before there are fewer rows than this
};

/// Tables have the same rows, the time in their first columns.
Thinned thin(std::span<const Table* const>, const ThinLimits& = {});
}  // namespace mubody::io
