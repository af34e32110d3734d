#pragma once
// The places of a model, for programs that draw what a file says.
//
//   docs/user/from-sketch.md#places
#include <map>
#include <string>

#include "mubody/math/space.h"

namespace mubody::io {
struct Node;

/// The places of a file, in global axes at the start.  Throws ModelError where they cannot be read.
std::map<std::string, Vec<3>> places_of(const Node& root);
}  // namespace mubody::io
