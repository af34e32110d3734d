#include "mubody/shapes/area.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include "mubody/shapes/surface.h"

namespace mubody {
namespace {
using Corner = std::uint32_t;
using Ring = std::vector<Corner>;

/// Twice the area of a triangle, positive if it goes counter-clockwise.
double turn_at(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

bool is_within(const Vec<2>& p, const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) {
  return turn_at(a, b, p) >= 0 && turn_at(b, c, p) >= 0 && turn_at(c, a, p) >= 0;
}

/// The place in the ring of a point that can be seen from `from`, which lies within.
std::size_t seen_from(const std::vector<Vec<2>>& points, const Ring& ring, const Vec<2>& from) {
  // The nearest edge in the direction of x ...
  double nearest = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t k = 0; k < ring.size(); ++k) {
    const std::size_t next = (k + 1) % ring.size();
    const Vec<2>&a = points[ring[k]], &b = points[ring[next]];
    if (a.y() == b.y() || std::min(a.y(), b.y()) > from.y() || std::max(a.y(), b.y()) < from.y()) continue;
    const double x = a.x() + (from.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
    if (x < from.x() || x >= nearest) continue;
    nearest = x;
    best = a.x() > b.x() ? k : next;
  }
  // ... and, where corners lie before it, the one among them that is least out of that direction.
  const Vec<2> hit(nearest, from.y()), corner = points[ring[best]];
  if (corner.y() == from.y()) return best;
  double least = std::abs(corner.y() - from.y()) / (corner.x() - from.x());
  const bool above = corner.y() > from.y();
  for (std::size_t k = 0; k < ring.size(); ++k) {
    const Vec<2>& p = points[ring[k]];
    const bool before = above ? is_within(p, from, hit, corner) : is_within(p, from, corner, hit);
    if (!before || p == corner || p.x() <= from.x()) continue;
    const double slope = std::abs(p.y() - from.y()) / (p.x() - from.x());
    if (slope < least) least = slope, best = k;
  }
  return best;
}

/// Goes from the outline over a bridge round the hole and back.
void add_hole(const std::vector<Vec<2>>& points, Ring& ring, const Ring& hole) {
  const auto right_most = std::ranges::max_element(hole, {}, [&](Corner c) { return points[c].x(); });
  const std::size_t first = std::size_t(right_most - hole.begin()),
                    at = seen_from(points, ring, points[*right_most]);
  Ring way;
  for (std::size_t k = 0; k <= hole.size(); ++k) way.push_back(hole[(first + k) % hole.size()]);
  way.push_back(ring[at]);
  ring.insert(ring.begin() + std::ptrdiff_t(at) + 1, way.begin(), way.end());
}

bool is_ear(const std::vector<Vec<2>>& points, const Ring& ring, std::size_t k) {
  const std::size_t count = ring.size();
  const Vec<2>&a = points[ring[(k + count - 1) % count]], &b = points[ring[k]],
        &c = points[ring[(k + 1) % count]];
  if (turn_at(a, b, c) <= 0) return false;
  return std::ranges::none_of(ring, [&](Corner n) {
    const Vec<2>& p = points[n];
    return p != a && p != b && p != c && is_within(p, a, b, c);
  });
}
}  // namespace

std::vector<std::array<std::uint32_t, 3>> triangles_over(const std::vector<Vec<2>>& points,
                                                         std::vector<std::uint32_t> outline,
                                                         std::vector<std::vector<std::uint32_t>> holes) {
  const auto right_end = [&](const Ring& hole) {
    double most = -std::numeric_limits<double>::infinity();
    for (const Corner c : hole) most = std::max(most, points[c].x());
    return most;
  };
  std::ranges::sort(holes, std::ranges::greater(), right_end);
  for (const Ring& hole : holes) add_hole(points, outline, hole);
  std::vector<std::array<Corner, 3>> triangles;
  std::size_t k = 0, tried = 0;
  while (outline.size() > 3) {
    // Where round-off leaves no ear, any corner is cut off.
    if (tried < outline.size() && !is_ear(points, outline, k)) {
      ++tried;
      k = (k + 1) % outline.size();
      continue;
    }
    const std::size_t count = outline.size();
    triangles.push_back({outline[(k + count - 1) % count], outline[k], outline[(k + 1) % count]});
    outline.erase(outline.begin() + std::ptrdiff_t(k));
    k %= outline.size();
    tried = 0;
  }
  triangles.push_back({outline[0], outline[1], outline[2]});
  return triangles;
}

Surface extruded(const std::vector<Vec<2>>& corners, const std::vector<RoundHole>& holes, double low,
                 double high) {
  constexpr int sides = 24;
  std::vector<Vec<2>> points = corners;
  Ring outline(corners.size());
  for (std::size_t k = 0; k < corners.size(); ++k) outline[k] = Corner(k);
  std::vector<Ring> rims;
  for (const RoundHole& hole : holes) {
    rims.emplace_back();
    for (int k = 0; k < sides; ++k) {
      const double angle = -2 * std::numbers::pi * k / sides;
      rims.back().push_back(Corner(points.size()));
      points.push_back(hole.at + hole.radius * Vec<2>(std::cos(angle), std::sin(angle)));
    }
  }
  Surface s;
  const auto count = Corner(points.size());
  for (const double z : {low, high})
    for (const Vec<2>& p : points) s.points.emplace_back(p.x(), p.y(), z);
  for (const auto& [a, b, c] : triangles_over(points, outline, rims)) {
    s.triangles.push_back({a, c, b});
    s.triangles.push_back({a + count, b + count, c + count});
  }
  rims.push_back(outline);
  for (const Ring& ring : rims) {
    Ring above = ring;
    for (Corner& c : above) c += count;
    s.join(ring, above);
  }
  return s;
}
}  // namespace mubody
