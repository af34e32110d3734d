#pragma once
// A number that tells texts apart: Fowler, Noll & Vo (1991), FNV-1a with 64 bits.  It finds accidents and no forgery.
#include <cstdint>
#include <string_view>

namespace mubody::io {
inline constexpr std::uint64_t empty_checksum = 0xcbf29ce484222325;

/// The checksum of a text, or of its continuation if that of what comes before is given.
constexpr std::uint64_t checksum(std::string_view text, std::uint64_t before = empty_checksum) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return before;
}
}  // namespace mubody::io
