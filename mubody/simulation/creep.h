#pragma once
// Bodies that should rest and creep, by friction that is continuous in the slip.
#include "mubody/mechanism/mechanism.h"
#include "mubody/results/results.h"

namespace mubody {
/// A remark for every contact in which friction is below its full size at the last row, though its law holds nothing.
std::vector<std::string> remarks_on_creep(const Mechanism&, const Results&);
}  // namespace mubody
