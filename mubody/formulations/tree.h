#pragma once
// A tree of joints: positions and velocities of all bodies from the amounts of the elementary motions of its arcs.
//                                                                     docs/theory/joint-coordinates.md
//
//   An arc leads from a body to the next through the chain of elementary motions that its joint allows, each a turn about or
//   a slide along an axis of the frame before.  Root to leaves, motion by motion (each leads to a frame without mass):
//
//   turn    R' = R turn(q),  o' = o              ω' = ω + n u,  v' = v                 α' = α + ω × n u,  a' = a
//   slide   o' = o + n q,    R' = R              v' = v + ω × n q + n u,  ω' = ω       a' = a + α × nq + ω×(ω×nq) + 2 ω × n u
//
//   n is the axis in global axes, sums at the point o of the frame; α and a are the accelerations without q̈.  The columns
//   of B, V = B u, are (n × (r − o), n) and (n, 0) at the centre of mass r of the next body; Ḃ u comes out as (a, α).
//
// A joint that turns about three axes (z, y, x) is taken as a ball: its coordinates are the Euler parameters of body j in
// axes of body i, its velocities the angular velocity of j relative to i in axes of i.  These are singular nowhere.
// A body without an arc is free: its coordinates are those of body coordinates.  Bodies of loops may follow variables
// that they share (following.h): each has an arc without coordinates of its own, and columns for these.
//
// Precomputation (dissertation), eqs. 3.4.5 (V = R_a H_a ṗ_a), 3.5.1; Featherstone (2008), ch. 4.
#include <array>

#include "mubody/formulations/following.h"
#include "mubody/formulations/spatial.h"
#include "mubody/mechanism/graph.h"

namespace mubody {
/// One step of a chain.
struct Move {
  Elementary motion = turn_z;
  bool ball = false;  // three turns at once
  int q = 0, u = 0;   // its coordinate and its velocity, or the first of them
};

template <int D> struct Arc {
  int joint = -1;             // -1: free, or of a part that follows
  int part = -1, member = 0;  // of a body that follows: which part, and which body of it
  int parent = 0, child = 0;
  int above = -1;        // the arc that leads to the parent; -1: the parent is the ground
  bool against = false;  // the joint's arrow points to the parent
  int q = 0, u = 0;      // its first coordinate and velocity
  int nq = 0, nu = 0;
  int h = 0, nh = 0;  // its columns; the first of them, and how many: one for each velocity that moves it
  int count = 0;
  std::array<Move, 6> moves;  // from parent to child
  Mount<D> from, to;          // the markers on parent and child
  Quaternion from_turn = Quaternion::Identity(), to_turn = Quaternion::Identity();

  bool follows() const { return part >= 0; }
  bool is_free() const { return joint < 0 && !follows(); }
};

/// Position and motion of a tree: results of the root-to-leaves recursion besides the states of bodies.
template <int D, class R = double> struct TreeMotion {
  std::vector<Vec<D, R>> way;  // per arc: from the centre of mass of its parent to that of its child
  std::vector<Twist<D, R>>
      h;  // per velocity: its column at the centre of mass of the child; then those of followers
  std::vector<Twist<D, R>> bias;  // per body, the ground first: its acceleration without q̈
  std::vector<R> followed;        // what the functions of followers say ...
  std::vector<double> scratch;    // ... and their work space
};

template <int D> class Tree {
 public:
  using BodyState = typename Body<D>::BodyState;

  /// Link k of the graph is joint k of the mechanism; arcs must be joints with chains.  Links beyond are those of followers,
  /// as following_graph() adds them.
  Tree(const Mechanism&, const Graph&, std::vector<FollowingPart> = {});

  int nq = 0, nu = 0;
  const std::vector<Arc<D>>& arcs() const { return arcs_; }  // a parent's before its children's
  /// A part that follows, with its first coordinate and velocity, and its place in TreeMotion::followed.
  struct Part {
    FollowingPart of;
    int q = 0, u = 0;
    int first_arc = -1;
    std::size_t from = 0;
    std::vector<std::size_t> member;  // where each body begins
  };
  const std::vector<Part>& parts() const { return parts_; }
  /// The velocity of a column.
  int velocity_of(int column) const { return column < nu ? column : shared_[std::size_t(column - nu)]; }
  /// Which of the joints it keeps closed: those of its arcs, and those of parts that follow.
  std::vector<bool> closed(std::size_t joints) const;
  /// The arc that leads to a body; -1 for the ground.
  int arc_to(int body) const { return arc_to_[std::size_t(body)]; }
  template <class R = double> TreeMotion<D, R> make_motion() const;

  /// Root to leaves; the states of bodies have the ground first.
  void move_bodies(const double* q, const double* u, BodyState* bodies, TreeMotion<D>&) const;
  /// Finds coordinates and velocities from bodies whose tree joints are closed; those of followers are found already.
  void read(const BodyState* bodies, double* q, double* u) const;
  /// Gives Euler parameters the signs that they have in `bodies`.
  void take_signs(const double* q, const BodyState* bodies);

  void rates(const double* q, const double* u, double* dq) const;
  void move(double* q, const double* du) const;
  void tidy(double* q) const;

 private:
  void add_arc(const Mechanism&, const Graph::Arc&);
  void follow(Arc<D>&, int link);
  void place_columns();

  std::vector<Part> parts_;
  std::vector<Arc<D>> arcs_;
  std::vector<int> arc_to_;
  std::vector<int> shared_;  // velocities of the columns of followers
  std::size_t followed_ = 0;
  int bodies_;
};

template <int D> template <class R> TreeMotion<D, R> Tree<D>::make_motion() const {
  TreeMotion<D, R> x;
  x.way.assign(arcs_.size(), Vec<D, R>::Zero());
  x.h.assign(std::size_t(nu) + shared_.size(), {});
  x.bias.assign(std::size_t(bodies_), {});
  x.followed.assign(followed_, R(0));
  for (const Part& part : parts_) x.scratch.resize(std::max(x.scratch.size(), part.of.map->scratch()));
  return x;
}

extern template class Tree<2>;
extern template class Tree<3>;

/// Whether the relative motion of the joint's bodies is a chain of elementary motions, so that it may be an arc.
bool has_chain(const AnyJoint&, int D);
/// The graph of joint coordinates: joints without chains cannot be arcs, so they are chords; a body held by
/// such joints alone is free.
Graph joint_graph(const Mechanism&, const Graph&);
/// The same with parts that follow: their joints are no links, and a link beyond those of all joints leads from the
/// carrier to each of their bodies, part by part.
Graph following_graph(const Mechanism&, const Graph&, const std::vector<FollowingPart>&);
}  // namespace mubody
