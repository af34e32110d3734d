#pragma once
// Documents written in TOML.
#include <string>
#include <string_view>

#include "mubody/text/node.h"

namespace mubody::io {
/// The root table.  `file` is for messages.  Throws ModelError.
Node parse_toml(std::string_view text, const std::string& file);
}  // namespace mubody::io
