#pragma once
// Text files as a whole, and what they must not be.
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mubody::io {
/// A file that cannot be read; the message does not name it.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The contents.  `what` says in messages what is expected: "a model file".
std::string read_text_file(const std::string& path, std::size_t most_megabytes, std::string_view what);
}  // namespace mubody::io
