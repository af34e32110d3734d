#pragma once
// The entry to the analyses, which are the other headers of this folder.
#include "mubody/study/options.h"

namespace mubody {
/// Runs the analysis study.analysis.type.  Throws ModelError if the model does not allow it.
Results run(const Study&, const Progress& = {});
/// Computes the motion from forces, whatever analysis the study asks for.
Results run_forward(const Study&, const Progress& = {});
}  // namespace mubody
