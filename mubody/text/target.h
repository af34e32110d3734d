#pragma once
// Whether a file may be written: nothing that mubody did not write is replaced, unless the user says so.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

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
  bool force = false;           // files of others may be replaced
  std::filesystem::path input;  // this file is never replaced: the model, say
};

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
/// not a plain file, if it is the input, or if it is of another kind and not empty.
void check_target(const std::filesystem::path&, const OwnKind&, const Replacing&);
}  // namespace mubody::io
