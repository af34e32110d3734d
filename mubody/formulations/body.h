#pragma once
// Body coordinates.                                                    docs/theory/body-coordinates.md
//
//   plane: q = (x, y, φ),  u = q̇                             Flores & Lankarani (2012), sec. 3
//   space: q = (r, p),     u = (ṙ, ω) with ω in body axes     Nikravesh (1988), chs. 6 and 8
//
// p are Euler parameters, scalar first.  As their rates come from ω, ṗ = ½ p ∘ ω, they need no constraint of their
// own: their length stays 1 but for round-off, which is taken away after every step.
//
// A formulation answers two questions: where is a point of a body, and where does the body carry an arm s
// fixed in it.  Points, directions, joints and forces all follow from these.  The origin of a body is its
// centre of mass, so that the mass matrix is constant and block diagonal.
#include "mubody/kinematics/frame.h"
#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// R is the scalar of states, forces and equations.
template <int D, class R = double> struct Body;

/// A vector that rides on the body of one side, which has C velocities.
template <int D, int C, Side S, class R = double>
using OnSide = Carried<D, S == Side::i ? C : 0, S == Side::j ? C : 0, R>;
template <Side S, int C, int D, class R>
MUBODY_INLINE OnSide<D, C, S, R> riding(const Vec<D, R>& x, const Vec<D, R>& v, const Vec<D, R>& a,
                                        Same<R> weight, const Vec<D, R>& arm) {
  if constexpr (S == Side::i)
    return {x, v, a, {weight, arm}, {}};
  else
    return {x, v, a, {}, {weight, arm}};
}

/// The force and the moment, in global axes, that a generalized force stands for.
template <int D, class R = double> struct Wrench {
  Vec<D, R> force;
  Vec<spins<D>, R> moment;  // about the body's origin

  /// The moment about the end of an arm from the origin.
  Vec<spins<D>, R> about(const Vec<D, R>& arm) const {
    if constexpr (D == 2)
      return moment - Vec<1, R>(arm.x() * force.y() - arm.y() * force.x());
    else
      return moment - arm.cross(force);
  }
};

template <class R> struct Body<2, R> {
  using Real = R;
  static constexpr int dim = 2;
  static constexpr int columns = 3;      // velocities per body
  static constexpr int coordinates = 3;  // positions per body
  static constexpr int own = 0;          // constraints of a body by itself
  static constexpr int spin_first = -1;  // the first of three velocities that are an angular velocity; none
  static constexpr bool polynomial = false;

  /// Position and motion of one body at an instant; sine and cosine are taken once.
  struct BodyState {
    Vec<2, R> r = Vec<2, R>::Zero(), v = Vec<2, R>::Zero();
    R c = 1, s = 0, angle = 0, w = 0;
  };
  MUBODY_INLINE static void unpack(const R* q, const R* u, BodyState& b) {
    const R c = cos(q[2]), s = sin(q[2]);  // one call
    for (int k = 0; k < 2; ++k) b.r[k] = q[k], b.v[k] = u[k];
    b.c = c, b.s = s, b.angle = q[2], b.w = u[2];
  }

  template <Side S> using Vector = OnSide<2, 3, S, R>;
  template <Side S> using Number = Scalar<S == Side::i ? 3 : 0, S == Side::j ? 3 : 0, R>;

  MUBODY_INLINE static Vec<2, R> turned(const BodyState& b, const Vec<2>& s) {
    return {b.c * s.x() - b.s * s.y(), b.s * s.x() + b.c * s.y()};
  }

  /// A s for an arm s fixed in the body.
  template <Side S> MUBODY_INLINE static Vector<S> arm(const BodyState& b, const Vec<2>& s) {
    const R x = b.c * s[0] - b.s * s[1], y = b.s * s[0] + b.c * s[1], w = b.w;
    return riding<S, columns>(Vec<2, R>(x, y), Vec<2, R>(-w * y, w * x), Vec<2, R>(-w * w * x, -w * w * y), 0,
                              Vec<2, R>(x, y));
  }
  /// r + A s for the point s of the body.
  template <Side S> MUBODY_INLINE static Vector<S> point(const BodyState& b, const Vec<2>& s) {
    const R x = b.c * s[0] - b.s * s[1], y = b.s * s[0] + b.c * s[1], w = b.w;
    return riding<S, columns>(Vec<2, R>(b.r[0] + x, b.r[1] + y), Vec<2, R>(b.v[0] - w * y, b.v[1] + w * x),
                              Vec<2, R>(-w * w * x, -w * w * y), 1, Vec<2, R>(x, y));
  }
  /// φ + offset.
  template <Side S> static Number<S> angle(const BodyState& b, double offset) {
    Rows<1, 3, R> row;
    for (int k = 0; k < 3; ++k) row[k] = k == 2 ? 1 : 0;
    if constexpr (S == Side::i)
      return Number<S>{b.angle + offset, b.w, 0, row, {}};
    else
      return Number<S>{b.angle + offset, b.w, 0, {}, row};
  }

  /// A row over the twist as a row over the velocities.
  MUBODY_INLINE static void row(const BodyState&, const Rows<1, 3, R>& J, R* out) {
    for (int k = 0; k < 3; ++k) out[k] = J[k];
  }
  /// The acceleration of a point that rides on the body, from its part without u̇ and the body's u̇.
  static Vec<2, R> acceleration(const BodyState&, const Vector<Side::i>& p, const R* du) {
    const Vec<2, R>& arm = p.Ji.arm;
    return p.a + p.Ji.weight * Vec<2, R>(du) + du[2] * Vec<2, R>(-arm.y(), arm.x());
  }

  /// Generalized force of a force F at the point s and a moment M, both in global axes; added to Q.
  static void push(const BodyState& b, const Vec<2>& s, const Vec<2, R>& F, const Vec<1, R>& M, R* Q) {
    const Vec<2, R> u = turned(b, s);
    Q[0] += F.x();
    Q[1] += F.y();
    Q[2] += M[0] + u.x() * F.y() - u.y() * F.x();
  }
  static Wrench<2, R> wrench(const BodyState&, const R* Q) { return {{Q[0], Q[1]}, Vec<1, R>(Q[2])}; }

  static void rates(const R*, const R* u, R* dq) { std::copy(u, u + 3, dq); }
  /// q moved by a small (or any) displacement in the space of velocities.
  static void move(R* q, const R* du) {
    for (int k = 0; k < 3; ++k) q[k] += du[k];
  }
  static void write(const RigidBody& b, double* q, double* u) {
    q[0] = b.start.at.x(), q[1] = b.start.at.y(), q[2] = b.start.angle;
    u[0] = b.velocity.x(), u[1] = b.velocity.y(), u[2] = b.omega.z();
  }
  static Eigen::Matrix3d mass(const RigidBody& b) {
    return Vec<3>(b.mass, b.mass, b.inertia(2, 2)).asDiagonal();
  }
  static void tidy(R*) {}

  /// Names of the columns of the results and their values; `a` are the accelerations u̇.
  template <class Write> static void observe(const BodyState& b, const R* a, Write&& write) {
    write(".x", "m", b.r.x());
    write(".y", "m", b.r.y());
    write(".angle", "rad", b.angle);
    write(".vx", "m/s", b.v.x());
    write(".vy", "m/s", b.v.y());
    write(".omega", "rad/s", b.w);
    write(".ax", "m/s2", a[0]);
    write(".ay", "m/s2", a[1]);
    write(".alpha", "rad/s2", a[2]);
  }
  static constexpr const char *orientation_unit = "rad", *turning_unit = "rad/s";
  static constexpr std::array coordinate_names{"x", "y", "angle"};
  static constexpr std::array displacement_names{"x", "y", "angle"};  // what assembly can hold
  static constexpr std::array velocity_names{"vx", "vy", "omega"};

  /// One number of the state, of a point s of the body.
  static R state(const BodyState& b, const Vec<2>& s, StateVariable::Quantity quantity) {
    const auto p = point<Side::i>(b, s);
    switch (quantity) {
      case StateVariable::x: return p.x[0];
      case StateVariable::y: return p.x[1];
      case StateVariable::vx: return p.v[0];
      case StateVariable::vy: return p.v[1];
      case StateVariable::angle: return b.angle;
      case StateVariable::omega: return b.w;
      default: return 0;  // quantities of space, which the reader refuses
    }
  }
};

template <class R> struct Body<3, R> {
  using Real = R;
  static constexpr int dim = 3;
  static constexpr int columns = 6;
  static constexpr int coordinates = 7;
  static constexpr int own = 0;
  static constexpr int spin_first = 3;
  static constexpr bool polynomial = false;

  /// Position and motion of one body at an instant; the matrix of its axes is made once.
  struct BodyState {
    Vec<3, R> r = Vec<3, R>::Zero(), v = Vec<3, R>::Zero();
    Rows<3, 3, R> A = Rows<3, 3, R>::Identity();
    Vec<3, R> w = Vec<3, R>::Zero(), W = Vec<3, R>::Zero();  // angular velocity in body axes, in global axes
    Vec<4, R> p{1, 0, 0, 0};                                 // need not have length 1
  };
  /// p need not be of length one: within the stages of an integrator only its direction counts.  Numbers are
  /// written one by one into their places: a copy of the whole would wait for them.
  MUBODY_INLINE static void unpack(const R* q, const R* u, BodyState& b) {
    const R e0 = q[3], e1 = q[4], e2 = q[5], e3 = q[6], x = u[3], y = u[4], z = u[5];
    const R s = 2 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3);
    const R s0 = s * e0, s1 = s * e1, s2 = s * e2, s3 = s * e3;
    const R A[3][3] = {{1 - (s2 * e2 + s3 * e3), s1 * e2 - s0 * e3, s1 * e3 + s0 * e2},
                       {s1 * e2 + s0 * e3, 1 - (s1 * e1 + s3 * e3), s2 * e3 - s0 * e1},
                       {s1 * e3 - s0 * e2, s2 * e3 + s0 * e1, 1 - (s1 * e1 + s2 * e2)}};
    for (int k = 0; k < 3; ++k) {
      b.r[k] = q[k], b.v[k] = u[k], b.w[k] = u[3 + k];
      for (int l = 0; l < 3; ++l) b.A(k, l) = A[k][l];
      b.W[k] = A[k][0] * x + A[k][1] * y + A[k][2] * z;
    }
    b.p = {e0, e1, e2, e3};
  }

  template <Side S> using Vector = OnSide<3, 6, S, R>;

  MUBODY_INLINE static Vec<3, R> turned(const BodyState& b, const Vec<3>& s) {
    Vec<3, R> u;
    for (int k = 0; k < 3; ++k) u[k] = b.A(k, 0) * s[0] + b.A(k, 1) * s[1] + b.A(k, 2) * s[2];
    return u;
  }

  /// A s for an arm s fixed in the body.
  template <Side S> MUBODY_INLINE static Vector<S> arm(const BodyState& b, const Vec<3>& s) {
    const Vec<3, R> u = turned(b, s), v = b.W.cross(u);
    return riding<S, columns>(u, v, Vec<3, R>(b.W.cross(v)), 0, u);
  }
  /// r + A s for the point s of the body.
  template <Side S> MUBODY_INLINE static Vector<S> point(const BodyState& b, const Vec<3>& s) {
    const Vec<3, R> u = turned(b, s), v = b.W.cross(u);
    return riding<S, columns>(Vec<3, R>(b.r + u), Vec<3, R>(b.v + v), Vec<3, R>(b.W.cross(v)), 1, u);
  }
  /// A row over the twist (v, ω in global axes) as a row over the velocities (v, ω in body axes).
  MUBODY_INLINE static void row(const BodyState& b, const Rows<1, 6, R>& J, R* out) {
    for (int k = 0; k < 3; ++k) out[k] = J[k];
    const R x = J[3], y = J[4], z = J[5];
    for (int k = 0; k < 3; ++k) out[3 + k] = x * b.A(0, k) + y * b.A(1, k) + z * b.A(2, k);
  }
  static Vec<3, R> acceleration(const BodyState& b, const Vector<Side::i>& p, const R* du) {
    return p.a + p.Ji.weight * Vec<3, R>(du) + (b.A * Vec<3, R>(du + 3)).cross(p.Ji.arm);
  }

  /// Generalized force of a force F at the point s and a moment M, both in global axes; added to Q.
  static void push(const BodyState& b, const Vec<3>& s, const Vec<3, R>& F, const Vec<3, R>& M, R* Q) {
    Eigen::Map<Vec<3, R>>{Q} += F;
    Eigen::Map<Vec<3, R>>{Q + 3} += b.A.transpose() * M + s.template cast<R>().cross(b.A.transpose() * F);
  }
  static Wrench<3, R> wrench(const BodyState& b, const R* Q) {
    return {Eigen::Map<const Vec<3, R>>(Q), b.A * Eigen::Map<const Vec<3, R>>(Q + 3)};
  }

  /// ṗ = ½ p ∘ (0, ω)
  static void rates(const R* q, const R* u, R* dq) {
    std::copy(u, u + 3, dq);
    const Vec<4, R> p = Eigen::Map<const Vec<4, R>>(q + 3);
    const Vec<3, R> w = R(0.5) * Eigen::Map<const Vec<3, R>>(u + 3);
    dq[3] = -p[1] * w[0] - p[2] * w[1] - p[3] * w[2];
    dq[4] = p[0] * w[0] + p[2] * w[2] - p[3] * w[1];
    dq[5] = p[0] * w[1] + p[3] * w[0] - p[1] * w[2];
    dq[6] = p[0] * w[2] + p[1] * w[1] - p[2] * w[0];
  }
  /// q moved by any displacement in the space of velocities: a turn by |δ| about δ, in body axes.
  static void move(R* q, const R* du) {
    using Turn = Eigen::Quaternion<R>;
    for (int k = 0; k < 3; ++k) q[k] += du[k];
    const Vec<3, R> half = R(0.5) * Eigen::Map<const Vec<3, R>>(du + 3);
    const R angle = half.norm();
    const R s = choose(angle > R(1e-8), sin(angle) / angle, 1 - angle * angle / 6);
    const Vec<3, R> e = s * half;
    const Turn p = Turn(q[3], q[4], q[5], q[6]) * Turn(cos(angle), e[0], e[1], e[2]);
    const R size = 1 / p.norm();
    q[3] = p.w() * size, q[4] = p.x() * size, q[5] = p.y() * size, q[6] = p.z() * size;
  }
  static void tidy(R* q) {
    Eigen::Map<Vec<4, R>> p(q + 3);
    p *= 1 / p.norm();
  }
  static void write(const RigidBody& b, double* q, double* u) {
    Eigen::Map<Vec<3>>{q} = b.start.at;
    const Quaternion p = b.start.turn.normalized();
    q[3] = p.w(), q[4] = p.x(), q[5] = p.y(), q[6] = p.z();
    Eigen::Map<Vec<3>>{u} = b.velocity;
    Eigen::Map<Vec<3>>{u + 3} = b.omega;
  }
  static Eigen::Matrix<double, 6, 6> mass(const RigidBody& b) {
    Eigen::Matrix<double, 6, 6> M = Eigen::Matrix<double, 6, 6>::Zero();
    M.diagonal().head<3>().setConstant(b.mass);
    M.bottomRightCorner<3, 3>() = b.inertia;
    return M;
  }
  /// Velocity-dependent inertia terms on the right-hand side, where a formulation has any.  Euler's equations:
  /// J ω̇ = M − ω × J ω.
  static void gyroscopic(const RigidBody& body, const BodyState& b, R* Q) {
    Eigen::Map<Vec<3, R>>{Q + 3} -= b.w.cross(Rows<3, 3, R>(body.inertia.template cast<R>()) * b.w);
  }

  template <class Write> static void observe(const BodyState& b, const R* a, Write&& write) {
    const auto three = [&](const std::array<const char*, 3>& names, const char* unit, const Vec<3, R>& x) {
      for (int k = 0; k < 3; ++k) write(names[std::size_t(k)], unit, x[k]);
    };
    three({".x", ".y", ".z"}, "m", b.r);
    const Vec<4, R> p = b.p / b.p.norm();
    write(".e0", "1", p[0]);
    three({".e1", ".e2", ".e3"}, "1", p.template tail<3>());
    three({".vx", ".vy", ".vz"}, "m/s", b.v);
    three({".wx", ".wy", ".wz"}, "rad/s", b.w);
    three({".ax", ".ay", ".az"}, "m/s2", Vec<3, R>(a));
    three({".alphax", ".alphay", ".alphaz"}, "rad/s2", Vec<3, R>(a + 3));
  }
  static constexpr const char *orientation_unit = "1", *turning_unit = "rad/s";
  static constexpr std::array coordinate_names{"x", "y", "z", "e0", "e1", "e2", "e3"};
  static constexpr std::array displacement_names{"x", "y", "z", "orientation", "orientation", "orientation"};
  static constexpr std::array velocity_names{"vx", "vy", "vz", "wx", "wy", "wz"};

  static R state(const BodyState& b, const Vec<3>& s, StateVariable::Quantity quantity) {
    using Q = StateVariable;
    if (quantity >= Q::e0) return b.p[quantity - Q::e0] / b.p.norm();
    if (quantity >= Q::wx) return b.w[quantity - Q::wx];
    if (quantity >= Q::angle) return 0;  // quantities of the plane, which the reader refuses
    return quantity >= Q::vx ? (b.v + b.A * b.w.cross(s.template cast<R>()))[quantity - Q::vx]
                             : (b.r + b.A * s.template cast<R>())[quantity - Q::x];
  }
};
}  // namespace mubody
