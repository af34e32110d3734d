#include "mubody/mechanism/scales.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "mubody/mechanism/groups.h"

namespace mubody {
namespace {
/// The size of a cloud of points.
class Extent {
 public:
  void add(const Vec<3>& p) { low_ = low_.cwiseMin(p), high_ = high_.cwiseMax(p); }
  double size() const { return low_.x() <= high_.x() ? (high_ - low_).norm() : 0; }

 private:
  Vec<3> low_ = Vec<3>::Constant(std::numeric_limits<double>::infinity()), high_ = -low_;
};

/// Calls `see` with the two markers of every joint and force.
template <class See> void each_pair(const Mechanism& m, const See& see) {
  for (const auto& joint : m.joints) see(joint.what->i(), joint.what->j());
  for (const auto& force : m.forces) see(force.what->i(), force.what->j());
}

/// How far from the centre of mass joints or forces hold a body, at most.
template <class Elements> double longest_arm_of(const Elements& elements) {
  double longest = 0;
  for (const auto& element : elements)
    for (const Marker* marker : {&element.what->i(), &element.what->j()})
      if (marker->body != ground) longest = std::max(longest, marker->at.norm());
  return longest;
}
double arm_of_joints(const Mechanism& m) { return longest_arm_of(m.joints); }
double arm_of_forces(const Mechanism& m) { return longest_arm_of(m.forces); }

/// The largest extent of bodies that are connected.
double size_of_parts(const Mechanism& m) {
  std::vector<int> group;
  std::vector<Extent> parts(std::size_t(count_groups(m, group)));
  for (std::size_t b = 1; b < group.size(); ++b) parts[std::size_t(group[b])].add(m.bodies[b - 1].start.at);
  double largest = 0;
  for (const Extent& part : parts) largest = std::max(largest, part.size());
  return largest;
}

double size_of_all(const Mechanism& m) {
  Extent all;
  for (const RigidBody& b : m.bodies) all.add(b.start.at);
  return all.size();
}

double longest_element(const Mechanism& m) {
  double longest = 0;
  each_pair(m, [&](const Marker& i, const Marker& j) {
    longest = std::max(longest, (m.start_of(j).at - m.start_of(i).at).norm());
  });
  return longest;
}

double radius_of_gyration(const Mechanism& m) {
  double largest = 0;
  for (const RigidBody& b : m.bodies)
    if (b.mass > 0) largest = std::max(largest, std::sqrt(b.inertia.diagonal().maxCoeff() / b.mass));
  return largest;
}
}  // namespace

void Scales::take_time(double fastest, double force, double passing) {
  const double speed = std::max(fastest, std::sqrt(force * length / mass));
  if (std::isfinite(speed) && speed > 0)
    time = length / speed;
  else if (passing > 0)
    time = passing;
}

// The first that is there.  A body that turns moves its joints by an arm per radian, which makes the longest arm the
// length that compares with a turn; masses between springs have a distance, satellites too, a mass on a spring has its
// length, and a flywheel the way its mass is spread.
Scales scales_of(const Mechanism& m) {
  Scales s;
  // What is far smaller than the parts themselves is an eccentricity or round-off, not a size.
  constexpr double far_smaller = 1e-3;
  double largest = 0;
  for (const auto size : {arm_of_joints, arm_of_forces, size_of_parts, radius_of_gyration})
    if (const double length = size(m); std::isfinite(length)) largest = std::max(largest, length);
  for (const auto size :
       {arm_of_joints, arm_of_forces, size_of_parts, size_of_all, longest_element, radius_of_gyration})
    if (const double length = size(m); std::isfinite(length) && length > 0 && length >= far_smaller * largest) {
      s.length = length;
      break;
    }
  const double mass = std::accumulate(m.bodies.begin(), m.bodies.end(), 0.0,
                                      [](double sum, const RigidBody& b) { return sum + b.mass; });
  if (mass > 0) s.mass = mass;
  return s;
}

// As if nothing else were there: all others are points without mass at one place of the group.
Scales scales_of_group(const Mechanism& all, const std::vector<int>& group_of_body, int group) {
  Mechanism m = all;
  const auto is_own = [&](int body) { return body != ground && group_of_body[std::size_t(body)] == group; };
  const auto is_other = [&](const auto& element) {
    return !is_own(element.what->i().body) && !is_own(element.what->j().body);
  };
  std::erase_if(m.joints, is_other);
  std::erase_if(m.forces, is_other);
  const auto first = std::size_t(std::ranges::find(group_of_body.begin() + 1, group_of_body.end(), group) -
                                 group_of_body.begin());
  for (std::size_t b = 1; b < group_of_body.size(); ++b)
    if (group_of_body[b] != group) {
      RigidBody& other = m.bodies[b - 1];
      other.mass = 0;
      other.inertia.setZero();
      other.start = m.bodies[first - 1].start;
    }
  return scales_of(m);
}
}  // namespace mubody
