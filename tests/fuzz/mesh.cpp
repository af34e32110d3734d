// Meshes: the first byte chooses between STL and OBJ.  What is accepted can be weighed and drawn.
#include <cmath>

#include "mubody/text/mesh_file.h"
#include "mubody/text/text_file.h"
#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes = text_in(data, size).substr(1);
  const char* const name = data[0] % 2 == 0 ? "mesh.stl" : "mesh.obj";
  const auto mesh = accepted<io::FileError>([&] { return io::parse_mesh(name, bytes); });
  if (!mesh) return 0;
  const Surface& s = mesh->surface;
  for (const Surface::Triangle& t : s.triangles)
    for (const std::uint32_t k : t) hold(k < s.points.size(), "triangles have their corners");
  for (const Vec<3>& p : s.points) hold(p.allFinite(), "corners are finite");
  hold(mesh->lines.empty() || mesh->lines.size() == s.triangles.size(), "every triangle has its line");
  const auto flaw = find_flaw(s);
  hold(!flaw || flaw->triangle < s.triangles.size(), "a flaw is at a triangle");
  mass_properties(s);
  lines_seen(s, Vec<3>::UnitZ());
  return 0;
}
