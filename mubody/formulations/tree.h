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
// A body without an arc is free: its coordinates are those of body coordinates.
//
// Precomputation (dissertation), eqs. 3.4.5 (V = R_a H_a ṗ_a), 3.5.1; Featherstone (2008), ch. 4.
#include <array>

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
  int joint = -1;  // -1: free
  int parent = 0, child = 0;
  int above = -1;        // the arc that leads to the parent; -1: the parent is the ground
  bool against = false;  // the joint's arrow points to the parent
  int q = 0, u = 0;      // its first coordinate and velocity
  int nq = 0, nu = 0;
  int count = 0;
  std::array<Move, 6> moves;  // from parent to child
  Mount<D> from, to;          // the markers on parent and child
  Quaternion from_turn = Quaternion::Identity(), to_turn = Quaternion::Identity();

  bool is_free() const { return joint < 0; }
};

/// Position and motion of a tree: results of the root-to-leaves recursion besides the states of bodies.
template <int D> struct TreeMotion {
  std::vector<Vec<D>> way;     // per arc: from the centre of mass of its parent to that of its child
  std::vector<Twist<D>> h;     // per velocity: its column at the centre of mass of the child
  std::vector<Twist<D>> bias;  // per body, the ground first: its acceleration without q̈
};

template <int D> class Tree {
 public:
  using BodyState = typename Body<D>::BodyState;

  /// Link k of the graph is joint k of the mechanism; arcs must be joints with chains.
  Tree(const Mechanism&, const Graph&);

  int nq = 0, nu = 0;
  const std::vector<Arc<D>>& arcs() const { return arcs_; }  // a parent's before its children's
  /// The arc that leads to a body; -1 for the ground.
  int arc_to(int body) const { return arc_to_[std::size_t(body)]; }
  TreeMotion<D> make_motion() const;

  /// Root to leaves; the states of bodies have the ground first.
  void move_bodies(const double* q, const double* u, BodyState* bodies, TreeMotion<D>&) const;
  /// Finds coordinates and velocities from bodies whose tree joints are closed.
  void read(const BodyState* bodies, double* q, double* u) const;
  /// Gives Euler parameters the signs that they have in `bodies`.
  void take_signs(const double* q, const BodyState* bodies);

  void rates(const double* q, const double* u, double* dq) const;
  void move(double* q, const double* du) const;
  void tidy(double* q) const;

 private:
  void add_arc(const Mechanism&, const Graph::Arc&);

  std::vector<Arc<D>> arcs_;
  std::vector<int> arc_to_;
  int bodies_;
};

extern template class Tree<2>;
extern template class Tree<3>;

/// Whether the relative motion of the joint's bodies is a chain of elementary motions, so that it may be an arc.
bool has_chain(const AnyJoint&, int D);
/// The graph of joint coordinates: joints without chains cannot be arcs, so they are chords; a body held by
/// such joints alone is free.
Graph joint_graph(const Mechanism&, const Graph&);
}  // namespace mubody
