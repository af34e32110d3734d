#pragma once
// A page of what was tabulated: curves over one variable, surfaces over two.
#include <string>

#include "mubody/mechanism/mechanism.h"
#include "mubody/precompute/precompute.h"

namespace mubody::io {
/// Every quantity of every table, and the angles and slides of joints that follow from them.  The mechanism is the one that
/// the tables were made of.  Throws std::runtime_error if the program was built without pages.
std::string tables_html(const Precomputed&, const Mechanism&);
}  // namespace mubody::io
