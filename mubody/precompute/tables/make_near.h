#pragma once
// A table of the neighbourhood of a motion: cells where it comes by, as fine as each of them needs, and nothing elsewhere.
//
//   1. go along the motion; cells that it passes are sampled from there, and those that miss the bound or cannot be reached
//      as a whole are divided in two
//   2. go on from these into cells within reach beside the motion; what cannot be reached there, or comes so close to a dead
//      point that it is much steeper than anywhere in the motion, is left out
//
// Cells of different size meet at borders, where values differ by no more than the bound.   docs/theory/tables.md
#include "mubody/precompute/tables/make_table.h"

namespace mubody {
/// As make_table(), with `near` among the options.
MadeTable make_near(Sampled&, std::vector<int> arguments, std::vector<Axis> axes, const TableOptions&);
}  // namespace mubody
