#pragma once
// Modes for a page that animates them: their figures, and positions over one period.

#include "mubody/results/results.h"
#include "mubody/text/json.h"

namespace mubody::io {
/// Null if the results have no modes.
Json modes_json(const Results&);

/// Gains and phases of every output for every input over the frequency.  Null if the results have none.
Json bode_json(const Results&);
}  // namespace mubody::io
