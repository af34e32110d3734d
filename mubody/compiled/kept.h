#pragma once
// The folder in which compiled code is kept by its content, and what it takes to put something there.
//
//   docs/user/compiled.md
//
// It belongs to the user alone, $XDG_CACHE_HOME/mubody or ~/.cache/mubody; whatever lies there and is not his, or can be written by
// others, is neither used nor loaded.
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mubody::io {
/// No compiler, no folder, or code that does not compile; the message says which.
struct NotCompiled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The folder.  Throws NotCompiled.
std::filesystem::path kept_in();
/// Whether a file or folder is the user's own and cannot be changed by others.
bool is_own(const std::filesystem::path&);
/// The file of a program that is called so, or by its path; empty if there is none.
std::string found_in_path(const std::string& program);
/// Runs a program without a shell, and returns its exit code; what it says goes to a file.
int run_program(const std::vector<std::string>& words, const std::filesystem::path& says);
/// What a program has said, in a file that is then removed.
std::string said_in(const std::filesystem::path&);
/// 64 bits of a text, twice with different beginnings: files that differ have different names.
std::string mark_of(std::string_view text);
/// Whether the user's own file holds this text.
bool holds(const std::filesystem::path&, const std::string& text);

/// While it lives, nobody else makes the files whose names begin so.
class Alone {
 public:
  explicit Alone(const std::filesystem::path& stem);
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  int file_;
};

/// Something that is made of a source, which says all that it depends on: as it was kept the last time, or by `make`, which is given
/// a file of that ending to write to.  Throws NotCompiled if there is no folder, and what `make` throws.
std::string kept_for(const std::string& source, const std::string& ending,
                     const std::function<void(const std::filesystem::path&)>& make);
}  // namespace mubody::io
