#pragma once
// A curve that is passed at a constant speed, such as a road that runs under a wheel, as a function of time: so that steps end
// where it bends, and pass over nothing that is short.                                docs/theory/breakpoints.md
#include "mubody/functions/function.h"

namespace mubody {
/// The function f(begin + speed t) of time.  That of a formula is a formula.  Its breakpoints are jumps where its value or slope
/// jumps.
Function passed(const Function& f, double begin, double speed);
}  // namespace mubody
