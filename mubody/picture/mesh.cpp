#include "mubody/picture/mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mubody/picture/outline.h"

namespace mubody::io {
namespace {
using std::numbers::pi;

/// Two directions across an axis; x, y and the axis are right-handed.
std::pair<Vec<3>, Vec<3>> both_across(const Vec<3>& axis) {
  const Vec<3> other = std::abs(axis.z()) < 0.9 ? Vec<3>::UnitZ() : Vec<3>::UnitX();
  const Vec<3> x = other.cross(axis).normalized();
  return {x, axis.cross(x)};
}

/// Adds a grid of points with normals, rows times columns; neighbours make two triangles.
template <class At> void add_grid(Mesh& mesh, int rows, int columns, const At& at) {
  const auto first = std::uint32_t(mesh.points.size());
  for (int r = 0; r <= rows; ++r)
    for (int c = 0; c <= columns; ++c) {
      const auto [p, n] = at(r, c);
      mesh.points.push_back(p);
      mesh.normals.push_back(n.normalized());
    }
  const auto index = [&](int r, int c) { return first + std::uint32_t(r * (columns + 1) + c); };
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      for (const std::uint32_t k : {index(r, c), index(r, c + 1), index(r + 1, c + 1), index(r, c),
                                    index(r + 1, c + 1), index(r + 1, c)})
        mesh.indices.push_back(k);
}
}  // namespace

void Mesh::add_face(const std::vector<Vec<3>>& corners) {
  Vec<3> normal = Vec<3>::Zero();  // works for any polygon, by its area
  for (std::size_t k = 0; k < corners.size(); ++k)
    normal += (corners[k] - corners[0]).cross(corners[(k + 1) % corners.size()] - corners[0]);
  if (!(normal.norm() > 0)) return;
  const auto first = std::uint32_t(points.size());
  for (const Vec<3>& p : corners) {
    points.push_back(p);
    normals.push_back(normal.normalized());
  }
  for (std::uint32_t k = 2; k < corners.size(); ++k)
    for (const std::uint32_t c : {0u, k - 1, k}) indices.push_back(first + c);
}

void Mesh::add_cylinder(const Vec<3>& a, const Vec<3>& b, double radius, int sides) {
  const double length = (b - a).norm();
  if (!(length > 0)) return;
  const Vec<3> axis = (b - a) / length;
  const auto [x, y] = both_across(axis);
  const auto out = [&, x = x, y = y](int k) {
    const double angle = 2 * pi * (k % sides) / sides;
    return Vec<3>(std::cos(angle) * x + std::sin(angle) * y);
  };
  add_grid(*this, 1, sides,
           [&](int r, int c) { return std::pair<Vec<3>, Vec<3>>((r == 0 ? a : b) + radius * out(c), out(c)); });
  std::vector<Vec<3>> low, high;
  for (int k = 0; k < sides; ++k)
    high.push_back(b + radius * out(k)), low.push_back(a + radius * out(sides - k));
  add_face(low);
  add_face(high);
}

void Mesh::add_ring(const Vec<3>& at, const Vec<3>& axis, double inner, double outer, double thickness,
                    int sides) {
  const Vec<3> z = axis.normalized();
  const auto [x, y] = both_across(z);
  // The outline goes once around the rectangle of the section, with corners doubled for sharp edges.
  const double h = thickness / 2;
  const std::pair<Vec<2>, Vec<2>> section[] = {
      {{outer, -h}, {1, 0}}, {{outer, h}, {1, 0}},   {{outer, h}, {0, 1}},   {{inner, h}, {0, 1}},
      {{inner, h}, {-1, 0}}, {{inner, -h}, {-1, 0}}, {{inner, -h}, {0, -1}}, {{outer, -h}, {0, -1}}};
  for (int part = 0; part < 8; part += 2)
    add_grid(*this, 1, sides, [&, x = x, y = y](int r, int c) {
      const auto& [p, n] = section[part + r];
      const double angle = 2 * pi * (c % sides) / sides;
      const Vec<3> out = std::cos(angle) * x + std::sin(angle) * y;
      return std::pair<Vec<3>, Vec<3>>(at + p.x() * out + p.y() * z, n.x() * out + n.y() * z);
    });
}

void Mesh::add_sphere(const Vec<3>& at, double radius, int rings) {
  add_grid(*this, rings, 2 * rings, [&](int r, int c) {
    const double polar = pi * (1 - double(r) / rings), angle = pi * (c % (2 * rings)) / rings;
    const double s = r == 0 || r == rings ? 0 : std::sin(polar);
    const Vec<3> out(s * std::cos(angle), s * std::sin(angle), std::cos(polar));
    return std::pair<Vec<3>, Vec<3>>(at + radius * out, out);
  });
}

void Mesh::add_box(const Vec<3>& at, const Vec<3>& x, const Vec<3>& axis, const Vec<3>& size) {
  const Vec<3> d[] = {x.normalized() * size.x() / 2, axis.cross(x).normalized() * size.y() / 2,
                      axis.normalized() * size.z() / 2};
  for (int k = 0; k < 3; ++k)
    for (const double sign : {-1.0, 1.0}) {
      const Vec<3> n = at + sign * d[k], e = d[(k + 1) % 3], f = sign * d[(k + 2) % 3];
      add_face({n - e - f, n + e - f, n + e + f, n - e + f});
    }
}

void Mesh::add_plate(const std::vector<Vec<3>>& corners, double thickness) {
  const Vec<3> half = normal_of(corners) * thickness / 2;
  std::vector<Vec<3>> low, high;
  for (const Vec<3>& p : corners) high.push_back(p + half), low.push_back(p - half);
  // The corners may run either way round the normal.
  Vec<3> area = Vec<3>::Zero();
  for (std::size_t k = 0; k < corners.size(); ++k)
    area += (corners[k] - corners[0]).cross(corners[(k + 1) % corners.size()] - corners[0]);
  if (area.dot(half) < 0) std::swap(low, high);
  const std::size_t count = corners.size();
  add_face(high);
  add_face({low.rbegin(), low.rend()});
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t next = (k + 1) % count;
    add_face({low[k], low[next], high[next], high[k]});
  }
}

void Mesh::add_coil(double radius, double wire, double length, int coils) {
  constexpr int per_turn = 16, around = 6;
  add_grid(*this, coils * per_turn, around, [&](int r, int c) {
    const double share = double(r) / (coils * per_turn), angle = 2 * pi * coils * share;
    const Vec<3> out(std::cos(angle), std::sin(angle), 0);
    const double turn = -2 * pi * (c % around) / around;
    const Vec<3> n = std::cos(turn) * out + std::sin(turn) * Vec<3>::UnitZ();
    return std::pair<Vec<3>, Vec<3>>(
        radius * out + share * Vec<3>::UnitZ() + wire * Vec<3>(n.x(), n.y(), n.z() / length), n);
  });
}
}  // namespace mubody::io
