#pragma once
// Documents written in TOML.
#include <string>
#include <string_view>

#include "mubody/text/node.h"

namespace mubody::io {
/// The root table of a text.  Messages name `file`; if they must not quote it, a text that is no TOML is only said to be
/// none.  Throws ModelError.
Node parse_toml(std::string_view text, const std::string& file, bool without_quotes = false);
}  // namespace mubody::io
