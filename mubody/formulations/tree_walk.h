#pragma once
// Root to leaves: where the bodies of a tree are and how they move; how its coordinates change.  For any scalar.
//                                                                     docs/theory/joint-coordinates.md
#include "mubody/formulations/tree.h"

namespace mubody::tree_walk {
using spatial::cross;

/// A frame on its way along a chain.
template <int D, class R> struct Walker {
  Vec<D, R> o;           // its origin
  Twist<D, R> velocity;  // at the origin
  Twist<D, R> bias;      // acceleration without q̈, likewise

  /// Moves to a point of the same frame at the distance d.
  MUBODY_INLINE void go(const Vec<D, R>& d) {
    const Vec<D, R> across = cross<R>(velocity.w, d);
    o += d;
    velocity.v += across;
    bias.v += cross<R>(bias.w, d) + cross<R>(velocity.w, across);
  }
  /// Slides along the axis n by x, with its rate.
  MUBODY_INLINE void slide(const Vec<D, R>& n, const R& x, const R& rate) {
    go(x * n);
    velocity.v += rate * n;
    bias.v += 2 * rate * cross<R>(velocity.w, n);
  }
};

/// Starts at the centre of mass of the parent and goes by an arm that is given in global axes.
template <int D, class R>
MUBODY_INLINE Walker<D, R> leave(const typename Body<D, R>::BodyState& parent, const Twist<D, R>& bias,
                                 const Vec<D, R>& arm) {
  Walker<D, R> x{parent.r, twist_of<D, R>(parent), bias};
  x.go(arm);
  return x;
}

// The starting points of the moves of a chain, for the columns.
template <int D, class R> using Places = std::array<Vec<D, R>, 6>;

template <class R>
MUBODY_INLINE void walk(const Arc<2>& arc, const R* q, const R* u, const typename Body<2, R>::BodyState& parent,
                        const Twist<2, R>& parent_bias, typename Body<2, R>::BodyState& child,
                        Twist<2, R>& child_bias, Twist<2, R>* h) {
  Walker<2, R> x = leave<2, R>(parent, parent_bias, Body<2, R>::turned(parent, arc.from.at));
  const double sign = arc.against ? -1 : 1;
  R angle = parent.angle + arc.from.angle;
  Rows<2, 2, R> axes;  // of the frame, when a slide needs them
  bool known = false;
  Places<2, R> places;
  for (int k = 0; k < arc.count; ++k) {
    const Move& move = arc.moves[std::size_t(k)];
    const R amount = sign * q[move.q], rate = sign * u[move.u];
    places[std::size_t(k)] = x.o;
    if (is_turn(move.motion)) {
      angle += amount;
      x.velocity.w[0] += rate;
      known = false;
      continue;
    }
    if (!known) axes << cos(angle), -sin(angle), sin(angle), cos(angle);
    known = true;
    const Vec<2, R> n = axes.col(int(move.motion) % 3);
    x.slide(n, amount, rate);
    h[move.u] = {R(sign) * n, Vec<1, R>(R(0))};
  }
  child.angle = angle - arc.to.angle;
  child.c = cos(child.angle);
  child.s = sin(child.angle);
  x.go(-Body<2, R>::turned(child, arc.to.at));
  child.r = x.o;
  child.v = x.velocity.v;
  child.w = x.velocity.w[0];
  child_bias = x.bias;
  for (int k = 0; k < arc.count; ++k)
    if (const Move& move = arc.moves[std::size_t(k)]; is_turn(move.motion)) {
      const Vec<2, R> arm = child.r - places[std::size_t(k)];
      h[move.u] = {Vec<2, R>(-sign * arm.y(), sign * arm.x()), Vec<1, R>(R(sign))};
    }
}

/// p ∘ (c, s e_axis)
template <class R>
MUBODY_INLINE Eigen::Quaternion<R> turned_about(const Eigen::Quaternion<R>& p, int axis, const R& c,
                                                const R& s) {
  switch (axis) {
    case 0: return {c * p.w() - s * p.x(), c * p.x() + s * p.w(), c * p.y() + s * p.z(), c * p.z() - s * p.y()};
    case 1: return {c * p.w() - s * p.y(), c * p.x() - s * p.z(), c * p.y() + s * p.w(), c * p.z() + s * p.x()};
    default:
      return {c * p.w() - s * p.z(), c * p.x() + s * p.y(), c * p.y() - s * p.x(), c * p.z() + s * p.w()};
  }
}

/// Position and axes of a body from r and p; its velocities are left alone.
template <class R>
MUBODY_INLINE void place(const Vec<3, R>& r, const Eigen::Quaternion<R>& p, typename Body<3, R>::BodyState& b) {
  const R q[7] = {r[0], r[1], r[2], p.w(), p.x(), p.y(), p.z()}, u[6] = {0, 0, 0, 0, 0, 0};
  Body<3, R>::unpack(q, u, b);
}

template <class R> MUBODY_INLINE Eigen::Quaternion<R> quaternion(const R* p) {
  return {p[0], p[1], p[2], p[3]};
}

template <class R>
MUBODY_INLINE void walk(const Arc<3>& arc, const R* q, const R* u, const typename Body<3, R>::BodyState& parent,
                        const Twist<3, R>& parent_bias, typename Body<3, R>::BodyState& child,
                        Twist<3, R>& child_bias, Twist<3, R>* h) {
  using Turn = Eigen::Quaternion<R>;
  Walker<3, R> x = leave<3, R>(parent, parent_bias, Body<3, R>::turned(parent, arc.from.at));
  const double sign = arc.against ? -1 : 1;
  const Turn of_parent = quaternion(parent.p.data());
  Turn p = of_parent * arc.from_turn.template cast<R>(),
       whole = of_parent;  // turn of the frame; of the child if a ball leads to it
  Rows<3, 3, R> axes;      // of the frame
  if (arc.count > 1)
    axes.noalias() = parent.A * arc.from.axes.template cast<R>();
  else if (arc.count == 1)
    axes.col(int(arc.moves[0].motion) % 3) =
        Body<3, R>::turned(parent, arc.from.axes.col(int(arc.moves[0].motion) % 3));
  bool ball = false;
  Places<3, R> places;
  for (int k = 0; k < arc.count; ++k) {
    const Move& move = arc.moves[std::size_t(k)];
    const int axis = int(move.motion) % 3;
    places[std::size_t(k)] = x.o;
    if (move.ball) {
      ball = true;
      const Turn turn = quaternion(q + move.q);  // its length does not matter
      whole = of_parent * (arc.against ? turn.conjugate() : turn);
      place<R>(x.o, whole, child);
      const Rows<3, 3, R>& of_i = arc.against ? child.A : parent.A;
      const Vec<3, R> spin = R(sign) * (of_i * Eigen::Map<const Vec<3, R>>(u + move.u));
      x.bias.w += cross<R>(x.velocity.w, spin);
      x.velocity.w += spin;
      for (int n = 0; n < 3; ++n) h[move.u + n].w = R(sign) * of_i.col(n);
      if (k + 1 < arc.count) axes.noalias() = child.A * arc.to.axes.template cast<R>();
      continue;
    }
    const R amount = sign * q[move.q], rate = sign * u[move.u];
    const Vec<3, R> n = axes.col(axis);
    h[move.u].w = R(sign) * n;
    if (!is_turn(move.motion)) {
      x.slide(n, amount, rate);
      continue;
    }
    x.bias.w += rate * cross<R>(x.velocity.w, n);
    x.velocity.w += rate * n;
    const R c = cos(0.5 * amount), s = sin(0.5 * amount);
    p = turned_about(p, axis, c, s);
    if (k + 1 < arc.count) {
      const R C = 1 - 2 * s * s, S = 2 * s * c;
      const int a = (axis + 1) % 3, b = (axis + 2) % 3;
      const Vec<3, R> first = axes.col(a), second = axes.col(b);
      axes.col(a) = C * first + S * second;
      axes.col(b) = C * second - S * first;
    }
  }
  if (!ball) whole = p * arc.to_turn.conjugate().template cast<R>();
  place<R>(x.o, whole, child);
  x.go(-Body<3, R>::turned(child, arc.to.at));
  child.r = x.o;
  child.v = x.velocity.v;
  child.W = x.velocity.w;
  child.w.noalias() = child.A.transpose() * child.W;
  child_bias = x.bias;
  for (int k = 0; k < arc.count; ++k) {
    const Move& move = arc.moves[std::size_t(k)];
    const bool turns = move.ball || is_turn(move.motion);
    const Vec<3, R> arm = child.r - places[std::size_t(k)];
    for (int n = 0; n < (move.ball ? 3 : 1); ++n) {
      Twist<3, R>& column = h[move.u + n];
      column.v = turns ? cross<R>(column.w, arm) : column.w;
      if (!turns) column.w.setZero();
    }
  }
}

// A body without an arc moves as in body coordinates.
template <class R>
void float_freely(const Arc<2>& arc, const R* q, const R* u, typename Body<2, R>::BodyState& child,
                  Twist<2, R>& bias, Twist<2, R>* h) {
  using V = Vec<2, R>;
  Body<2, R>::unpack(q + arc.q, u + arc.u, child);
  bias = {};
  h[arc.u] = {V::UnitX(), Vec<1, R>(R(0))};
  h[arc.u + 1] = {V::UnitY(), Vec<1, R>(R(0))};
  h[arc.u + 2] = {V::Zero(), Vec<1, R>(R(1))};
}
template <class R>
void float_freely(const Arc<3>& arc, const R* q, const R* u, typename Body<3, R>::BodyState& child,
                  Twist<3, R>& bias, Twist<3, R>* h) {
  using V = Vec<3, R>;
  Body<3, R>::unpack(q + arc.q, u + arc.u, child);
  bias = {};
  for (int k = 0; k < 3; ++k) {
    h[arc.u + k] = {V::Unit(k), V::Zero()};
    h[arc.u + 3 + k] = {V::Zero(), child.A.col(k)};
  }
}

/// The numbers of a follower, as its functions write them.
template <int D, class R> struct FollowedNumbers {
  static constexpr int P = Body<D>::coordinates, C = Body<D>::columns;
  const R* at;
  Vec<D, R> place() const { return Eigen::Map<const Vec<D, R>>(at); }
  Twist<D, R> twist(int k) const {
    const R* const x = at + P + C * k;
    return {Eigen::Map<const Vec<D, R>>(x), Eigen::Map<const Vec<spins<D>, R>>(x + D)};
  }
};

/// The turn of a follower; its place and velocities come later.
template <class R>
void turn_as(const typename Body<2, R>::BodyState& carrier, const Arc<2>&, const R* at,
             typename Body<2, R>::BodyState& child) {
  child.angle = carrier.angle + at[2];
  child.c = cos(child.angle);
  child.s = sin(child.angle);
}
template <class R>
void turn_as(const typename Body<3, R>::BodyState& carrier, const Arc<3>& arc, const R* at,
             typename Body<3, R>::BodyState& child) {
  place<R>(carrier.r, quaternion(carrier.p.data()) * quaternion(at + 3) * arc.to_turn.template cast<R>(),
           child);
}
/// A vector in axes of the carrier; angular velocities are in axes of the body itself.
template <int D, class R>
MUBODY_INLINE Vec<D, R> carried(const typename Body<D, R>::BodyState& carrier, const Vec<D, R>& d) {
  if constexpr (D == 2)
    return {carrier.c * d.x() - carrier.s * d.y(), carrier.s * d.x() + carrier.c * d.y()};
  else
    return carrier.A * d;
}
template <int D, class R>
MUBODY_INLINE Twist<D, R> turned(const typename Body<D, R>::BodyState& carrier,
                                 const typename Body<D, R>::BodyState& own, const Twist<D, R>& t) {
  if constexpr (D == 2)
    return {carried<2, R>(carrier, t.v), t.w};
  else
    return {carrier.A * t.v, own.A * t.w};
}
template <int D, class R> void take_twist(const Twist<D, R>& t, typename Body<D, R>::BodyState& m) {
  m.v = t.v;
  if constexpr (D == 2) {
    m.w = t.w[0];
  } else {
    m.W = t.w;
    m.w.noalias() = m.A.transpose() * m.W;
  }
}
template <int D, class R> Vec<spins<D>, R> spin_across(const Vec<spins<D>, R>& a, const Vec<spins<D>, R>& b) {
  if constexpr (D == 2)
    return Vec<1, R>(R(0));
  else
    return cross<R>(a, b);
}

// A body that follows, from the numbers of its functions; u are the rates of the variables of its part.
template <int D, class R>
void follow_carrier(const Arc<D>& arc, const FollowingPart::Follower& own, const R* at, const R* u,
                    const typename Body<D, R>::BodyState& carrier, const Twist<D, R>& carrier_bias,
                    typename Body<D, R>::BodyState& child, Twist<D, R>& child_bias, Twist<D, R>* h) {
  const FollowedNumbers<D, R> f{at};
  turn_as<R>(carrier, arc, at, child);
  Walker<D, R> x = leave<D, R>(carrier, carrier_bias, carried<D, R>(carrier, f.place()));
  Twist<D, R> rate;
  for (int k = 0; k < arc.nh; ++k) {
    h[arc.h + k] = turned<D, R>(carrier, child, f.twist(k));
    rate.add(u[own.variables[std::size_t(k)]], h[arc.h + k]);
  }
  const Twist<D, R> bend = turned<D, R>(carrier, child, f.twist(arc.nh));
  x.bias.v += R(2) * cross<R>(x.velocity.w, rate.v) + bend.v;
  x.bias.w += spin_across<D, R>(x.velocity.w, rate.w) + bend.w;
  x.velocity.add(1, rate);
  child.r = x.o;
  take_twist<D, R>(x.velocity, child);
  child_bias = x.bias;
}

/// Root to leaves; what followers follow is in x.followed, and the states of bodies have the ground first.
template <int D, class R>
void move_bodies(const Tree<D>& tree, const R* q, const R* u, typename Body<D, R>::BodyState* bodies,
                 TreeMotion<D, R>& x) {
  for (std::size_t k = 0; k < tree.arcs().size(); ++k) {
    const Arc<D>& arc = tree.arcs()[k];
    const auto& parent = bodies[arc.parent];
    auto& child = bodies[arc.child];
    const auto to = std::size_t(arc.child);
    if (arc.is_free())
      float_freely<R>(arc, q, u, child, x.bias[to], x.h.data());
    else if (arc.follows()) {
      const auto& part = tree.parts()[std::size_t(arc.part)];
      const auto member = std::size_t(arc.member);
      follow_carrier<D, R>(arc, part.of.bodies[member], x.followed.data() + part.from + part.member[member],
                           u + part.u, parent, x.bias[std::size_t(arc.parent)], child, x.bias[to], x.h.data());
    } else
      walk<R>(arc, q, u, parent, x.bias[std::size_t(arc.parent)], child, x.bias[to], x.h.data());
    x.way[k] = child.r - parent.r;
  }
}

template <int D, class F> void each_move(const Arc<D>& arc, const F& f) {
  for (int k = 0; k < arc.count; ++k) f(arc.moves[std::size_t(k)]);
}

/// Rates of coordinates.  Euler parameters of a ball: p of j in axes of i, ω in axes of i, ṗ = ½ ω ∘ p.
template <int D, class R> void rates(const Tree<D>& tree, const R* q, const R* u, R* dq) {
  for (const auto& part : tree.parts()) std::copy_n(u + part.u, part.of.variables.size(), dq + part.q);
  for (const Arc<D>& arc : tree.arcs()) {
    if (arc.is_free()) {
      Body<D, R>::rates(q + arc.q, u + arc.u, dq + arc.q);
      continue;
    }
    if (arc.nq == arc.nu) {
      std::copy(u + arc.u, u + arc.u + arc.nu, dq + arc.q);
      continue;
    }
    each_move(arc, [&](const Move& x) {
      if (!x.ball) {
        dq[x.q] = u[x.u];
        return;
      }
      const R* const p = q + x.q;
      const R a = 0.5 * u[x.u], b = 0.5 * u[x.u + 1], c = 0.5 * u[x.u + 2];
      dq[x.q] = -a * p[1] - b * p[2] - c * p[3];
      dq[x.q + 1] = a * p[0] + b * p[3] - c * p[2];
      dq[x.q + 2] = b * p[0] + c * p[1] - a * p[3];
      dq[x.q + 3] = c * p[0] + a * p[2] - b * p[1];
    });
  }
}

/// Coordinates moved by a displacement in the space of velocities.
template <int D, class R> void move(const Tree<D>& tree, R* q, const R* du) {
  using Turn = Eigen::Quaternion<R>;
  for (const auto& part : tree.parts())
    for (std::size_t k = 0; k < part.of.variables.size(); ++k)
      q[std::size_t(part.q) + k] += du[std::size_t(part.u) + k];
  for (const Arc<D>& arc : tree.arcs()) {
    if (arc.is_free()) {
      Body<D, R>::move(q + arc.q, du + arc.u);
      continue;
    }
    each_move(arc, [&](const Move& x) {
      if (!x.ball) {
        q[x.q] += du[x.u];
        return;
      }
      const Vec<3, R> half = R(0.5) * Eigen::Map<const Vec<3, R>>(du + x.u);
      const R angle = half.norm();
      const Vec<3, R> e = choose(angle > R(1e-8), sin(angle) / angle, 1 - angle * angle / 6) * half;
      const Turn p = Turn(cos(angle), e[0], e[1], e[2]) * quaternion(q + x.q);
      const R size = 1 / p.norm();
      q[x.q] = p.w() * size, q[x.q + 1] = p.x() * size, q[x.q + 2] = p.y() * size, q[x.q + 3] = p.z() * size;
    });
  }
}

/// Gives Euler parameters the length 1.
template <int D, class R> void tidy(const Tree<D>& tree, R* q) {
  if constexpr (D == 2) return;
  for (const Arc<D>& arc : tree.arcs()) {
    if (arc.is_free())
      Body<D, R>::tidy(q + arc.q);
    else if (arc.nq != arc.nu)
      each_move(arc, [&](const Move& x) {
        if (!x.ball) return;
        Eigen::Map<Vec<4, R>> p(q + x.q);
        p *= 1 / p.norm();
      });
  }
}
}  // namespace mubody::tree_walk
