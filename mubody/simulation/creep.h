#pragma once
// Bodies that should rest and creep, by friction that is continuous in the slip.
#include "mubody/mechanism/mechanism.h"
#include "mubody/results/results.h"

namespace mubody {
/// A remark for every contact of bodies that rest at the last row, held by a part of its friction, though its law needs slip.
std::vector<std::string> remarks_on_creep(const Mechanism&, const Results&);
}  // namespace mubody
