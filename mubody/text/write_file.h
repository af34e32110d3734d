#pragma once
// Files that appear as a whole: a reader finds the old content or the new one, whatever happens in between.
//
// The content goes to a temporary file beside the target, is flushed to the disk, and takes the place of the target by
// one renaming.  /dev/stdout, /dev/stderr, /dev/fd/N and /dev/null are written to directly.      docs/user/files.md
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "mubody/text/temporary.h"

namespace mubody::io {
/// Whoever asked for files has changed his mind.
struct WritingStopped : std::runtime_error {
  WritingStopped() : std::runtime_error("stopped while files were being written") {}
};
/// Whether writing goes on; it is asked now and then.
using GoesOn = std::function<bool()>;

/// A file that takes the place of the target once commit() has returned; without it nothing changes.
class NewFile {
 public:
  /// Makes the folder of the target if it is missing.  Throws WriteError if the target is no plain file, or cannot be written.
  explicit NewFile(const std::filesystem::path& target, GoesOn = {});
  NewFile(NewFile&&) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  /// What is to be written next; large contents are handed to the system in portions.  Throws WriteError or WritingStopped.
  fmt::memory_buffer& buffer();
  /// Hands everything to the disk, unless its folder is a temporary one; what can fail has then been done.  Throws WriteError.
  void finish();
  /// Lets the file appear.  Throws WriteError.
  void commit();

 private:
  void flush();

  std::filesystem::path named_, target_;  // as the user names it, and without links
  NewFolders folders_;                    // those that were missing
  Temporary file_;                        // its path is empty if the target is written to directly
  GoesOn goes_on_;
  bool finished_ = false;
  fmt::memory_buffer buffer_;
};

struct FileText {
  std::filesystem::path file;
  std::string content;
};

/// Writes contents as far as they can fail; commit() of each lets them appear.  Throws WriteError or WritingStopped.
std::vector<NewFile> prepare_files(std::span<const FileText>, const GoesOn& = {});
/// Writes several files, of which none appears before all are complete.  Throws WriteError or WritingStopped.
void write_files(std::span<const FileText>, const GoesOn& = {});
/// Writes one file.  Throws WriteError or WritingStopped.
void write_file(const std::filesystem::path& file, std::string_view content, const GoesOn& = {});

/// Returns when the content is on the disk.  Throws WriteError.
void hand_to_disk(const Descriptor& file, const std::filesystem::path& named);

/// The file that a link leads to, which is replaced while the link stays; the path itself if it is no link.  Throws WriteError if
/// there is nothing where the link leads to.
std::filesystem::path without_links(const std::filesystem::path&);

/// Whether the name stands for something that is written to directly, such as /dev/stdout.
bool is_stream(const std::filesystem::path&);
}  // namespace mubody::io
