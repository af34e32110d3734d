#pragma once
// Whether a precomputed model is one: what an evaluation relies on, so that it need not look itself.
//
// Models come from files, and files from strangers.  Nothing here asks whether the numbers are right, only whether all
// that they refer to is there.
#include "mubody/mechanism/mechanism.h"
#include "mubody/precompute/tables/model.h"

namespace mubody {
/// The most design variables that a model has.
inline constexpr std::size_t most_design_variables = 64;
/// Directions in which the joints of one loop give way, at most.
inline constexpr std::size_t most_stiff_variables = 24;

/// Marks variables as cyclic that tables have slopes by, but no axes.
void mark_cyclic(RealTimeModel&);
/// Checks the model by itself: numbers of variables, tables, series, regions and their borders.  Throws ModelError.
void check_tables(const RealTimeModel&);
/// Checks that it belongs to this mechanism: its bodies, forces and scalars, each of them once.  Throws ModelError.
void check_tables_fit(const RealTimeModel&, const Mechanism&);
}  // namespace mubody
