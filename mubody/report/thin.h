#pragma once
// Chooses the rows and columns of long results that a page keeps to stay small, and measures what is lost.
//
// The rows are cut into equal stretches.  Each keeps its first row and the row furthest from the straight line
// to the next stretch, so that short peaks survive.  Distances are measured by the range of the column.
// Violations and the residual of the energy, which are rounding at best, do not count.
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
  std::vector<std::size_t> rows;  // rows that are kept, in order
  std::vector<Picked> columns;    // columns that are kept, without times, in the order of the tables
  std::size_t left_out = 0;       // columns that are not kept
  double error = 0;   // largest distance of a dropped row from the line between its kept neighbours,
  std::string worst;  // by the range of its column; and the name of that column
};

struct ThinLimits {
  std::size_t values = 3'200'000;  // at most, in all
  std::size_t rows = 20'000;       // at most
  std::size_t fewest = 500;        // columns are dropped rather than keep fewer rows than this
};

/// The tables must have the same rows, with the time in their first columns.
Thinned thin(std::span<const Table* const>, const ThinLimits& = {});
}  // namespace mubody::io
