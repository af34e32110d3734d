#pragma once
// What to change where tables cannot be made as asked: memory, bound, degree or ranges.   docs/theory/tables.md
#include <functional>
#include <optional>

#include "mubody/precompute/region_maker.h"

namespace mubody {
/// The size of the tables with these options [bytes], if they can be made with little work.
using Trial = std::function<std::optional<double>(const PrecomputeOptions&)>;
/// Options that would do in place of those that do not, as in "--bound 1e-06, or a smaller --range"; each number is tried
/// before it is proposed.
std::string proposals(const Study&, const PrecomputeOptions&, const TooTight&, const Trial&);
}  // namespace mubody
