#pragma once
// Temporary files and folders beside what is being written, and what killed programs left of them.
//
// A temporary is called ".NAME.mubody-" with six random letters and six more that follow from all before them, so that a file
// which a user calls alike is not taken for one.  It is locked by whoever writes it; one that nobody locks belongs to a
// program that was killed.  Whoever makes a temporary locks it and then looks whether it is still there, so that none is
// taken for a left-over between its making and its locking.
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mubody::io {
/// A file or folder that cannot be written; the message names it.
struct WriteError : std::runtime_error {
  std::filesystem::path path;
  std::string why;
  WriteError(const std::filesystem::path&, const std::string& why);
  /// With the reason that the system gives, a value of errno.
  WriteError(const std::filesystem::path&, int reason);
};

/// An open file or folder of the system.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

struct Temporary {
  std::filesystem::path path;
  Descriptor opened;  // and locked as long as it is open
};

/// A name for a temporary beside something of that name, or for one in it if the name is empty.
std::string temporary_name(std::string_view name);
/// Whether a name is one that temporary_name() gives.
bool is_temporary_name(std::string_view name);

/// Makes an empty file beside the target.  Throws WriteError, which names the target.
Temporary make_temporary_file(const std::filesystem::path& target);
/// Makes an empty folder in `where`.  Throws WriteError.
Temporary make_temporary_folder(const std::filesystem::path& where, std::string_view name);

/// Folders that are made for what is to be written.  Those that are still empty at the end are removed again.
class NewFolders {
 public:
  NewFolders() = default;
  /// Makes a folder and those above it, so far as they are missing.  Throws WriteError, and leaves none then.
  explicit NewFolders(const std::filesystem::path& folder);
  NewFolders(NewFolders&& other) noexcept : made_(std::exchange(other.made_, {})) {}
  NewFolders& operator=(NewFolders&& other) noexcept;
  ~NewFolders();

 private:
  std::vector<std::filesystem::path> made_;  // outermost first
};

/// Whether a file of this name is one that the program writes into folders.
using KnownName = std::function<bool(std::string_view name)>;

/// Whether two descriptions are of the same file: that of a name, which is not followed if it is a link, and of what is open.
bool is_at(const std::filesystem::path&, const Descriptor&);
/// The names in a folder; none if it cannot be read.
std::vector<std::string> names_in(const std::filesystem::path& folder);

/// Removes a folder that has nothing but plain files of known names, and else leaves it as it is.  Links are not followed.
bool remove_flat_folder(const std::filesystem::path&, const KnownName&);
/// Removes temporaries of killed programs of this user: plain files, and folders with plain files of known names.
void remove_left_overs(const std::filesystem::path& folder, const KnownName&);
}  // namespace mubody::io
