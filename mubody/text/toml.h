#pragma once
// Documents written in TOML.
#include <string>
#include <string_view>

#include "mubody/text/node.h"

namespace mubody::io {
/// The root table of a text.  Messages name `file`.  Throws ModelError.
Node parse_toml(std::string_view text, const std::string& file);
}  // namespace mubody::io
