#pragma once
// Whether a file may be written: nothing that mubody did not write is replaced, unless the user says so.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/text/temporary.h"
#include "mubody/text/text_file.h"

namespace mubody::io {
/// How files of one kind are told from all others.
struct OwnKind {
  std::string_view writer;                 // "'mubody stability'"
  bool (*is)(std::string_view beginning);  // looks at the first bytes; none if any file is the user's own
};

/// What the user allows.
struct Replacing {
  bool force = false;  // files of others may be replaced
};

/// A file or folder of a command, and what it is in words: "the model itself", "the report".
struct NamedPath {
  std::string what;
  std::filesystem::path path;
};

/// Files that are written together, under names that differ: "the results".
struct NamedFiles {
  std::string what;
  std::vector<std::filesystem::path> files;
};

/// All that a command reads and writes.
struct CommandFiles {
  std::vector<NamedPath> inputs{};  // never replaced
  std::vector<NamedPath> outputs{};
  std::vector<NamedFiles> together{};
  std::vector<NamedPath> folders{};  // into which files are written
  /// The folder of a model that comes from a stranger, whose links lead nothing elsewhere.
  std::optional<std::filesystem::path> stranger{};
};

/// Checks before anything is done that no output takes the place of an input or of another output, whatever they are
/// called, and that no link of a stranger leads outputs elsewhere.  Throws WriteError.
void check_apart(const CommandFiles&);

/// The first line of what beginning_of() gives.
std::string_view first_line(std::string_view beginning);

/// The tag at the head of every page of mubody.
inline constexpr std::string_view page_mark = R"(<meta name="generator" content="mubody">)";
/// The tag behind it, for pages that show a run, a sweep and so on.
std::string page_kind_mark(std::string_view kind);

/// Whether a file begins as the pages of mubody do.
bool is_page(std::string_view beginning);
/// Whether it begins as those that show a run, say.
bool is_page_of(std::string_view kind, std::string_view beginning);
inline constexpr OwnKind page_kind{"mubody", is_page};

/// Throws WriteError if the folder cannot be made or written to.
void check_writable(const std::filesystem::path& folder);

/// Checks before a long run that a file can be written.  Throws WriteError if its folder cannot be written to, if it is
/// not a plain file, or if it is of another kind and not empty.
void check_target(const std::filesystem::path&, const OwnKind&, const Replacing&);
}  // namespace mubody::io
