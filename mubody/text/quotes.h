#pragma once
// Whether messages may quote what a file contains.                              docs/user/untrusted.md
//
// Readers of files are told so by their callers; every verb says it.  Words of a file come into messages through these
// functions alone, so that none can be quoted by an oversight.  Numbers of a MUBODYNA model that are out of their range do
// appear, as the names of elements of a valid model do.
#include <string>
#include <string_view>

#include "mubody/text/node.h"

namespace mubody::io {
enum class Quotes { shown, hidden };

/// Files of strangers are not quoted.
inline Quotes quotes_of(bool untrusted) { return untrusted ? Quotes::hidden : Quotes::shown; }

/// A text of the file in quotes, or the words that stand for it, such as "number 3".
inline std::string quoted(Quotes quotes, std::string_view text, std::string_view instead) {
  return quotes == Quotes::shown ? in_quotes(text) : std::string(instead);
}

/// A part of a message that tells what the file contains, or the words that stand for it.
inline std::string told(Quotes quotes, std::string part, std::string_view instead = "") {
  return quotes == Quotes::shown ? std::move(part) : std::string(instead);
}
}  // namespace mubody::io
