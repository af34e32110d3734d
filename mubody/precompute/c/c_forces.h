#pragma once
// Forces that are applied at run time, as a function in C.
#include <string>

#include "mubody/mechanism/mechanism.h"
#include "mubody/precompute/tables/model.h"

namespace mubody {
/// The function mb_apply, whose pointer stands in mb_model (runtime.h); empty if there are no such forces.
/// Throws ModelError if one of them has no form in C.
std::string forces_in_c(const RealTimeModel&, const Mechanism&);
}  // namespace mubody
