#pragma once
// Sizes of memory as people write them.
#include <optional>
#include <string>

namespace mubody::io {
/// "100MB", "2 GB", "500 kB", or a number of bytes; nothing if that is not a positive size.
std::optional<double> bytes_of(std::string text);
/// "812 B", "34 kB", "12.5 MB"
std::string bytes_text(double bytes);
}  // namespace mubody::io
