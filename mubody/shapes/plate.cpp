#include "mubody/shapes/plate.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

namespace mubody {
namespace {
double cross(const Vec<2>& a, const Vec<2>& b) { return a.x() * b.y() - a.y() * b.x(); }

double doubled_area(const std::vector<Vec<2>>& corners) {
  double sum = 0;
  for (std::size_t k = 0; k < corners.size(); ++k)
    sum += cross(corners[k] - corners[0], corners[(k + 1) % corners.size()] - corners[0]);
  return sum;
}

double distance_to_edge(const Vec<2>& p, const Vec<2>& a, const Vec<2>& b) {
  const Vec<2> along = b - a;
  const double share = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (p - a - share * along).norm();
}

/// Whether two edges that have no corner in common meet: the ends of each lie on both sides of the other, or on it.
bool do_cross(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c, const Vec<2>& d) {
  const bool apart = (a.cwiseMax(b).array() < c.cwiseMin(d).array()).any() ||
                     (c.cwiseMax(d).array() < a.cwiseMin(b).array()).any();
  return !apart && cross(b - a, c - a) * cross(b - a, d - a) <= 0 &&
         cross(d - c, a - c) * cross(d - c, b - c) <= 0;
}

bool is_inside(const Vec<2>& p, const std::vector<Vec<2>>& corners) {
  bool inside = false;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec<2>&a = corners[k], &b = corners[(k + 1) % corners.size()];
    if ((a.y() > p.y()) == (b.y() > p.y())) continue;
    if (p.x() < a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x())) inside = !inside;
  }
  return inside;
}

void check_corners(const std::vector<Vec<2>>& corners) {
  constexpr std::size_t most = 200;
  const std::size_t count = corners.size();
  require(count <= most, "through", fmt::format("a plate has at most {} corners", most));
  for (std::size_t k = 0; k < count; ++k) {
    const Vec<2>&a = corners[k], &b = corners[(k + 1) % count];
    if (a == b) throw FieldError("through", (k + 1) % count, "is the same point as the corner before it");
    for (std::size_t n = k + 2; n < count; ++n) {
      if (k == 0 && n + 1 == count) continue;  // neighbours
      if (do_cross(a, b, corners[n], corners[(n + 1) % count]))
        throw FieldError(
            "through", n,
            "the edge that begins here crosses another one: name the corners in order around the plate");
    }
  }
  double size = 0;
  for (const Vec<2>& c : corners) size = std::max(size, (c - corners[0]).squaredNorm());
  require(std::abs(doubled_area(corners)) > 1e-12 * size, "through",
          "the places lie on a line: a plate needs an area");
}

void check_holes(const std::vector<Vec<2>>& corners, const std::vector<RoundHole>& holes) {
  constexpr std::size_t most = 30;
  require(holes.size() <= most, "holes", fmt::format("a plate has at most {} holes", most));
  for (std::size_t k = 0; k < holes.size(); ++k) {
    const RoundHole& hole = holes[k];
    if (!(std::isfinite(hole.radius) && hole.radius > 0))
      throw FieldError("holes", k, "the radius must be positive");
    bool fits = is_inside(hole.at, corners);
    for (std::size_t n = 0; n < corners.size(); ++n)
      fits = fits && distance_to_edge(hole.at, corners[n], corners[(n + 1) % corners.size()]) > hole.radius;
    if (!fits) throw FieldError("holes", k, "does not lie within the plate");
    for (std::size_t n = 0; n < k; ++n)
      if ((holes[n].at - hole.at).norm() <= holes[n].radius + hole.radius)
        throw FieldError("holes", k, fmt::format("overlaps hole {}", n + 1));
  }
}

/// Area, its first and its second moments.
struct AreaMoments {
  double area = 0;
  Vec<2> first = Vec<2>::Zero();
  Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
};

AreaMoments moments_of(const std::vector<Vec<2>>& corners, const std::vector<RoundHole>& holes,
                       const Vec<2>& about) {
  AreaMoments m;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec<2> a = corners[k] - about, b = corners[(k + 1) % corners.size()] - about;
    const double w = cross(a, b);
    m.area += w / 2;
    m.first += w / 6 * (a + b);
    m.second +=
        w / 24 * (2 * a * a.transpose() + 2 * b * b.transpose() + a * b.transpose() + b * a.transpose());
  }
  if (m.area < 0) m = {-m.area, -m.first, -m.second};
  for (const RoundHole& hole : holes) {
    const double area = std::numbers::pi * hole.radius * hole.radius;
    const Vec<2> at = hole.at - about;
    m.area -= area;
    m.first -= area * at;
    m.second -= area * (at * at.transpose() + hole.radius * hole.radius / 4 * Eigen::Matrix2d::Identity());
  }
  return m;
}
}  // namespace

void Plate::check() const {
  require(std::isfinite(thickness) && thickness >= 0, "thickness", "must not be negative");
  require(corners.size() > 2, "through", "a plate has three corners or more");
  check_corners(corners);
  check_holes(corners, holes);
}

MassProperties Plate::unit() const {
  // Moments about the centre itself, which is known after the first sums, lose no digits far from the origin.
  const AreaMoments about_corner = moments_of(corners, holes, corners[0]);
  const Vec<2> centre = corners[0] + about_corner.first / about_corner.area;
  const AreaMoments m = moments_of(corners, holes, centre);
  const double height = is_thin() ? 1 : thickness;
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  moments.topLeftCorner<2, 2>() = height * m.second;
  moments(2, 2) = is_thin() ? 0 : m.area * height * height * height / 12;
  return MassProperties::of_moments(m.area * height, Vec<3>(centre.x(), centre.y(), 0), moments);
}

Surface Plate::surface() const {
  if (is_thin()) return {};
  std::vector<Vec<2>> around = corners;
  if (doubled_area(around) < 0) std::ranges::reverse(around);
  return extruded(around, holes, -thickness / 2, thickness / 2);
}
}  // namespace mubody
