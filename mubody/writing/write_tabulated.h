#pragma once
// Tabulated quantities over a net of the independent variables, as a CSV file: curves and surfaces for other programs.
//
//   region, the variables, then every quantity of every table: J, V, Q and C, coordinates of bodies and velocity
//   coefficients, scalars of forces; with joints that give way or design variables, the terms of their series.
#include <string>

#include "mubody/precompute/precompute.h"

namespace mubody::io {
/// One row for each point of the net; cells of variables and quantities that a region does not have are empty.
std::string tabulated_csv(const Precomputed&);
/// The tables of a region in the order in which they were made and reported.
std::vector<const LookupTable*> tables_of(const mubody::Region&);
inline constexpr std::string_view tabulated_csv_start = "region,";
}  // namespace mubody::io
