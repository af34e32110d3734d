#pragma once
// Scripts that complete the words of the command line in shells: verbs, options, their values, files, and names
// of elements.  They are made from the declarations of verbs and are complete, so that completing a word runs
// no program.
#include <span>
#include <string>

#include "cli/verb.h"

namespace mubody::cli {
std::string bash_completion(std::span<const Verb>);
std::string zsh_completion(std::span<const Verb>);
std::string fish_completion(std::span<const Verb>);

/// The words that may be proposed for a value: its choices, its known values, or the verbs.
std::vector<std::string> proposed_words(const DeclaredOption&, std::span<const Verb>);
/// The first clause of the meaning, since lists of proposals have little room.
std::string brief_meaning(const DeclaredOption&);
/// The text in single quotes, valid for all three shells.
std::string shell_quoted(std::string_view text);
}  // namespace mubody::cli
