#include "mubody/simulation/body_sizes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mubody/math/dense.h"

namespace mubody {
namespace {
/// Calls f(marker) for the markers of all joints and forces.
template <class F> void each_marker(const Mechanism& m, const F& f) {
  for (const auto& j : m.joints) std::ranges::for_each(j.what->markers(), [&](const Marker* k) { f(*k); });
  for (const auto& x : m.forces) std::ranges::for_each(x.what->markers(), [&](const Marker* k) { f(*k); });
}

constexpr std::size_t few_points = 512;
constexpr int directions = 256;

// Directions spread evenly over half a sphere: a spiral that turns by the golden angle.  Any direction is closer than
// 0.14 rad to one of them.
Vec<3> direction_of(int k) {
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  const double z = (k + 0.5) / directions, r = std::sqrt(1 - z * z);
  return {r * std::cos(golden * k), r * std::sin(golden * k), z};
}

// The points that lie farthest out along each of the directions, both ways.  The two that are farthest apart are at most
// as far apart as the outermost ones along their own direction, and the nearest direction shortens that by its cosine.
std::vector<Vec<3>> outermost(const std::vector<Vec<3>>& points) {
  std::vector<Vec<3>> all;
  for (int k = 0; k < directions; ++k) {
    const Vec<3> along = direction_of(k);
    const auto [least, most] =
        std::ranges::minmax_element(points, {}, [&](const Vec<3>& p) { return along.dot(p); });
    all.push_back(*least), all.push_back(*most);
  }
  return all;
}

// Exact for few points.
double largest_distance(std::vector<Vec<3>> points) {
  if (points.size() > few_points) points = outermost(points);
  double most = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) most = std::max(most, (points[i] - points[j]).norm());
  return most;
}
}  // namespace

BodySizes::BodySizes(const Mechanism& m) : m_(m), points_(m.bodies.size() + 1, {Vec<3>::Zero()}) {
  const auto take = [&](const Marker& marker) {
    if (marker.body != ground) points_[std::size_t(marker.body)].push_back(marker.at);
  };
  each_marker(m, take);
  for (const Point& p : m.points) take(p.marker);
}

double BodySizes::operator()(int body) {
  if (const double size = largest_distance(points_[std::size_t(body)]) / 2; size > 0) return size;
  const RigidBody& own = m_.bodies[std::size_t(body - 1)];
  if (own.mass > 0 && own.inertia.norm() > 0)
    return std::sqrt(symmetric_eigen3(own.inertia).values.maxCoeff() / own.mass);
  if (!whole_) {
    std::vector<Vec<3>> bodies{Vec<3>::Zero()};
    for (const RigidBody& b : m_.bodies) bodies.push_back(b.start.at);
    whole_ = largest_distance(std::move(bodies)) / 2;
  }
  return *whole_;
}

std::vector<bool> attached_bodies(const Mechanism& m) {
  std::vector<bool> attached(m.bodies.size() + 1, false);
  each_marker(m, [&](const Marker& marker) { attached[std::size_t(marker.body)] = true; });
  return attached;
}
}  // namespace mubody
