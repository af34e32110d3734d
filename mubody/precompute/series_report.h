#pragma once
// What the series in a table of bodies leave out, and how coordinates depend on design variables.
#include "mubody/precompute/precompute.h"

namespace mubody {
/// Adds to `neglected`, or with `design` to `sensitivities`.  `table` holds bodies, and series of these orders
/// in the variables `small`.
void report_series(const TableReport& table, const std::vector<int>& order, const BodyLayout&,
                   const std::vector<std::string>& small, bool design, Precomputed&);
}  // namespace mubody
