#pragma once
// ZIP archives of others, read into memory without trust: nothing is written, no name leads out of a folder, and sizes are
// known and limited before anything is unpacked.
//
//   PKWARE (2022): .ZIP File Format Specification, version 6.3.10
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mubody::io {
/// An archive that is broken, or that may not be unpacked.
struct ZipError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ZipLimits {
  std::size_t entries = 20'000;
  std::size_t bytes = 1'000'000'000;  // of all contents, unpacked
};

class ZipArchive {
 public:
  /// Reads the directory of an archive; throws ZipError for names that are absolute, lead upwards, have backslashes or control
  /// characters, are there twice, or lie in a file, for links, for encryption, and beyond the limits.
  explicit ZipArchive(std::string bytes, const ZipLimits& = {});

  struct Entry {
    std::string name;  // folders end with a slash
    bool deflated = false;
    std::size_t packed = 0, size = 0, at = 0;  // bytes, and where the local header begins
    unsigned crc = 0;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(std::string_view name) const;
  /// The contents of an entry, whose checksum is right.  Throws ZipError.
  std::string content(const Entry&) const;

 private:
  void read_entry(std::size_t& at, const ZipLimits&, std::size_t& total);
  std::size_t number(std::size_t at, int bytes) const;

  std::string bytes_;
  std::vector<Entry> entries_;
};
}  // namespace mubody::io
