#pragma once
// The error of a motion, estimated by computing it once more with coarser steps.      docs/theory/estimate.md
#include <functional>

#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody {
/// Computes the motion of a study as it stands.
using ComputeMotion = std::function<Results(const Study&, const Progress&)>;

/// The motion with what is known about its error: as far as the study asks for it, computed a second time with
/// coarser steps, and again with finer ones until it has the digits that are asked for.
Results run_with_estimate(const Study&, const Progress&, const ComputeMotion&);
}  // namespace mubody
