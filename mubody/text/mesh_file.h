#pragma once
// Surfaces of triangles in files of others: STL, as text or binary, and OBJ.
//
// Only corners count.  Corners with the same coordinates are one point, so that neighbours know each other; normals,
// colours, textures and names of groups are skipped.  Faces of an OBJ file with more than three corners are divided into
// triangles from their first corner.  Files are taken to come from strangers: numbers must be finite, counts must agree
// with what is there, and messages say where something is wrong but quote nothing.
//                                                                                         docs/user/untrusted.md
#include <string_view>
#include <vector>

#include "mubody/shapes/surface.h"

namespace mubody::io {
struct MeshFile {
  Surface surface;                 // in the unit of the file
  std::vector<std::size_t> lines;  // of the triangles, if the file is text
};

/// At most so many triangles are read.
inline constexpr std::size_t most_triangles = 200'000;

/// The kind is told by the end of the name.  Throws FileError.
MeshFile parse_mesh(std::string_view name, std::string_view bytes);
}  // namespace mubody::io
