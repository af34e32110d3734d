#pragma once
// modelDescription.xml of an FMU.
//
//   FMI 2.0.4, sections 2.2 and 4.3; FMI 3.0.1, sections 2.4 and 4.3
#include <string>

#include "mubody/fmi/fmu_contents.h"

namespace mubody::io {
enum class FmiVersion { v2, v3 };
std::string model_description(const FmuContents&, FmiVersion, const std::string& token);
/// sources/buildDescription.xml of FMI 3.0, section 2.5.1.3: what a compiler gets.
std::string build_description(const FmuContents&);
}  // namespace mubody::io
