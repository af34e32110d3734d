#pragma once
// Surfaces of triangles for animations: vertices, one normal each, and three indices per triangle,
// counter-clockwise as seen from outside.
#include <cstdint>
#include <vector>

#include "mubody/math/space.h"

namespace mubody::io {
struct Mesh {
  std::vector<Vec<3>> points, normals;
  std::vector<std::uint32_t> indices;

  /// A flat face; its corners are convex, in one plane, and in order around the normal.
  void add_face(const std::vector<Vec<3>>& corners);
  /// A round bar from a to b with flat ends.
  void add_cylinder(const Vec<3>& a, const Vec<3>& b, double radius, int sides = 24);
  /// A ring between two radii, `thickness` along its axis.
  void add_ring(const Vec<3>& at, const Vec<3>& axis, double inner, double outer, double thickness,
                int sides = 48);
  void add_sphere(const Vec<3>& at, double radius, int rings = 12);
  /// A box with sides along x, across, and along axis.
  void add_box(const Vec<3>& at, const Vec<3>& x, const Vec<3>& axis, const Vec<3>& size);
  /// A plate of that thickness over the corners of a convex polygon.
  void add_plate(const std::vector<Vec<3>>& corners, double thickness);
  /// A wire in coils along z from 0 to 1, round once it is stretched to `length`.
  void add_coil(double radius, double wire, double length, int coils = 7);
};
}  // namespace mubody::io
