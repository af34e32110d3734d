#include "mubody/shapes/surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mubody {
namespace {
using Index = std::uint32_t;

/// A side of a triangle: from which point to which.
struct Side {
  Index from, to;
  std::size_t triangle;
  bool forward() const { return from < to; }
  std::pair<Index, Index> edge() const { return std::minmax(from, to); }
};

/// The sides of all triangles, those of one edge together.
std::vector<Side> sorted_sides(const Surface& s) {
  std::vector<Side> sides;
  sides.reserve(3 * s.triangles.size());
  for (std::size_t k = 0; k < s.triangles.size(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index from = s.triangles[k][std::size_t(c)], to = s.triangles[k][std::size_t((c + 1) % 3)];
      if (from != to) sides.push_back({from, to, k});
    }
  std::ranges::stable_sort(sides, {}, &Side::edge);
  return sides;
}

/// Calls  use(first, last)  for the sides of each edge.
template <class Use> void for_each_edge(const std::vector<Side>& sides, const Use& use) {
  for (std::size_t first = 0; first < sides.size();) {
    std::size_t last = first;
    while (last < sides.size() && sides[last].edge() == sides[first].edge()) ++last;
    use(first, last);
    first = last;
  }
}

Vec<3> normal_at(const Surface& s, std::size_t triangle) {
  const auto& [a, b, c] = s.triangles[triangle];
  return (s.points[b] - s.points[a]).cross(s.points[c] - s.points[a]);
}
}  // namespace

void Surface::face(const std::vector<std::uint32_t>& corners) {
  for (std::size_t k = 2; k < corners.size(); ++k)
    triangles.push_back({corners[0], corners[k - 1], corners[k]});
}

void Surface::join(const std::vector<std::uint32_t>& low, const std::vector<std::uint32_t>& high) {
  const std::size_t count = std::max(low.size(), high.size());
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t next = (k + 1) % count;
    if (low.size() == 1)
      triangles.push_back({low[0], high[next], high[k]});
    else if (high.size() == 1)
      triangles.push_back({low[k], low[next], high[0]});
    else
      face({low[k], low[next], high[next], high[k]});
  }
}

MassProperties mass_properties(const Surface& s) {
  // About a point in the midst of the surface, so that a place far from the origin costs no digits.
  Vec<3> about = Vec<3>::Zero();
  for (const Vec<3>& p : s.points) about += p / double(s.points.size());
  const auto sum = [&](const Vec<3>& origin, double& volume, Vec<3>& first, Eigen::Matrix3d& second) {
    volume = 0, first.setZero(), second.setZero();
    for (const Surface::Triangle& t : s.triangles) {
      const Vec<3> a = s.points[t[0]] - origin, b = s.points[t[1]] - origin, c = s.points[t[2]] - origin;
      const Vec<3> all = a + b + c;
      const double v = a.dot(b.cross(c));
      volume += v / 6;
      first += v / 24 * all;
      second +=
          v / 120 *
          (a * a.transpose() + b * b.transpose() + c * c.transpose() + Eigen::Matrix3d(all * all.transpose()));
    }
  };
  double volume = 0;
  Vec<3> first;
  Eigen::Matrix3d second;
  sum(about, volume, first, second);
  if (volume == 0) return {0, about, Eigen::Matrix3d::Zero()};
  const Vec<3> centre = about + first / volume;
  sum(centre, volume, first, second);
  return MassProperties::of_moments(volume, centre, second);
}

std::optional<Flaw> find_flaw(const Surface& s) {
  std::optional<Flaw> flaw;
  const std::vector<Side> sides = sorted_sides(s);
  for_each_edge(sides, [&](std::size_t first, std::size_t last) {
    std::size_t forward = 0;
    for (std::size_t k = first; k < last; ++k) forward += sides[k].forward() ? 1 : 0;
    if (2 * forward == last - first) return;
    const Side& side = sides[first];
    if (flaw && flaw->triangle <= side.triangle) return;
    flaw = Flaw{.triangle = side.triangle, .edge = {s.points[side.from], s.points[side.to]}};
    if ((last - first) % 2 != 0) return;
    flaw->kind = Flaw::opposite;
    for (std::size_t k = first + 1; k < last && !flaw->other; ++k)
      if (sides[k].forward() == side.forward()) flaw->other = sides[k].triangle;
  });
  return flaw;
}

std::vector<std::array<std::uint32_t, 2>> lines_seen(const Surface& s, const Vec<3>& toward) {
  constexpr double cosine_of_bend = 0.866;
  std::vector<std::array<std::uint32_t, 2>> lines;
  const std::vector<Side> sides = sorted_sides(s);
  for_each_edge(sides, [&](std::size_t first, std::size_t last) {
    std::vector<Vec<3>> near;
    for (std::size_t k = first; k < last; ++k)
      if (const Vec<3> n = normal_at(s, sides[k].triangle).normalized(); n.dot(toward) > 1e-6)
        near.push_back(n);
    if (near.empty()) return;
    const bool is_flat = near.size() == 2 && near[0].dot(near[1]) > cosine_of_bend;
    if (!is_flat) lines.push_back({sides[first].from, sides[first].to});
  });
  return lines;
}

Surface revolved(const std::vector<Vec<2>>& line, bool closed, int sides) {
  Surface s;
  std::vector<std::vector<Index>> rings;
  for (const Vec<2>& p : line) {
    rings.emplace_back();
    const int count = p.x() == 0 ? 1 : sides;
    for (int k = 0; k < count; ++k) {
      const double angle = 2 * std::numbers::pi * k / count;
      rings.back().push_back(Index(s.points.size()));
      s.points.emplace_back(p.x() * std::cos(angle), p.x() * std::sin(angle), p.y());
    }
  }
  for (std::size_t k = 0; k + 1 < rings.size(); ++k) s.join(rings[k], rings[k + 1]);
  if (closed) s.join(rings.back(), rings.front());
  return s;
}
}  // namespace mubody
