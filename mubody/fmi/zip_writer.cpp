#include "mubody/fmi/zip_writer.h"

#include <array>
#include <cstdint>
#include <stdexcept>

namespace mubody::io {
namespace {
// The cyclic redundancy check of ZIP, with the polynomial 0xedb88320 in reversed order of bits, by a table of bytes.
std::uint32_t crc32_of(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t k = 0; k < 256; ++k) {
      t[k] = k;
      for (int bit = 0; bit < 8; ++bit) t[k] = t[k] & 1 ? 0xedb88320 ^ (t[k] >> 1) : t[k] >> 1;
    }
    return t;
  }();
  std::uint32_t sum = 0xffffffff;
  for (const char c : bytes) sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xff] ^ (sum >> 8);
  return ~sum;
}

void add2(std::string& out, std::size_t n) { out += {char(n & 0xff), char(n >> 8 & 0xff)}; }
void add4(std::string& out, std::size_t n) {
  add2(out, n & 0xffff);
  add2(out, n >> 16 & 0xffff);
}
// What a local header and one of the directory have in common: version, names in UTF-8, stored, 1 January 1980.
void add_common(std::string& out, const ZipEntry& e, std::uint32_t crc) {
  for (const std::size_t n : {20, 0x0800, 0, 0, 0x21}) add2(out, n);
  for (const std::size_t n : {std::size_t(crc), e.content.size(), e.content.size()}) add4(out, n);
  add2(out, e.name.size());
  add2(out, 0);
}
}  // namespace

std::string zip_of(const std::vector<ZipEntry>& entries) {
  constexpr std::size_t most_entries = 0xffff, most_bytes = 0xffffffff;
  std::string out, directory;
  for (const ZipEntry& e : entries) {
    const std::size_t at = out.size();
    if (entries.size() > most_entries || e.name.size() > 0xffff || at + e.content.size() + 100'000 > most_bytes)
      throw std::length_error("too much for a ZIP archive");
    const std::uint32_t crc = crc32_of(e.content);
    out += "PK\3\4";
    add_common(out, e, crc);
    out += e.name + e.content;
    directory += "PK\1\2";
    add2(directory, 20);
    add_common(directory, e, crc);
    for (int k = 0; k < 5; ++k) add2(directory, 0);  // no comment, first disk, attributes 0
    add4(directory, at);
    directory += e.name;
  }
  const std::size_t begins = out.size();
  out += directory;
  out += "PK\5\6";
  for (const std::size_t n : {std::size_t(0), std::size_t(0), entries.size(), entries.size()}) add2(out, n);
  add4(out, directory.size());
  add4(out, begins);
  add2(out, 0);
  return out;
}
}  // namespace mubody::io
