#include "mubody/picture/outline.h"

#include <algorithm>

namespace mubody::io {
std::pair<std::size_t, std::size_t> farthest_pair(const std::vector<Vec<3>>& points) {
  std::pair<std::size_t, std::size_t> best{0, 0};
  double most = -1;
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = a + 1; b < points.size(); ++b)
      if (const double d = (points[a] - points[b]).norm(); d > most) most = d, best = {a, b};
  return best;
}

bool are_on_line(const std::vector<Vec<3>>& points, std::size_t a, std::size_t b, double tolerance) {
  const Vec<3> along = (points[b] - points[a]).normalized();
  return std::ranges::all_of(points,
                             [&](const Vec<3>& p) { return (p - points[a]).cross(along).norm() <= tolerance; });
}

Vec<3> normal_of(const std::vector<Vec<3>>& points) {
  const auto [a, b] = farthest_pair(points);
  Vec<3> best = Vec<3>::Zero();
  for (const Vec<3>& p : points)
    if (const Vec<3> n = (points[b] - points[a]).cross(p - points[a]); n.norm() > best.norm()) best = n;
  return best.normalized();
}

bool are_in_plane(const std::vector<Vec<3>>& points, double tolerance) {
  const Vec<3> normal = normal_of(points);
  return std::ranges::all_of(
      points, [&](const Vec<3>& p) { return std::abs((p - points[0]).dot(normal)) <= tolerance; });
}

// The convex hull by one chain of points from left to right and one back (Andrew).
std::vector<Vec<3>> around(const std::vector<Vec<3>>& points) {
  const auto [a, b] = farthest_pair(points);
  const Vec<3> n = normal_of(points), x = (points[b] - points[a]).normalized(), y = n.cross(x);
  std::vector<std::pair<Vec<2>, Vec<3>>> sorted;
  for (const Vec<3>& p : points) sorted.push_back({Vec<2>(x.dot(p), y.dot(p)), p});
  std::ranges::sort(sorted, [](const auto& p, const auto& q) {
    return p.first.x() != q.first.x() ? p.first.x() < q.first.x() : p.first.y() < q.first.y();
  });
  std::vector<std::pair<Vec<2>, Vec<3>>> hull;
  const auto left = [](const Vec<2>& o, const Vec<2>& p, const Vec<2>& q) {
    return (p.x() - o.x()) * (q.y() - o.y()) - (p.y() - o.y()) * (q.x() - o.x()) > 0;
  };
  for (const bool back : {false, true}) {
    const std::size_t first = hull.size();
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      const auto& p = sorted[back ? sorted.size() - 1 - k : k];
      while (hull.size() >= first + 2 && !left(hull[hull.size() - 2].first, hull.back().first, p.first))
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // it begins the next chain
  }
  std::vector<Vec<3>> corners;
  for (const auto& p : hull) corners.push_back(p.second);
  return corners;
}
}  // namespace mubody::io
