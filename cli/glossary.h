#pragma once
// The words of books on the subject, and what they are called here: docs/glossary.md.
#include <string>
#include <string_view>

namespace mubody::cli {
/// The rows of the glossary that explain a word, as text; empty if it has none.  Case does not matter, and - and _ are spaces.
std::string explained(std::string_view word);
}  // namespace mubody::cli
