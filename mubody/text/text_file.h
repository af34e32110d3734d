#pragma once
// Reads whole text files and refuses what cannot be one.
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mubody::io {
/// A file that cannot be read; the message does not name it.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The contents of a file.  `what` names in messages what is expected: "a model file".
std::string read_text_file(const std::string& path, std::size_t most_megabytes, std::string_view what);
}  // namespace mubody::io
