#pragma once
// Text in columns, for people.
#include <string>
#include <string_view>
#include <vector>

namespace mubody::io {
using TextRow = std::vector<std::string>;

/// Characters on the screen: a combining accent takes no room.
std::size_t shown_width(std::string_view text);

/// Rows in columns, two spaces apart.  A column of numbers, where "-" means that there is none, is aligned
/// right; the header rows, one or more, do not matter for that.  If `width` is given, the last column is broken
/// at spaces to keep lines within it.
std::string aligned(const std::vector<TextRow>& rows, std::size_t headers, std::string_view indent = "",
                    std::size_t width = 0);

/// A paragraph broken at spaces; lines after the first begin with `indent`.
std::string wrapped_text(std::string_view text, std::size_t width, std::string_view indent = "");
}  // namespace mubody::io
