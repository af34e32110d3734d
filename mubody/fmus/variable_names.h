#pragma once
// Names of variables in the structured convention of FMI: parts between points, each a name as in C, or anything of ASCII
// between apostrophes.        FMI 2.0.4, section 2.2.9
#include <string>
#include <string_view>

namespace mubody::io {
bool can_be_structured(std::string_view name);
/// "'left wheel'.x" for "left wheel.x".
std::string structured_name(std::string_view name);
/// The name of which structured_name() makes this one: "left wheel.x".
std::string plain_name(std::string_view structured);
/// Whether a name of somebody else's follows the convention.
bool is_structured(std::string_view name);
}  // namespace mubody::io
