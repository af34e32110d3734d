#pragma once
// The surface of a solid in triangles, counter-clockwise as seen from outside.  It is drawn, and it gives mass, centre
// and inertia of whatever it encloses, by the theorem of divergence.
//
//   docs/theory/mass-properties.md#of-a-surface
//
//   The tetrahedra between the triangles (a, b, c) and any one point, which is the origin here, add up to the solid,
//   those on the far side with negative volume.  With v = a·(b × c) and s = a + b + c:
//
//   V = Σ v / 6,   ∫ x dV = Σ v s / 24,   ∫ x xᵀ dV = Σ v (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 120
//
// B. Mirtich: Fast and accurate computation of polyhedral mass properties.  Journal of Graphics Tools 1(2), 1996.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "mubody/shapes/mass_properties.h"

namespace mubody {
struct Surface {
  using Triangle = std::array<std::uint32_t, 3>;
  std::vector<Vec<3>> points;  // [m]
  std::vector<Triangle> triangles;

  void move(const Quaternion& turn, const Vec<3>& by) {
    for (Vec<3>& p : points) p = turn * p + by;
  }
  /// A closed ring of flat faces: the corners of one polygon joined to those of another, first to first.
  void join(const std::vector<std::uint32_t>& low, const std::vector<std::uint32_t>& high);
  /// A convex face; its corners go counter-clockwise as seen from outside.
  void face(const std::vector<std::uint32_t>& corners);
};

/// Of density 1.  The surface must be closed.
MassProperties mass_properties(const Surface&);

/// Why a surface encloses nothing, and where.
struct Flaw {
  enum Kind {
    open,      // an edge has a triangle on one side only
    opposite,  // the triangles on the sides of an edge do not go round the same way
  };
  Kind kind = open;
  std::size_t triangle = 0;               // counted from 0
  std::array<Vec<3>, 2> edge{};           // its ends [m]
  std::optional<std::size_t> other = {};  // the triangle that it does not get along with
};
std::optional<Flaw> find_flaw(const Surface&);

/// Edges of a surface that are seen as lines from the direction `toward`, which comes from the viewer's side: its outline,
/// and edges of the near side at which it bends by more than 30 degrees.  Pairs of points.
std::vector<std::array<std::uint32_t, 2>> lines_seen(const Surface&, const Vec<3>& toward);

/// The surface of what a line in the plane of radius and height encloses as it goes round z.  It runs upwards on the
/// outside; points with radius 0 are on the axis.
Surface revolved(const std::vector<Vec<2>>& line, bool closed, int sides = 48);

/// What lies between two heights over an area of the plane.  The corners go counter-clockwise, those of its round holes,
/// centre and radius, follow.
struct RoundHole {
  Vec<2> at = Vec<2>::Zero();
  double radius = 0;
};
Surface extruded(const std::vector<Vec<2>>& corners, const std::vector<RoundHole>& holes, double low,
                 double high);
}  // namespace mubody
