#pragma once
// A number that tells texts apart: Fowler, Noll & Vo (1991), FNV-1a with 64 bits.  It finds accidents and no forgery.
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace mubody::io {
inline constexpr std::uint64_t empty_checksum = 0xcbf29ce484222325;

/// The checksum of a text, or of its continuation if that of what comes before is given.
constexpr std::uint64_t checksum(std::string_view text, std::uint64_t before = empty_checksum) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return before;
}

/// Another one for large files, ten times as fast: words of eight bytes take the place of bytes, in four strands that do not wait
/// for each other.  Every step can be undone, so that a change within one strand never goes unseen.
inline std::uint64_t wide_checksum(std::string_view text, std::uint64_t before = empty_checksum) {
  constexpr std::uint64_t prime = 0x100000001b3;
  constexpr std::size_t strands = 4, word = sizeof(std::uint64_t);
  const auto mixed = [](std::uint64_t sum, std::uint64_t with) {
    sum = (sum ^ with) * prime;
    return sum ^ (sum >> 32);
  };
  std::array<std::uint64_t, strands> sums{before, before + 1, before + 2, before + 3};
  for (; text.size() >= strands * word; text.remove_prefix(strands * word)) {
    std::array<std::uint64_t, strands> next{};
    std::memcpy(next.data(), text.data(), sizeof(next));
    for (std::size_t k = 0; k < strands; ++k) sums[k] = mixed(sums[k], next[k]);
  }
  std::uint64_t all = checksum(text, sums[0]);
  for (std::size_t k = 1; k < strands; ++k) all = mixed(all, sums[k]);
  return all;
}
}  // namespace mubody::io
