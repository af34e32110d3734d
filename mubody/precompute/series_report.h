#pragma once
// What the series in a table of bodies leave out, and what they tell of design variables.
#include "mubody/precompute/precompute.h"

namespace mubody {
/// `table` is that of bodies with so many coordinates each, its series of these orders in these variables.
void report_series(const TableReport& table, const std::vector<int>& order, int coordinates,
                   const std::vector<std::string>& small, bool design, Precomputed&);
}  // namespace mubody
