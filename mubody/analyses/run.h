#pragma once
// The way into the analyses, which are the other headers of this folder.
#include "mubody/study/options.h"

namespace mubody {
/// What study.analysis.type asks for.  Throws ModelError if the model cannot mean that.
Results run(const Study&, const Progress& = {});

/// Motion from forces, with the energy balance.
Results run_forward(const Study&, const Progress& = {});
}  // namespace mubody
