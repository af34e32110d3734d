#pragma once
// Reads whole files.  Every file that mubody reads is read here.
//
// Only regular files are read: a pipe may never end, and a device has no size.  What a file is, and how large, is asked
// of the file that has been opened, so that nobody can put another one in its place in between.  Its size is known and
// within the limit of its kind before a byte is read.                          docs/user/untrusted.md
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mubody::io {
/// A file that cannot be read; the message does not name it.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a file is for, in words of messages, and the largest size that it may have.
struct FileKind {
  std::string_view what;
  std::size_t most_megabytes;
  bool text = true;  // without control characters
};
namespace files {
/// For what the program itself wrote and goes on with.
inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max() / 1'000'000;
inline constexpr FileKind model{"a model file", 64};
inline constexpr FileKind data{"a data file", 256};
inline constexpr FileKind mesh{"a mesh", 64, false};
inline constexpr FileKind results{"a table of results", 1024};
inline constexpr FileKind list{"a list of results", 64};
inline constexpr FileKind summary{"a summary of results", 64};
inline constexpr FileKind rows{"the rows of a sweep", no_limit};
inline constexpr FileKind page{"a report", 1024, false};
inline constexpr FileKind tables{"a precomputed model", 1024, false};
}  // namespace files

/// Looks at the beginning of a file, all of it or 4096 bytes, and at its size [bytes] before the rest is read.  Throws
/// FileError.
using BeginningCheck = std::function<void(std::string_view beginning, std::size_t size)>;

/// The contents of a file, which is not empty.  Throws FileError.
std::string read_file(const std::filesystem::path&, const FileKind&, const BeginningCheck& = {});

/// At most so many bytes from the beginning of a file; none if it is no regular file or cannot be read.
std::optional<std::string> beginning_of(const std::filesystem::path&, std::size_t most = 4096);

/// What a plain file contains, in short: "1234 bytes, wcbf29ce484222325".  None if it is a link or cannot be read.
/// Throws WritingStopped once `goes_on`, which is asked now and then, says no.
std::optional<std::string> content_mark(const std::filesystem::path&,
                                        const std::function<bool()>& goes_on = {});
/// Whether one of these is the mark of what a plain file of this kind contains.  The file is read once for each kind of
/// mark, and not at all if it is larger than its kind may be or if no mark tells of its size.  Throws WritingStopped, too.
bool has_content(const std::filesystem::path&, const FileKind&, std::span<const std::string> marks,
                 const std::function<bool()>& goes_on = {});

/// Whether a file lies in a folder, or below it, once all links are resolved.
bool lies_below(const std::filesystem::path& file, const std::filesystem::path& folder);
}  // namespace mubody::io
