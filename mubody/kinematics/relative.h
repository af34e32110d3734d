#pragma once
// How frame j stands relative to frame i: the coordinates that joints leave free, drivers prescribe and springs
// stretch.                                                           docs/theory/relative-coordinates.md
//
// Slides are components of o_j − o_i along the axes of i.  Turns are the angles of the chain
//
//   R = turn about z, then about y, then about x           R_ab = a_i · b_j
//
//   turn z = atan2(R_yx, R_xx),   turn y = atan2(−R_zx, |(R_xx, R_yx)|),   turn x = atan2(R_zy, R_zz)
//
// so that a pin (z), a cross (z, x) and a ball (z, y, x) read their angles from the same three lines.
#include <algorithm>
#include <span>
#include <string_view>

#include "mubody/kinematics/frame.h"
#include "mubody/math/jet_math.h"

namespace mubody {
/// Elementary relative motions, read left to right; a joint allows a product of these.
enum class Elementary { turn_x, turn_y, turn_z, slide_x, slide_y, slide_z };
using enum Elementary;

inline constexpr bool is_turn(Elementary m) { return m <= turn_z; }
inline constexpr std::string_view name_of(Elementary m) {
  constexpr std::string_view names[] = {"angle_x", "angle_y", "angle_z", "slide_x", "slide_y", "slide_z"};
  return names[int(m)];
}
/// What a joint that allows these motions calls one of them: "angle" or "slide" where there is only one such.
inline constexpr std::string_view name_among(std::span<const Elementary> motions, Elementary m) {
  const auto alike = [m](Elementary other) { return is_turn(other) == is_turn(m); };
  return std::ranges::count_if(motions, alike) > 1 ? name_of(m) : is_turn(m) ? "angle" : "slide";
}
inline constexpr std::string_view unit_of(Elementary m) { return is_turn(m) ? "rad" : "m"; }

/// The angle from the x axis of i to the x axis of j about z, counted over turns.
template <class F, class G> auto angle_between(const F& i, const G& j) {
  if constexpr (has_angle<F>) {
    return j.angle() - i.angle();
  } else {
    const auto x = j.x();
    return counted<0>(j, atan2(dot(i.y(), x), dot(i.x(), x)));
  }
}

/// Zero when the x axes are parallel and point the same way.  Where angles are coordinates they are used, since
/// y_i · x_j is also zero for axes that point opposite ways.
template <class F, class G> auto misalignment(const F& i, const G& j) {
  if constexpr (has_angle<F> && !F::polynomial)
    return wrapped(angle_between(i, j));
  else
    return dot(i.y(), j.x());
}

// Where the formulation wants polynomials of its coordinates, conditions on lengths and angles come without roots and
// arcs.  Near zero they are the same length or angle, so that tolerances and multipliers mean the same.

/// Zero when |d| = L:  |d| − L,  or  (d·d / L − L) / 2.
template <class F, class V, class R> auto length_gap(const V& d, const JetOf<R>& L) {
  if constexpr (F::polynomial)
    return (JetOf<R>{0.5} / L) * dot(d, d) - JetOf<R>{0.5} * L;
  else
    return length(d) - L;
}

/// The angle by which the axes aj, bj are twisted against ai, bi in their plane, whatever else they do (the twist of
/// swing and twist): atan2(R_ba − R_ab, R_aa + R_bb).  It vanishes for axes that point the same way only.
template <class AI, class BI, class AJ, class BJ>
auto twist_of(const AI& ai, const BI& bi, const AJ& aj, const BJ& bj) {
  return atan2(dot(bi, aj) - dot(ai, bj), dot(ai, aj) + dot(bi, bj));
}
/// Zero when these axes are twisted by a given angle c:  twist − c,  or half of cos c (R_ba − R_ab) − sin c (R_aa + R_bb).
template <class F, class AI, class BI, class AJ, class BJ>
auto twist_gap(const AI& ai, const BI& bi, const AJ& aj, const BJ& bj, double c = 0) {
  if constexpr (F::polynomial)
    return (0.5 * std::cos(c)) * (dot(bi, aj) - dot(ai, bj)) -
           (0.5 * std::sin(c)) * (dot(ai, aj) + dot(bi, bj));
  else
    return wrapped(twist_of(ai, bi, aj, bj) - c);
}
/// The same for j about the K-th axis of i.
template <int K, class F, class G>
auto twist_gap_about(const F& i, const G& j, double c = 0) requires(F::dim == 3) {
  constexpr int A = (K + 1) % 3, B = (K + 2) % 3;
  return twist_gap<F>(i.template axis<A>(), i.template axis<B>(), j.template axis<A>(), j.template axis<B>(),
                      c);
}
/// The twist of j about the K-th axis of i, in (−π, π].
template <int K, class F, class G> auto twist_about(const F& i, const G& j) requires(F::dim == 3) {
  constexpr int A = (K + 1) % 3, B = (K + 2) % 3;
  return twist_of(i.template axis<A>(), i.template axis<B>(), j.template axis<A>(), j.template axis<B>());
}

/// One relative coordinate.  In the plane there are three: turn z, slide x and slide y.
template <class F, class G>
auto coordinate(Elementary m, const F& i, const G& j) -> decltype(dot(i.x(), j.o() - i.o())) {
  if constexpr (F::dim == 3) {
    switch (m) {
      case turn_y: {
        const auto x = j.x();
        const auto c = dot(i.x(), x), s = dot(i.y(), x);
        return counted<1>(j, atan2(-1 * dot(i.z(), x), sqrt(c * c + s * s)));
      }
      case turn_x: {
        const auto z = i.z();
        return counted<2>(j, atan2(dot(z, j.y()), dot(z, j.z())));
      }
      case slide_z: return dot(i.z(), j.o() - i.o());
      default: break;
    }
  }
  if (m == slide_x) return dot(i.x(), j.o() - i.o());
  if (m == slide_y) return dot(i.y(), j.o() - i.o());
  return angle_between(i, j);
}

/// Zero when the turn m is θ:  the angle less θ, in (−π, π],  or the sine of that:  (R(θ) x_i) × x_j.  This is regular
/// for every θ; the other zero of the sine, half a turn away, is never near.
template <class F, class G, class R>
auto angle_gap(Elementary m, const F& i, const G& j, const JetOf<R>& theta) {
  if constexpr (F::polynomial) {
    if (m == turn_z) {
      const auto x = j.x();
      return cos(theta) * dot(i.y(), x) - sin(theta) * dot(i.x(), x);
    }
    if constexpr (F::dim == 3)
      if (m == turn_x) {
        const auto z = i.z();
        return cos(theta) * dot(z, j.y()) - sin(theta) * dot(z, j.z());
      }
  }
  return wrapped(coordinate(m, i, j) - theta);
}

/// Angular velocity of a frame in global axes [rad/s]: half the sum of e × ė over its axes; in the plane a number.
template <class F> Vec<spins<F::dim>, typename F::Real> spin(const F& f) {
  using R = typename F::Real;
  const auto x = f.x(), y = f.y();
  if constexpr (F::dim == 2) {
    return Vec<1, R>(x.x.x() * x.v.y() - x.x.y() * x.v.x());
  } else {
    const auto z = f.z();
    return R(0.5) * (x.x.cross(x.v) + y.x.cross(y.v) + z.x.cross(z.v));
  }
}

/// Turns a vector from the axes of a frame into global axes.
template <class F, class R> Vec<F::dim, R> in_global(const F& f, const Vec<F::dim, R>& v) {
  Vec<F::dim, R> w = v[0] * f.x().x + v[1] * f.y().x;
  if constexpr (F::dim == 3) w += v[2] * f.z().x;
  return w;
}
}  // namespace mubody
