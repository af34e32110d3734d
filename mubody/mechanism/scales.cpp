#include "mubody/mechanism/scales.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// The sizes of some bodies, among which scales are chosen.
struct Sizes {
  double arm_of_joints = 0, arm_of_forces = 0;  // how far from the centre of mass they hold a body, at most
  double parts = 0, all = 0;                    // extents of connected bodies, at most, and of all
  double element = 0;                           // the longest distance between the markers of an element
  double gyration = 0;                          // the largest radius
  double mass = 0;

  /// Takes those of bodies that nothing connects with these; the extent of all remains.
  void add(const Sizes& other) {
    for (const auto size :
         {&Sizes::arm_of_joints, &Sizes::arm_of_forces, &Sizes::parts, &Sizes::element, &Sizes::gyration})
      this->*size = std::max(this->*size, other.*size);
    mass += other.mass;
  }

  Scales scales() const;
};

/// The group that an element belongs to; `none` between markers of the ground.
template <class Element>
std::size_t group_of(const Element& element, const std::vector<int>& group_of_body, std::size_t none) {
  for (const Marker* marker : element.what->markers())
    if (marker->body != ground) return std::size_t(group_of_body[std::size_t(marker->body)]);
  return none;
}

/// Those of every group, then those of elements on the ground alone.
std::vector<Sizes> sizes_of_groups(const Mechanism& m, const std::vector<int>& group_of_body, int groups) {
  const auto none = std::size_t(groups);
  std::vector<Sizes> sizes(none + 1);
  std::vector<Extent> extents(none);
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const RigidBody& body = m.bodies[b];
    const auto g = std::size_t(group_of_body[b + 1]);
    extents[g].add(body.start.at);
    sizes[g].mass += body.mass;
    if (body.mass > 0)
      sizes[g].gyration =
          std::max(sizes[g].gyration, std::sqrt(body.inertia.diagonal().maxCoeff() / body.mass));
  }
  for (std::size_t g = 0; g < none; ++g) sizes[g].parts = sizes[g].all = extents[g].size();
  const auto take = [&](const auto& elements, double Sizes::*arm) {
    for (const auto& element : elements) {
      Sizes& own = sizes[group_of(element, group_of_body, none)];
      const Marker &i = element.what->i(), &j = element.what->j();
      for (const Marker* marker : element.what->markers())
        if (marker->body != ground) own.*arm = std::max(own.*arm, marker->at.norm());
      own.element = std::max(own.element, (m.start_of(j).at - m.start_of(i).at).norm());
    }
  };
  take(m.joints, &Sizes::arm_of_joints);
  take(m.forces, &Sizes::arm_of_forces);
  return sizes;
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
Scales Sizes::scales() const {
  Scales s;
  // What is far smaller than the parts themselves is an eccentricity or round-off, not a size.
  constexpr double far_smaller = 1e-3;
  double largest = 0;
  for (const double length : {arm_of_joints, arm_of_forces, parts, gyration})
    if (std::isfinite(length)) largest = std::max(largest, length);
  for (const double length : {arm_of_joints, arm_of_forces, parts, all, element, gyration})
    if (std::isfinite(length) && length > 0 && length >= far_smaller * largest) {
      s.length = length;
      break;
    }
  if (mass > 0) s.mass = mass;
  return s;
}

Scales scales_of(const Mechanism& m) {
  std::vector<int> group_of_body;
  const int groups = count_groups(m, group_of_body);
  Sizes whole;
  for (const Sizes& part : sizes_of_groups(m, group_of_body, groups)) whole.add(part);
  Extent all;
  for (const RigidBody& b : m.bodies) all.add(b.start.at);
  whole.all = all.size();
  return whole.scales();
}

std::vector<Scales> scales_of_groups(const Mechanism& m, const std::vector<int>& group_of_body, int groups) {
  std::vector<Scales> all;
  for (const Sizes& own : sizes_of_groups(m, group_of_body, groups)) all.push_back(own.scales());
  all.pop_back();  // that of the ground
  return all;
}
}  // namespace mubody
