#include "mubody/reading/places/mesh.h"

#include <cmath>

#include <fmt/format.h>

#include "mubody/reading/data_file.h"
#include "mubody/text/mesh_file.h"
#include "mubody/text/quotes.h"
#include "mubody/text/text_file.h"

namespace mubody::io {
namespace {
double metres_per_unit(const Node& table, const Scope& scope) {
  const Node* const node = table.find("unit");
  if (!node) return 1;
  const std::string unit = read_string(*node, scope / "unit");
  if (!is_length(unit))
    (scope / "unit").fail(*node, fmt::format("expected a unit of length, got {}", in_quotes(unit)));
  return parse_unit(unit).si;
}

/// "triangle 7 (line 51)"; whoever must not see what a file contains may see where.
std::string words_of(const MeshFile& mesh, std::size_t triangle) {
  const std::string line = mesh.lines.empty() ? "" : fmt::format(" (line {})", mesh.lines[triangle]);
  return fmt::format("triangle {}{}", triangle + 1, line);
}

std::string flaw_words(const MeshFile& mesh, const Flaw& flaw, Quotes quotes) {
  const auto point = [](const Vec<3>& p) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x(), p.y(), p.z());
  };
  const std::string edge =
      told(quotes, fmt::format("its edge from {} to {}", point(flaw.edge[0]), point(flaw.edge[1])),
           "one of its edges");
  if (flaw.kind == Flaw::open)
    return fmt::format("the surface is not closed: {} has no neighbour along {}", words_of(mesh, flaw.triangle),
                       edge);
  return fmt::format(
      "{} and {} go round opposite ways along {}: corners must go counter-clockwise as seen from "
      "outside",
      words_of(mesh, flaw.triangle), words_of(mesh, flaw.other.value_or(flaw.triangle)), edge);
}
}  // namespace

Surface read_mesh(const Node& table, const Scope& scope, const Known& known) {
  const Node& file = *table.find("mesh");
  const Scope of_mesh = scope / "mesh";
  const std::string name = read_file_name(file, of_mesh, known);
  const double scale = metres_per_unit(table, scope);
  MeshFile mesh;
  try {
    mesh = parse_mesh(name, read_file(known.folder / name, files::mesh));
  } catch (const FileError& e) {
    of_mesh.fail(file, in_quotes(name) + ": " + e.what());
  }
  if (const std::optional<Flaw> flaw = find_flaw(mesh.surface))
    of_mesh.fail(file, in_quotes(name) + ": " + flaw_words(mesh, *flaw, quotes_of(known.untrusted)));
  for (Vec<3>& p : mesh.surface.points) p *= scale;
  const MassProperties all = mass_properties(mesh.surface);
  if (!std::isfinite(all.mass) || !all.centre.allFinite() || !all.inertia.allFinite())
    of_mesh.fail(file, in_quotes(name) + ": its numbers are too large");
  if (all.mass < 0)
    of_mesh.fail(file, in_quotes(name) +
                           ": the surface is inside out: corners of triangles must go counter-clockwise as "
                           "seen from outside");
  if (all.mass == 0) of_mesh.fail(file, in_quotes(name) + ": the surface encloses nothing");
  return std::move(mesh.surface);
}
}  // namespace mubody::io
