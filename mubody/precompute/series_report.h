#pragma once
// What the series in a table of bodies leave out, and how coordinates depend on design variables.
#include "mubody/precompute/precompute.h"

namespace mubody {
/// Adds to `neglected` and `sensitivities`.  `table` holds bodies, and series of these orders in the stiff variables of the
/// model, with series in its design variables.
void report_series(const TableReport& table, const std::vector<int>& order, const BodyLayout&, Precomputed&);
}  // namespace mubody
