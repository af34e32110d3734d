#pragma once
// The C files of this folder as text, which the build puts into the library (cmake/embed.cmake).
#include <string_view>

namespace mubody::c_text {
extern const std::string_view interface_h, interface_c, runtime_h, runtime_c, tables_h, tables_c, loops_h,
    loops_c, moving_c;
}  // namespace mubody::c_text
