#pragma once
// The elements and attributes that the schemas of FMI 2.0 and 3.0 know, in the places where they know them.
#include <string>
#include <vector>

#include "mubody/fmus/xml_tree.h"

namespace mubody::io {
/// What they do not know, and truth values that are none, in words with the line; none if all is known.  Later versions than 3.0
/// may have more: of those nothing is said.
std::vector<std::string> unknown_words(const XmlElement& description);
}  // namespace mubody::io
