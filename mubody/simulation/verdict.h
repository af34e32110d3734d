#pragma once
// Whether a computed motion can be trusted, in words.
#include <span>

#include "mubody/mechanism/driver_jumps.h"
#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody {
/// Fills `trusted` and `verdict` from the outcome, the violations, the energy balance and the estimate of the error.
void judge(const AnalysisOptions&, Results&);
/// Whether positions that were solved for satisfy the constraints: as far as the file asks for, or to a billionth of the
/// characteristic length.
bool positions_close(const AnalysisOptions&, const Statistics&);
/// Takes the trust back from an answer in which something is not finite, whoever gave it.
void distrust_not_finite(Results&);
/// Takes it back where a driver follows a function of the program whose derivatives are not those of its values, and where bodies
/// have passed through each other.
void distrust_elements(const Mechanism&, Results&);
/// Notes that accelerations which drivers ask for are not finite, and where their positions jump the velocities.
void note_jumps(std::span<const DriverJump>, Results&);
/// Remarks a largest reaction beside a singular position, where it may be as large as one likes.
void remark_unbounded(Results&);
}  // namespace mubody
