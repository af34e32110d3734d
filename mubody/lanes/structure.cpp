#include "mubody/lanes/structure.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "mubody/forces/moment.h"
#include "mubody/forces/point_force.h"
#include "mubody/forces/spring.h"
#include "mubody/forces/torsion_spring.h"
#include "mubody/functions/constant.h"
#include "mubody/joints/distance.h"
#include "mubody/joints/fixed.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/slot.h"
#include "mubody/joints/translational.h"

namespace mubody {
namespace {
using S = LaneStructure;
constexpr int most_rows = 60;  // lanes are for small mechanisms

template <class J> const J* as(const AnyJoint& joint) {
  const auto* of = dynamic_cast<const JointOf<J>*>(&joint);
  return of ? &of->joint : nullptr;
}
template <class F> const F* as(const AnyForce& force) {
  const auto* of = dynamic_cast<const ForceOf<F>*>(&force);
  return of ? &of->force : nullptr;
}

bool is_constant(const Function& f) {
  return dynamic_cast<const Function::Of<Constant>*>(&f.kind()) != nullptr;
}
bool is_constant(const Signal& s) { return !s.depends_on_state() && is_constant(s.function_of_time()); }
bool is_plain(const Elastic& e) { return !e.law && is_constant(e.actuator) && e.actuator(0).x == 0; }

std::optional<S::Force> kind_of(const AnyForce& force) {
  const auto* line = as<Spring>(force);
  // A spring of zero length may have no direction, which lanes do not look for.
  if (line && is_plain(*line) && *line->free_length > 0) return S::spring;
  const auto* turn = as<TorsionSpring>(force);
  if (turn && is_plain(*turn)) return S::torsion_spring;
  const auto* push = as<PointForce>(force);
  if (push && push->axes.index == 0 &&
      std::ranges::all_of(push->force, [](const Signal& s) { return is_constant(s); }))
    return S::point_force;
  const auto* twist = as<Moment>(force);
  return twist && is_constant(twist->moment) ? std::optional(S::moment) : std::nullopt;
}

double value_of(const Signal& s) { return s.function_of_time()(0).x; }

/// Which numbers of D may differ from zero: x, y and angle, for each row of a joint and alike for both bodies.
std::vector<std::array<bool, 3>> pattern_of(S::Joint kind) {
  constexpr std::array<bool, 3> x{true, false, true}, y{false, true, true}, all{true, true, true},
      angle{false, false, true};
  switch (kind) {
    case S::revolute: return {x, y};
    case S::translational: return {angle, all};
    case S::fixed: return {x, y, angle};
    default: return {all};
  }
}
}  // namespace

std::optional<LaneStructure::Joint> lane_joint(const AnyJoint& joint) {
  if (as<Revolute>(joint)) return S::revolute;
  if (as<Slot>(joint)) return S::slot;
  if (as<Translational>(joint)) return S::translational;
  if (as<Fixed>(joint)) return S::fixed;
  const auto* link = as<Distance>(joint);
  return link && is_constant(*link->length) ? std::optional(S::distance) : std::nullopt;
}

std::vector<bool> LaneStructure::angles() const {
  std::vector<bool> all;
  for (const auto& joint : joints)
    for (int r = 0; r < rows_of(joint.kind); ++r)
      all.push_back(joint.kind == fixed ? r == 2 : joint.kind == translational && r == 0);
  return all;
}

std::optional<LaneStructure> lane_structure(const Mechanism& m, std::string& why) {
  const auto no = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (m.dim != 2) return no("the mechanism is spatial");
  if (!m.signals.empty()) return no("it has signals");
  LaneStructure s;
  s.bodies = int(m.bodies.size());
  for (const RigidBody& b : m.bodies)
    if (!(b.mass > 0) || !(b.inertia(2, 2) > 0))
      return no(fmt::format("body '{}' has no mass or no inertia", b.name));
  std::vector<LaneEntry> entries;
  int row = 0;
  for (const auto& named : m.joints) {
    const auto kind = lane_joint(*named.what);
    if (!kind)
      return no(
          fmt::format("{} '{}' ({})", named.driver ? "driver" : "joint", named.name, named.what->info().name));
    if (named.what->friction) return no(fmt::format("joint '{}' has friction that sticks", named.name));
    const int bodies[] = {named.what->i().body, named.what->j().body};
    s.joints.push_back({*kind, bodies[0], bodies[1]});
    assert(int(pattern_of(*kind).size()) == rows_of(*kind));
    for (const auto& pattern : pattern_of(*kind)) {
      for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k)
          if (bodies[side] != ground && pattern[std::size_t(k)])
            entries.push_back({row, 3 * (bodies[side] - 1) + k, 6 * row + 3 * side + k});
      ++row;
    }
  }
  for (const auto& named : m.forces) {
    const auto kind = kind_of(*named.what);
    if (!kind) return no(fmt::format("force '{}' ({})", named.name, named.what->info().name));
    s.forces.push_back({*kind, named.what->i().body, named.what->j().body});
  }
  for (const Point& p : m.points) s.points.push_back(p.marker.body);
  if (row > most_rows) return no(fmt::format("{} equations are more than {}", row, most_rows));
  s.elimination = eliminate(row, 3 * s.bodies, entries);
  return s;
}

std::vector<double> lane_numbers(const LaneStructure& s, const Mechanism& m) {
  std::vector<double> x(static_cast<std::size_t>(s.numbers()));
  x[0] = m.gravity.x(), x[1] = m.gravity.y();
  for (int b = 0; b < s.bodies; ++b) {
    const RigidBody& body = m.bodies[std::size_t(b)];
    const double of[] = {body.mass, body.inertia(2, 2)};
    std::ranges::copy(of, x.begin() + s.body_at(b));
  }
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    const AnyJoint& joint = *m.joints[k].what;
    const Marker &i = joint.i(), &j = joint.j();
    const double turn = angle_about_z(i.turn);
    const auto* link = as<Distance>(joint);
    // The two points, the y axis of i, the angle from x of i to x of j when the bodies have the same angle, a
    // length.
    const double of[] = {i.at.x(),
                         i.at.y(),
                         j.at.x(),
                         j.at.y(),
                         -std::sin(turn),
                         std::cos(turn),
                         angle_about_z(j.turn) - turn,
                         link ? (*link->length)(0).x : 0};
    std::ranges::copy(of, x.begin() + s.joint_at(int(k)));
  }
  for (std::size_t k = 0; k < m.forces.size(); ++k) {
    const AnyForce& force = *m.forces[k].what;
    const Marker &i = force.i(), &j = force.j();
    // The two points, then stiffness, damping and free length or angle, or the components of the force.
    double of[] = {i.at.x(), i.at.y(), j.at.x(), j.at.y(), 0, 0, 0, 0};
    if (const auto* spring = as<Spring>(force))
      of[4] = spring->stiffness, of[5] = spring->damping, of[6] = *spring->free_length;
    if (const auto* spring = as<TorsionSpring>(force)) {
      of[4] = spring->stiffness, of[5] = spring->damping;
      of[6] = *spring->free_angle - (angle_about_z(j.turn) - angle_about_z(i.turn));
    }
    if (const auto* push = as<PointForce>(force))
      of[4] = value_of(push->force[0]), of[5] = value_of(push->force[1]);
    if (const auto* twist = as<Moment>(force)) of[4] = value_of(twist->moment);
    std::ranges::copy(of, x.begin() + s.force_at(int(k)));
  }
  for (std::size_t k = 0; k < m.points.size(); ++k) {
    const double of[] = {m.points[k].marker.at.x(), m.points[k].marker.at.y()};
    std::ranges::copy(of, x.begin() + s.point_at(int(k)));
  }
  return x;
}
}  // namespace mubody
