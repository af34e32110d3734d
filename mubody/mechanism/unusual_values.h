#pragma once
// Values that are possible, but hardly meant, such as a negative damping; a field says by `usual` which it expects.
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// One line for each of them.
std::vector<std::string> unusual_values(const Mechanism&);
}  // namespace mubody
