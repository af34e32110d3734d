#pragma once
// Modes for a page that animates them: their figures, and positions over one period.

#include "mubody/results/results.h"
#include "mubody/text/json.h"

namespace mubody::io {
/// Null if the results have no modes.
Json modes_json(const Results&);
}  // namespace mubody::io
