#pragma once
// Parameters keep their unit in formulas: with k = "20 kN/m", "= 2*k" is a stiffness and cannot be an inertia.
//
// A number of the formula is a pure number in products, and fits to anything in sums and as a result.  Parameters
// without a unit, the time and the state may stand for anything: what they are multiplied with is not known any more.
#include "mubody/reading/values.h"

namespace mubody::io {
/// The unit that the parameters of a formula give it; none where it fits everywhere.  Refuses sums of unlike units, and
/// functions such as sin of anything but a number or an angle.
std::optional<Dimension> unit_of_formula(const Node&, const Scope&, const std::vector<std::string>& variables,
                                         const Known&);

/// Whether quantities of these units may be compared: radians may be left out where a mass or a length is involved.
bool is_one_kind(const Dimension&, const Dimension&);

/// Refuses a formula whose parameters give it another unit than the expected one.  Radians may be left out or added, and
/// where a number without a unit is expected, any will do.
void expect_unit(const Node&, const Scope&, const std::vector<std::string>& variables, std::string_view unit,
                 const Known&);
}  // namespace mubody::io
