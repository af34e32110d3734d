#pragma once
// A property file (.tir), as tyres come with: sections of names and values.
//
//   [VERTICAL]
//   FNOMIN = 4000            $Nominal wheel load
//   ! a comment
//
// Sections are passed over, as are lines without a value such as those of tables in braces; names are in capitals.
#include <string>
#include <string_view>

#include "mubody/text/node.h"

namespace mubody::io {
/// A table of all that has a name; values are numbers or strings.  Messages call the file `name`.  Throws FileError.
Node read_property_file(const std::string& name, const std::string& path);
}  // namespace mubody::io
