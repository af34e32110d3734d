#pragma once
// The page documentation/index.html of an FMU, the mechanism at its start with the variables, and its icon.
#include <string>

#include "mubody/fmi/fmu_contents.h"

namespace mubody::io {
/// The mechanism as it is assembled, as SVG; empty if it cannot be drawn.
std::string drawn_start(const FmuModel&);
std::string fmu_page(const FmuContents&, const std::string& drawing);
/// The drawing as PNG, without axes and words; empty as it is.
std::string fmu_icon(const std::string& drawing);
}  // namespace mubody::io
