#pragma once
// A mesh that a model file names:  mesh = "piston.stl", unit = "mm".
#include "mubody/reading/values.h"
#include "mubody/shapes/surface.h"

namespace mubody::io {
/// The closed surface in the file that the table names [m].
Surface read_mesh(const Node& table, const Scope&, const Known&);
}  // namespace mubody::io
