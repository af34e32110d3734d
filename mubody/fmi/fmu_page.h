#pragma once
// The pages in documentation/ of an FMU, the mechanism at its start with the variables and the report of its motion, and its icon.
#include <string>

#include "mubody/fmi/fmu_contents.h"

namespace mubody::io {
/// The mechanism as it is assembled, as SVG; empty if it cannot be drawn.
std::string drawn_start(const FmuModel&);
/// `report` says whether the report lies beside the page.
std::string fmu_page(const FmuContents&, const std::string& drawing, bool report);
/// The report of the motion that the model asks for, as it stands; empty if there is no such motion, or `progress` ends it.
std::string fmu_report(const FmuModel&, const std::string& file, const Settings&, const Progress&);
/// The drawing as PNG, without axes and words; empty as it is.
std::string fmu_icon(const std::string& drawing);
}  // namespace mubody::io
