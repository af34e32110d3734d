#include <cassert>

#include <fmt/format.h>

#include "mubody/formulations/tree_walk.h"
#include "mubody/math/dense.h"

namespace mubody {
bool has_chain(const AnyJoint& joint, int D) {
  const int all = D == 2 ? twist<2> : twist<3>;
  return joint.rolls(D) == 0 && int(joint.allow().size()) + joint.forbids(D) == all;
}

Graph joint_graph(const Mechanism& m, const Graph& graph) {
  std::vector<Link> links = graph.links();
  for (std::size_t k = 0; k < links.size(); ++k)
    if (!has_chain(*m.joints[k].what, m.dim)) links[k].chord = true;
  return {int(m.bodies.size()), std::move(links)};
}

Graph following_graph(const Mechanism& m, const Graph& graph, const std::vector<FollowingPart>& parts) {
  std::vector<Link> links = graph.links();
  for (const FollowingPart& part : parts) {
    for (const int joint : part.joints) links[std::size_t(joint)] = {};
    for (const auto& follower : part.bodies)
      links.push_back({part.carrier, follower.body, m.dim == 2 ? twist<2> : twist<3>});
  }
  return {int(m.bodies.size()), std::move(links)};
}

namespace {
// The moves of a joint from i to j: three turns about z, y and x in a row are a ball.
std::vector<Move> moves_of(const AnyJoint& joint) {
  constexpr std::array gimbal{turn_z, turn_y, turn_x};
  const auto chain = joint.allow();
  std::vector<Move> moves;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    if (chain.size() - k >= gimbal.size() &&
        std::equal(gimbal.begin(), gimbal.end(), chain.begin() + std::ptrdiff_t(k))) {
      moves.push_back({turn_z, true});
      k += gimbal.size() - 1;
    } else {
      moves.push_back({chain[k], false});
    }
  }
  return moves;
}
}  // namespace

template <int D>
Tree<D>::Tree(const Mechanism& m, const Graph& graph, std::vector<FollowingPart> parts)
    : arc_to_(m.bodies.size() + 1, -1), bodies_(int(m.bodies.size()) + 1) {
  for (FollowingPart& part : parts) parts_.push_back({std::move(part)});
  for (const Graph::Arc& arc : graph.arcs()) add_arc(m, arc);
  place_columns();
}

// A body that follows has no coordinates of its own; those of its part come with the first of its bodies.
template <int D> void Tree<D>::follow(Arc<D>& arc, int link) {
  arc.joint = -1;
  arc.part = 0;
  while (link >= int(parts_[std::size_t(arc.part)].of.bodies.size()))
    link -= int(parts_[std::size_t(arc.part++)].of.bodies.size());
  arc.member = link;
  Part& part = parts_[std::size_t(arc.part)];
  if (part.first_arc >= 0) return;
  part.first_arc = int(arcs_.size());
  part.q = nq, part.u = nu;
  nq += int(part.of.variables.size()), nu += int(part.of.variables.size());
  part.from = followed_;
  std::size_t next = 0;
  for (const auto& body : part.of.bodies) {
    part.member.push_back(next);
    next += std::size_t(Body<D>::coordinates + Body<D>::columns * int(body.variables.size() + 1));
  }
  followed_ += next;
}

// Velocities of ordinary arcs have a column each; those of followers stand behind all of them.
template <int D> void Tree<D>::place_columns() {
  for (Arc<D>& arc : arcs_) {
    arc.h = arc.u, arc.nh = arc.nu;
    if (!arc.follows()) continue;
    const Part& part = parts_[std::size_t(arc.part)];
    arc.h = nu + int(shared_.size());
    for (const int k : part.of.bodies[std::size_t(arc.member)].variables) shared_.push_back(part.u + k);
    arc.nh = nu + int(shared_.size()) - arc.h;
  }
}

template <int D> std::vector<bool> Tree<D>::closed(std::size_t joints) const {
  std::vector<bool> in(joints, false);
  for (const Arc<D>& arc : arcs_)
    if (arc.joint >= 0) in[std::size_t(arc.joint)] = true;
  for (const Part& part : parts_)
    for (const int joint : part.of.joints) in[std::size_t(joint)] = true;
  return in;
}

template <int D> void Tree<D>::add_arc(const Mechanism& m, const Graph::Arc& from) {
  Arc<D> arc;
  arc.joint = from.link;
  arc.parent = from.parent;
  arc.child = from.child;
  arc.above = arc_to(from.parent);
  arc.against = from.sign < 0;
  if (from.link >= int(m.joints.size())) follow(arc, from.link - int(m.joints.size()));
  if (arc.follows() && (arc.against || arc.parent != parts_[std::size_t(arc.part)].of.carrier))
    throw ModelError(
        fmt::format("the loops with body '{}' are not carried by body '{}' in the tree of joint "
                    "coordinates: write the latter before the others, or connect it to the ground",
                    m.body_name(arc.parent), m.body_name(arc.child)));
  arc.q = nq;
  arc.u = nu;
  if (arc.is_free()) {
    arc.nq = Body<D>::coordinates;
    arc.nu = Body<D>::columns;
  } else if (!arc.follows()) {
    const AnyJoint& joint = *m.joints[std::size_t(from.link)].what;
    for (Move x : moves_of(joint)) {  // coordinates are in the order of the joint, whichever way the arc leads
      x.q = nq + arc.nq;
      x.u = nu + arc.nu;
      arc.moves[std::size_t(arc.count++)] = x;
      arc.nq += x.ball ? 4 : 1;
      arc.nu += x.ball ? 3 : 1;
    }
    if (arc.against) std::reverse(arc.moves.begin(), arc.moves.begin() + arc.count);
    const Marker &near = arc.against ? joint.j() : joint.i(), &far = arc.against ? joint.i() : joint.j();
    arc.from = Mount<D>(near);
    arc.to = Mount<D>(far);
    arc.from_turn = near.turn.normalized();
    arc.to_turn = far.turn.normalized();
  }
  nq += arc.nq;
  nu += arc.nu;
  arc_to_[std::size_t(arc.child)] = int(arcs_.size());
  arcs_.push_back(arc);
}

namespace {
using tree_walk::each_move;

Pose pose_of(const Body<2>::BodyState& m) { return {{m.r.x(), m.r.y(), 0}, turn_about_z(m.angle), m.angle}; }
Pose pose_of(const Body<3>::BodyState& m) {
  return {m.r, Quaternion(m.p[0], m.p[1], m.p[2], m.p[3]).normalized(), 0};
}
template <int D> Marker marker(const Mount<D>& mount, const Quaternion& turn) {
  Marker x{mount.body, Vec<3>::Zero(), turn};
  x.at.template head<D>() = mount.at;
  return x;
}
void write_turn(const Quaternion& p, double* q) { q[0] = p.w(), q[1] = p.x(), q[2] = p.y(), q[3] = p.z(); }
void write_pose(const Body<2>::BodyState& m, double* q) { q[0] = m.r.x(), q[1] = m.r.y(), q[2] = m.angle; }
void write_pose(const Body<3>::BodyState& m, double* q) {
  Eigen::Map<Vec<3>>{q} = m.r;
  Eigen::Map<Vec<4>>{q + 3} = m.p.normalized();
}
}  // namespace

template <int D> void Tree<D>::read(const BodyState* bodies, double* q, double* u) const {
  for (const Arc<D>& arc : arcs_) {
    const BodyState &parent = bodies[arc.parent], &child = bodies[arc.child];
    if (arc.is_free()) {
      write_pose(child, q + arc.q);
      continue;
    }
    if (arc.follows()) continue;
    Pose near = pose_of(parent) * pose(marker(arc.from, arc.from_turn));
    Pose far = pose_of(child) * pose(marker(arc.to, arc.to_turn));
    const Pose &i = arc.against ? far : near, &j = arc.against ? near : far;
    const Vec<3> d = i.turn.conjugate() * (j.at - i.at);
    each_move(arc, [&](const Move& x) {
      if (x.ball) {
        const Pose first = pose_of(arc.against ? child : parent),
                   second = pose_of(arc.against ? parent : child);
        write_turn(first.turn.conjugate() * second.turn, q + x.q);
      } else if (!is_turn(x.motion)) {
        q[x.q] = d[int(x.motion) % 3];
      } else if constexpr (D == 2) {
        q[x.q] = j.angle - i.angle;
      } else {
        q[x.q] = cardan_angle(i, j, x.motion == turn_z ? 0 : x.motion == turn_y ? 1 : 2);
      }
    });
  }
  // Velocities: the part of each relative twist that the columns can produce.
  std::vector<BodyState> here(static_cast<std::size_t>(bodies_));
  TreeMotion<D> tree = make_motion();
  const VecX still = VecX::Zero(nu);
  move_bodies(q, still.data(), here.data(), tree);
  constexpr int C = twist<D>;
  for (std::size_t k = 0; k < arcs_.size(); ++k) {
    const Arc<D>& arc = arcs_[k];
    if (arc.nu == 0) continue;
    const Twist<D> moved = twist_of<D>(bodies[arc.parent]).at(tree.way[k]),
                   now = twist_of<D>(bodies[arc.child]);
    Vec<C> rest;
    rest << now.v - moved.v, now.w - moved.w;
    MatX H(C, arc.nu);
    for (int n = 0; n < arc.nu; ++n) {
      const Twist<D>& h = tree.h[std::size_t(arc.u + n)];
      H.col(n) << h.v, h.w;
    }
    Eigen::Map<VecX>(u + arc.u, arc.nu) = PivotedQr(H).solve(rest);
  }
}

template <int D> void Tree<D>::take_signs(const double* q, const BodyState* bodies) {
  if constexpr (D == 3) {
    std::vector<BodyState> here(static_cast<std::size_t>(bodies_));
    TreeMotion<D> tree = make_motion();
    const VecX still = VecX::Zero(nu);
    std::vector<bool> turned(here.size(), false);  // the sign differs
    move_bodies(q, still.data(), here.data(), tree);
    for (Arc<D>& arc : arcs_) {
      const auto child = std::size_t(arc.child);
      turned[child] = here[child].p.dot(bodies[child].p) < 0;
      if (turned[child] != turned[std::size_t(arc.parent)] && !arc.is_free()) arc.to_turn.coeffs() *= -1;
    }
  }
}

template class Tree<2>;
template class Tree<3>;
}  // namespace mubody
