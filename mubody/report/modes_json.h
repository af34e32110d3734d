#pragma once
// Modes for a page that shows them moving: their figures, and positions over one period.
#include <nlohmann/json_fwd.hpp>

#include "mubody/results/results.h"

namespace mubody::io {
/// Null if the results have no modes.
nlohmann::ordered_json modes_json(const Results&);
}  // namespace mubody::io
