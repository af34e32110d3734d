#pragma once
// The way into the analyses, which are the other headers of this folder.
#include "mubody/study/options.h"

namespace mubody {
/// What study.analysis.type asks for.  Throws ModelError if the model cannot mean that.
Results run(const Study&, const Progress& = {});
/// The motion from forces, whatever analysis the study asks for.
Results run_forward(const Study&, const Progress& = {});
}  // namespace mubody
