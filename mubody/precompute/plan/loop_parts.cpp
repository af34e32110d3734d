#include "mubody/precompute/plan/loop_parts.h"

#include <algorithm>

#include "mubody/formulations/tree.h"
#include "mubody/mechanism/compliance.h"
#include "mubody/mechanism/topology.h"
#include "mubody/precompute/plan/variable.h"

namespace mubody {
namespace {
void add_once(std::vector<int>& all, int one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

/// The number that each body of a part has in it; the carrier is 0, and others have −1.
std::vector<int> numbers_in(const Mechanism& m, const LoopPart& part) {
  std::vector<int> number(m.bodies.size() + 1, -1);
  number[std::size_t(part.carrier)] = ground;
  for (std::size_t k = 0; k < part.bodies.size(); ++k) number[std::size_t(part.bodies[k])] = int(k) + 1;
  return number;
}

/// Whether a driver prescribes a variable of the part.
bool drives(const Named<AnyJoint>& named, const std::vector<int>& number, int dim) {
  return named.driver && named.what->couples().empty() && number[std::size_t(named.what->i().body)] >= 0 &&
         number[std::size_t(named.what->j().body)] >= 0 && driven_by(named, dim);
}

/// The number of a compliance in a part, which it is added to when it is asked for first.
int springs_in(Mechanism& own, const Mechanism& m, int force, const std::vector<int>& numbers) {
  const Named<AnyForce>& from = m.forces[std::size_t(force)];
  const auto known = std::ranges::find(own.forces, from.name, &Named<AnyForce>::name);
  const int number = int(known - own.forces.begin());
  if (known == own.forces.end())
    own.forces.push_back({from.name, from.place,
                          compliance_between(*from.what, numbers[std::size_t(from.what->i().body)],
                                             numbers[std::size_t(from.what->j().body)])});
  return number;
}

Vec<3> spin(const BodyLayout& layout, const In& u, int body) {
  if (body == ground) return Vec<3>::Zero();
  const double* const w = u.data() + layout.first_velocity(body) + layout.lengths;
  return layout.spins() == 1 ? Vec<3>(0, 0, w[0]) : Vec<3>(w[0], w[1], w[2]);
}
Vec<3> speed(const BodyLayout& layout, const In& u, int body) {
  Vec<3> v = Vec<3>::Zero();
  if (body != ground)
    for (int k = 0; k < layout.lengths; ++k) v[k] = u[layout.first_velocity(body) + k];
  return v;
}
}  // namespace

namespace {
/// The first of the equations that a compliant joint keeps, for one of them; any other joint itself.
int first_row(const Mechanism& m, int joint) {
  const int of = m.joints[std::size_t(joint)].rigid_part_of;
  if (of < 0) return joint;
  return int(std::ranges::find(m.joints, of, &Named<AnyJoint>::rigid_part_of) - m.joints.begin());
}

/// Joints that hold nothing, as links beyond those of all joints.
std::vector<int> springs_alone(const Mechanism& m) {
  std::vector<int> all;
  for (int k = 0; k < int(m.forces.size()); ++k)
    if (is_compliance(*m.forces[std::size_t(k)].what) &&
        std::ranges::find(m.joints, k, &Named<AnyJoint>::rigid_part_of) == m.joints.end())
      all.push_back(k);
  return all;
}

/// The graph of all joints; of those that cannot be arcs of a tree, and of those that keep particles from turning, only what is
/// part of a loop, so that trees begin where those of joint coordinates do.
Graph graph_with_loops(const Mechanism& m, const std::vector<int>& springs) {
  std::vector<Link> links = graph_of(m).links();
  const std::size_t joints = links.size();
  for (std::size_t k = 0; k < joints; ++k)
    if (m.joints[k].of_particle || first_row(m, int(k)) != int(k)) links[k] = {};
  for (const int k : springs) {
    const AnyForce& f = *m.forces[std::size_t(k)].what;
    links.push_back({f.i().body, f.j().body, m.dim == 2 ? twist<2> : twist<3>});
  }
  const Graph whole(int(m.bodies.size()), links);
  std::vector<bool> in_loop(links.size(), false);
  for (const Graph::Loop& loop : whole.loops())
    for (const Graph::Member& member : loop) in_loop[std::size_t(member.link)] = true;
  for (std::size_t k = 0; k < links.size(); ++k)
    if (!in_loop[k] && (k >= joints || !has_chain(*m.joints[k].what, m.dim))) links[k] = {};
  return {int(m.bodies.size()), std::move(links)};
}

/// The joints and bodies of loops that hang together.
LoopPart part_of(const Mechanism& m, const Graph& graph, const std::vector<int>& group,
                 const std::vector<int>& springs) {
  LoopPart part;
  int highest = -1;
  for (const int loop : group)
    for (const Graph::Member& member : graph.loops()[std::size_t(loop)]) {
      if (const auto beyond = std::size_t(member.link) - m.joints.size();
          std::size_t(member.link) >= m.joints.size())
        add_once(part.springs, springs[beyond]);
      else
        add_once(part.joints, member.link);
      if (member.arc < 0) continue;
      const Graph::Arc& arc = graph.arcs()[std::size_t(member.arc)];
      add_once(part.bodies, arc.child);
      if (const int depth = graph.depth(arc.child); highest < 0 || depth < highest) {
        highest = depth;
        part.carrier = arc.parent;
      }
    }
  for (int k = 0; k < int(m.joints.size()); ++k)
    if (std::ranges::find(part.joints, first_row(m, k)) != part.joints.end()) add_once(part.joints, k);
  for (std::vector<int>* all : {&part.bodies, &part.joints, &part.springs}) std::ranges::sort(*all);
  return part;
}
}  // namespace

std::vector<LoopPart> loop_parts(const Mechanism& m, bool springs_close) {
  const std::vector<int> springs = springs_close ? springs_alone(m) : std::vector<int>();
  const Graph graph = graph_with_loops(m, springs);
  std::vector<LoopPart> all;
  for (const auto& group : graph.groups()) all.push_back(part_of(m, graph, group, springs));
  return all;
}

Mechanism alone(const Mechanism& m, const LoopPart& part, const BodyLayout& layout, const In& q) {
  Mechanism own;
  own.name = m.name;
  own.dim = m.dim;
  const std::vector<int> number = numbers_in(m, part);
  const Pose back = inverse(layout.pose(q, part.carrier));
  for (const int body : part.bodies) {
    RigidBody b = m.bodies[std::size_t(body - 1)];
    b.start = back * layout.pose(q, body);
    b.velocity = b.omega = Vec<3>::Zero();
    b.left_out = {};
    own.bodies.push_back(std::move(b));
  }
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    if (std::ranges::find(part.joints, int(k)) == part.joints.end() && !drives(m.joints[k], number, m.dim))
      continue;
    Named<AnyJoint> joint = m.joints[k];
    joint.what->friction.reset();
    for (Marker* marker : {&joint.what->i(), &joint.what->j()})
      marker->body = number[std::size_t(marker->body)];
    if (joint.rigid_part_of >= 0) joint.rigid_part_of = springs_in(own, m, joint.rigid_part_of, number);
    own.joints.push_back(std::move(joint));
  }
  for (const int force : part.springs) springs_in(own, m, force, number);
  return own;
}

void seen_from_carrier(const LoopPart& part, const BodyLayout& layout, const In& q, const In& u, VecX& own_q,
                       VecX& own_u) {
  own_q.resize(Eigen::Index(part.bodies.size()) * layout.coordinates);
  own_u.resize(Eigen::Index(part.bodies.size()) * layout.velocities);
  const Pose carrier = layout.pose(q, part.carrier), back = inverse(carrier);
  const Vec<3> turning = carrier.turn * spin(layout, u, part.carrier), going = speed(layout, u, part.carrier);
  for (std::size_t k = 0; k < part.bodies.size(); ++k) {
    const int body = part.bodies[k];
    const Pose there = layout.pose(q, body), seen = back * there;
    const Vec<3> v = back.turn * (speed(layout, u, body) - going - turning.cross(there.at - carrier.at));
    const Vec<3> w = spin(layout, u, body) - there.turn.conjugate() * turning;
    double* const to = own_q.data() + Eigen::Index(k) * layout.coordinates;
    double* const rate = own_u.data() + Eigen::Index(k) * layout.velocities;
    for (int i = 0; i < layout.lengths; ++i) to[i] = seen.at[i], rate[i] = v[i];
    if (layout.spins() == 1) {
      to[2] = seen.angle, rate[2] = w[2];
    } else {
      to[3] = seen.turn.w(), to[4] = seen.turn.x(), to[5] = seen.turn.y(), to[6] = seen.turn.z();
      for (int i = 0; i < 3; ++i) rate[3 + i] = w[i];
    }
  }
}
}  // namespace mubody
