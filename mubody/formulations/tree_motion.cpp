// Root to leaves: where the bodies of a tree are and how they move.                  docs/theory/joint-coordinates.md
#include "mubody/formulations/tree.h"

namespace mubody {
namespace {
using spatial::cross;

/// A frame on its way along a chain.
template <int D> struct Walker {
  Vec<D> o;           // its origin
  Twist<D> velocity;  // at the origin
  Twist<D> bias;      // acceleration without q̈, likewise

  /// Moves to a point of the same frame at the distance d.
  MUBODY_INLINE void go(const Vec<D>& d) {
    const Vec<D> across = cross(velocity.w, d);
    o += d;
    velocity.v += across;
    bias.v += cross(bias.w, d) + cross(velocity.w, across);
  }
  /// Slides along the axis n by x, with its rate.
  MUBODY_INLINE void slide(const Vec<D>& n, double x, double rate) {
    go(x * n);
    velocity.v += rate * n;
    bias.v += 2 * rate * cross(velocity.w, n);
  }
};

/// Starts at the centre of mass of the parent and goes to the joint.
template <int D>
MUBODY_INLINE Walker<D> leave(const typename Body<D>::BodyState& parent, const Twist<D>& bias,
                              const Vec<D>& arm) {
  Walker<D> x{parent.r, twist_of(parent), bias};
  x.go(Body<D>::turned(parent, arm));
  return x;
}

// The starting points of the moves of a chain, for the columns.
template <int D> using Places = std::array<Vec<D>, 6>;

MUBODY_INLINE void walk(const Arc<2>& arc, const double* q, const double* u, const Body<2>::BodyState& parent,
                        const Twist<2>& parent_bias, Body<2>::BodyState& child, Twist<2>& child_bias,
                        Twist<2>* h) {
  Walker<2> x = leave<2>(parent, parent_bias, arc.from.at);
  const double sign = arc.against ? -1 : 1;
  double angle = parent.angle + arc.from.angle;
  Eigen::Matrix2d R;  // its axes, when a slide needs them
  bool known = false;
  Places<2> places;
  for (int k = 0; k < arc.count; ++k) {
    const Move& move = arc.moves[std::size_t(k)];
    const double amount = sign * q[move.q], rate = sign * u[move.u];
    places[std::size_t(k)] = x.o;
    if (is_turn(move.motion)) {
      angle += amount;
      x.velocity.w[0] += rate;
      known = false;
      continue;
    }
    if (!known) R << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    known = true;
    const Vec<2> n = R.col(int(move.motion) % 3);
    x.slide(n, amount, rate);
    h[move.u] = {sign * n, Vec<1>(0)};
  }
  child.angle = angle - arc.to.angle;
  child.c = std::cos(child.angle);
  child.s = std::sin(child.angle);
  x.go(-Body<2>::turned(child, arc.to.at));
  child.r = x.o;
  child.v = x.velocity.v;
  child.w = x.velocity.w[0];
  child_bias = x.bias;
  for (int k = 0; k < arc.count; ++k)
    if (const Move& move = arc.moves[std::size_t(k)]; is_turn(move.motion))
      h[move.u] = {sign * perp(child.r - places[std::size_t(k)]), Vec<1>(sign)};
}

/// p ∘ (c, s e_axis)
MUBODY_INLINE Quaternion turned_about(const Quaternion& p, int axis, double c, double s) {
  switch (axis) {
    case 0: return {c * p.w() - s * p.x(), c * p.x() + s * p.w(), c * p.y() + s * p.z(), c * p.z() - s * p.y()};
    case 1: return {c * p.w() - s * p.y(), c * p.x() - s * p.z(), c * p.y() + s * p.w(), c * p.z() + s * p.x()};
    default:
      return {c * p.w() - s * p.z(), c * p.x() + s * p.y(), c * p.y() - s * p.x(), c * p.z() + s * p.w()};
  }
}

/// Position and axes of a body from r and p; its velocities are left alone.
MUBODY_INLINE void place(const Vec<3>& r, const Quaternion& p, Body<3>::BodyState& b) {
  const double q[7] = {r[0], r[1], r[2], p.w(), p.x(), p.y(), p.z()}, u[6] = {};
  Body<3>::unpack(q, u, b);
}

MUBODY_INLINE Quaternion quaternion(const Vec<4>& p) { return {p[0], p[1], p[2], p[3]}; }

MUBODY_INLINE void walk(const Arc<3>& arc, const double* q, const double* u, const Body<3>::BodyState& parent,
                        const Twist<3>& parent_bias, Body<3>::BodyState& child, Twist<3>& child_bias,
                        Twist<3>* h) {
  Walker<3> x = leave<3>(parent, parent_bias, arc.from.at);
  const double sign = arc.against ? -1 : 1;
  Quaternion p = quaternion(parent.p) * arc.from_turn,
             whole;   // turn of the frame; of the child if a ball leads to it
  Eigen::Matrix3d R;  // axes of the frame
  if (arc.count > 1)
    R.noalias() = parent.A * arc.from.axes;
  else if (arc.count == 1)
    R.col(int(arc.moves[0].motion) % 3) =
        Body<3>::turned(parent, arc.from.axes.col(int(arc.moves[0].motion) % 3));
  bool ball = false;
  Places<3> places;
  for (int k = 0; k < arc.count; ++k) {
    const Move& move = arc.moves[std::size_t(k)];
    const int axis = int(move.motion) % 3;
    places[std::size_t(k)] = x.o;
    if (move.ball) {
      ball = true;
      const Quaternion turn = quaternion(Eigen::Map<const Vec<4>>(q + move.q).normalized());
      whole = quaternion(parent.p) * (arc.against ? turn.conjugate() : turn);
      place(x.o, whole, child);
      const Eigen::Matrix3d& axes = arc.against ? child.A : parent.A;  // axes of body i
      const Vec<3> spin = sign * (axes * Eigen::Map<const Vec<3>>(u + move.u));
      x.bias.w += cross(x.velocity.w, spin);
      x.velocity.w += spin;
      for (int n = 0; n < 3; ++n) h[move.u + n].w = sign * axes.col(n);
      if (k + 1 < arc.count) R.noalias() = child.A * arc.to.axes;
      continue;
    }
    const double amount = sign * q[move.q], rate = sign * u[move.u];
    const Vec<3> n = R.col(axis);
    h[move.u].w = sign * n;
    if (!is_turn(move.motion)) {
      x.slide(n, amount, rate);
      continue;
    }
    x.bias.w += rate * cross(x.velocity.w, n);
    x.velocity.w += rate * n;
    const double c = std::cos(0.5 * amount), s = std::sin(0.5 * amount);
    p = turned_about(p, axis, c, s);
    if (k + 1 < arc.count) {
      const double C = 1 - 2 * s * s, S = 2 * s * c;
      const int a = (axis + 1) % 3, b = (axis + 2) % 3;
      const Vec<3> first = R.col(a), second = R.col(b);
      R.col(a) = C * first + S * second;
      R.col(b) = C * second - S * first;
    }
  }
  if (!ball) whole = p * arc.to_turn.conjugate();
  place(x.o, whole, child);
  x.go(-Body<3>::turned(child, arc.to.at));
  child.r = x.o;
  child.v = x.velocity.v;
  child.W = x.velocity.w;
  child.w.noalias() = child.A.transpose() * child.W;
  child_bias = x.bias;
  for (int k = 0; k < arc.count; ++k) {
    const Move& move = arc.moves[std::size_t(k)];
    const bool turns = move.ball || is_turn(move.motion);
    const Vec<3> arm = child.r - places[std::size_t(k)];
    for (int n = 0; n < (move.ball ? 3 : 1); ++n) {
      Twist<3>& column = h[move.u + n];
      column.v = turns ? cross(column.w, arm) : column.w;
      if (!turns) column.w.setZero();
    }
  }
}

// A body without an arc moves as in body coordinates.
void float_freely(const Arc<2>& arc, const double* q, const double* u, Body<2>::BodyState& child,
                  Twist<2>& bias, Twist<2>* h) {
  Body<2>::unpack(q + arc.q, u + arc.u, child);
  bias = {};
  h[arc.u] = {Vec<2>::UnitX(), Vec<1>(0)};
  h[arc.u + 1] = {Vec<2>::UnitY(), Vec<1>(0)};
  h[arc.u + 2] = {Vec<2>::Zero(), Vec<1>(1)};
}
void float_freely(const Arc<3>& arc, const double* q, const double* u, Body<3>::BodyState& child,
                  Twist<3>& bias, Twist<3>* h) {
  Body<3>::unpack(q + arc.q, u + arc.u, child);
  bias = {};
  for (int k = 0; k < 3; ++k) {
    h[arc.u + k] = {Vec<3>::Unit(k), Vec<3>::Zero()};
    h[arc.u + 3 + k] = {Vec<3>::Zero(), child.A.col(k)};
  }
}

/// The numbers of a follower, as its functions write them.
template <int D> struct Followed {
  static constexpr int P = Body<D>::coordinates, C = Body<D>::columns;
  const double* at;
  Vec<D> place() const { return Eigen::Map<const Vec<D>>(at); }
  Twist<D> twist(int k) const {
    const double* const x = at + P + C * k;
    return {Eigen::Map<const Vec<D>>(x), Eigen::Map<const Vec<spins<D>>>(x + D)};
  }
};

/// The turn of a follower; its place and velocities come later.
void turn_as(const Body<2>::BodyState& carrier, const Arc<2>&, const double* at, Body<2>::BodyState& child) {
  child.angle = carrier.angle + at[2];
  child.c = std::cos(child.angle);
  child.s = std::sin(child.angle);
}
void turn_as(const Body<3>::BodyState& carrier, const Arc<3>& arc, const double* at,
             Body<3>::BodyState& child) {
  const Quaternion turn = quaternion(Eigen::Map<const Vec<4>>(at + 3).normalized());
  place(carrier.r, quaternion(carrier.p) * turn * arc.to_turn, child);
}
MUBODY_INLINE Twist<2> turned(const Body<2>::BodyState& carrier, const Body<2>::BodyState&, const Twist<2>& t) {
  return {Body<2>::turned(carrier, t.v), t.w};
}
MUBODY_INLINE Twist<3> turned(const Body<3>::BodyState& carrier, const Body<3>::BodyState& own,
                              const Twist<3>& t) {
  return {carrier.A * t.v, own.A * t.w};
}
void take_twist(const Twist<2>& t, Body<2>::BodyState& m) { m.v = t.v, m.w = t.w[0]; }
void take_twist(const Twist<3>& t, Body<3>::BodyState& m) {
  m.v = t.v, m.W = t.w;
  m.w.noalias() = m.A.transpose() * m.W;
}
Vec<1> spin_across(const Vec<1>&, const Vec<1>&) { return Vec<1>(0); }
Vec<3> spin_across(const Vec<3>& a, const Vec<3>& b) { return cross(a, b); }

// A body that follows, from the numbers of its functions; u are the rates of the variables of its part.
template <int D>
void follow_carrier(const Arc<D>& arc, const FollowingPart::Follower& own, const double* at, const double* u,
                    const typename Body<D>::BodyState& carrier, const Twist<D>& carrier_bias,
                    typename Body<D>::BodyState& child, Twist<D>& child_bias, Twist<D>* h) {
  const Followed<D> f{at};
  turn_as(carrier, arc, at, child);
  Walker<D> x = leave<D>(carrier, carrier_bias, f.place());
  Twist<D> rate;
  for (int k = 0; k < arc.nh; ++k) {
    h[arc.h + k] = turned(carrier, child, f.twist(k));
    rate.add(u[own.variables[std::size_t(k)]], h[arc.h + k]);
  }
  const Twist<D> bend = turned(carrier, child, f.twist(arc.nh));
  x.bias.v += 2 * cross(x.velocity.w, rate.v) + bend.v;
  x.bias.w += spin_across(x.velocity.w, rate.w) + bend.w;
  x.velocity.add(1, rate);
  child.r = x.o;
  take_twist(x.velocity, child);
  child_bias = x.bias;
}
}  // namespace

template <int D>
void Tree<D>::move_bodies(const double* q, const double* u, BodyState* bodies, TreeMotion<D>& x) const {
  for (const Part& part : parts_)
    part.of.map->at(q + part.q, u + part.u, x.followed.data() + part.from, x.scratch.data());
  for (std::size_t k = 0; k < arcs_.size(); ++k) {
    const Arc<D>& arc = arcs_[k];
    const BodyState& parent = bodies[arc.parent];
    BodyState& child = bodies[arc.child];
    const auto to = std::size_t(arc.child);
    if (arc.is_free())
      float_freely(arc, q, u, child, x.bias[to], x.h.data());
    else if (arc.follows()) {
      const Part& part = parts_[std::size_t(arc.part)];
      const auto member = std::size_t(arc.member);
      follow_carrier(arc, part.of.bodies[member], x.followed.data() + part.from + part.member[member],
                     u + part.u, parent, x.bias[std::size_t(arc.parent)], child, x.bias[to], x.h.data());
    } else
      walk(arc, q, u, parent, x.bias[std::size_t(arc.parent)], child, x.bias[to], x.h.data());
    x.way[k] = child.r - parent.r;
  }
}

template void Tree<2>::move_bodies(const double*, const double*, BodyState*, TreeMotion<2>&) const;
template void Tree<3>::move_bodies(const double*, const double*, BodyState*, TreeMotion<3>&) const;
}  // namespace mubody
