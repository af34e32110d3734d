#pragma once
// A document as the text of a TOML file: sections with one line per element, in the order of the document.
#include <string>

#include "mubody/text/node.h"

namespace mubody::io {
/// The text of a document; its numbers have enough digits to be read back to the last bit.
std::string toml_text(const Node& root);
}  // namespace mubody::io
