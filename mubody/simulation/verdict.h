#pragma once
// Whether a computed motion can be trusted, in words.
#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody {
/// Fills `trusted`, `verdict` and remarks from the outcome, the violations and the energy balance.
void judge(const AnalysisOptions&, Results&, double expected_violation = 0);
}  // namespace mubody
