#pragma once
// The pages of web/, bundled into one HTML file each when the program is built.
#include <string_view>

namespace mubody::io {
/// The page called "planar", "spatial", "charts" or "sweep" with @DATA@ where its data belong; empty if the program was built
/// without node.
std::string_view report_template(std::string_view page);
}  // namespace mubody::io
