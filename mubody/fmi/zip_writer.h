#pragma once
// ZIP archives of stored entries, with fixed dates: the same entries in the same order give the same bytes.
//
//   PKWARE (2022): .ZIP File Format Specification, version 6.3.10; sections 4.3.7, 4.3.12 and 4.3.16
//
// Nothing is compressed: that would make bytes depend on the version of a library, and take a second per export.
#include <string>
#include <vector>

namespace mubody::io {
struct ZipEntry {
  std::string name;  // with slashes, relative
  std::string content;
};
/// At most 4 GB in all and 65535 entries; throws std::length_error beyond.
std::string zip_of(const std::vector<ZipEntry>&);
}  // namespace mubody::io
