#pragma once
// The page documentation/index.html of an FMU: the mechanism at its start, and the variables.
#include <string>

#include "mubody/fmi/fmu_contents.h"

namespace mubody::io {
std::string fmu_page(const FmuContents&, const FmuModel&);
}  // namespace mubody::io
