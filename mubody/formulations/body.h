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
template <int D> struct Body;

/// A vector that rides on the body of one side, which has C velocities.
template <int D, int C, Side S> using OnSide = Carried<D, S == Side::i ? C : 0, S == Side::j ? C : 0>;
template <Side S, int C, int D>
MUBODY_INLINE OnSide<D, C, S> riding(const Vec<D>& x, const Vec<D>& v, const Vec<D>& a, double weight,
                                     const Vec<D>& arm) {
  if constexpr (S == Side::i)
    return {x, v, a, {weight, arm}, {}};
  else
    return {x, v, a, {}, {weight, arm}};
}

/// The force and the moment, in global axes, that a generalized force stands for.
template <int D> struct Wrench {
  Vec<D> force;
  Vec<spins<D>> moment;  // about the body's origin

  /// The moment about the end of an arm from the origin.
  Vec<spins<D>> about(const Vec<D>& arm) const {
    if constexpr (D == 2)
      return moment - Vec<1>(arm.x() * force.y() - arm.y() * force.x());
    else
      return moment - arm.cross(force);
  }
};

template <> struct Body<2> {
  static constexpr int dim = 2;
  static constexpr int columns = 3;      // velocities per body
  static constexpr int coordinates = 3;  // positions per body
  static constexpr int own = 0;          // constraints of a body by itself
  static constexpr int spin_first = -1;  // the first of three velocities that are an angular velocity; none
  static constexpr bool polynomial = false;

  /// Position and motion of one body at an instant; sine and cosine are taken once.
  struct BodyState {
    Vec<2> r = Vec<2>::Zero(), v = Vec<2>::Zero();
    double c = 1, s = 0, angle = 0, w = 0;
  };
  MUBODY_INLINE static void unpack(const double* q, const double* u, BodyState& b) {
    const double c = std::cos(q[2]), s = std::sin(q[2]);  // one call
    for (int k = 0; k < 2; ++k) b.r[k] = q[k], b.v[k] = u[k];
    b.c = c, b.s = s, b.angle = q[2], b.w = u[2];
  }

  template <Side S> using Vector = OnSide<2, 3, S>;
  template <Side S> using Number = Scalar<S == Side::i ? 3 : 0, S == Side::j ? 3 : 0>;

  MUBODY_INLINE static Vec<2> turned(const BodyState& b, const Vec<2>& s) {
    return {b.c * s.x() - b.s * s.y(), b.s * s.x() + b.c * s.y()};
  }

  /// A s for an arm s fixed in the body.
  template <Side S> MUBODY_INLINE static Vector<S> arm(const BodyState& b, const Vec<2>& s) {
    const double x = b.c * s[0] - b.s * s[1], y = b.s * s[0] + b.c * s[1], w = b.w;
    return riding<S, columns>(Vec<2>(x, y), Vec<2>(-w * y, w * x), Vec<2>(-w * w * x, -w * w * y), 0,
                              Vec<2>(x, y));
  }
  /// r + A s for the point s of the body.
  template <Side S> MUBODY_INLINE static Vector<S> point(const BodyState& b, const Vec<2>& s) {
    const double x = b.c * s[0] - b.s * s[1], y = b.s * s[0] + b.c * s[1], w = b.w;
    return riding<S, columns>(Vec<2>(b.r[0] + x, b.r[1] + y), Vec<2>(b.v[0] - w * y, b.v[1] + w * x),
                              Vec<2>(-w * w * x, -w * w * y), 1, Vec<2>(x, y));
  }
  /// φ + offset.
  template <Side S> static Number<S> angle(const BodyState& b, double offset) {
    const Rows<1, 3> row(0, 0, 1);
    if constexpr (S == Side::i)
      return Number<S>{b.angle + offset, b.w, 0, row, {}};
    else
      return Number<S>{b.angle + offset, b.w, 0, {}, row};
  }

  /// A row over the twist as a row over the velocities.
  MUBODY_INLINE static void row(const BodyState&, const Rows<1, 3>& J, double* out) {
    for (int k = 0; k < 3; ++k) out[k] = J[k];
  }
  /// The acceleration of a point that rides on the body, from its part without u̇ and the body's u̇.
  static Vec<2> acceleration(const BodyState&, const Vector<Side::i>& p, const double* du) {
    return p.a + p.Ji.weight * Vec<2>(du) + du[2] * perp(p.Ji.arm);
  }

  /// Generalized force of a force F at the point s and a moment M, both in global axes; added to Q.
  static void push(const BodyState& b, const Vec<2>& s, const Vec<2>& F, const Vec<1>& M, double* Q) {
    const Vec<2> u = turned(b, s);
    Q[0] += F.x();
    Q[1] += F.y();
    Q[2] += M[0] + u.x() * F.y() - u.y() * F.x();
  }
  static Wrench<2> wrench(const BodyState&, const double* Q) { return {{Q[0], Q[1]}, Vec<1>(Q[2])}; }

  static void rates(const double*, const double* u, double* dq) { std::copy(u, u + 3, dq); }
  /// q moved by a small (or any) displacement in the space of velocities.
  static void move(double* q, const double* du) {
    for (int k = 0; k < 3; ++k) q[k] += du[k];
  }
  static void write(const RigidBody& b, double* q, double* u) {
    q[0] = b.start.at.x(), q[1] = b.start.at.y(), q[2] = b.start.angle;
    u[0] = b.velocity.x(), u[1] = b.velocity.y(), u[2] = b.omega.z();
  }
  static Eigen::Matrix3d mass(const RigidBody& b) {
    return Vec<3>(b.mass, b.mass, b.inertia(2, 2)).asDiagonal();
  }
  static void tidy(double*) {}

  /// Names of the columns of the results and their values; `a` are the accelerations u̇.
  template <class Write> static void observe(const BodyState& b, const double* a, Write&& write) {
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
  static double state(const BodyState& b, const Vec<2>& s, StateVariable::Quantity quantity) {
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

template <> struct Body<3> {
  static constexpr int dim = 3;
  static constexpr int columns = 6;
  static constexpr int coordinates = 7;
  static constexpr int own = 0;
  static constexpr int spin_first = 3;
  static constexpr bool polynomial = false;

  /// Position and motion of one body at an instant; the matrix of its axes is made once.
  struct BodyState {
    Vec<3> r = Vec<3>::Zero(), v = Vec<3>::Zero();
    Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
    Vec<3> w = Vec<3>::Zero(), W = Vec<3>::Zero();  // angular velocity in body axes, in global axes
    Vec<4> p{1, 0, 0, 0};                           // need not have length 1
  };
  /// p need not be of length one: within the stages of an integrator only its direction counts.  Numbers are
  /// written one by one into their places: a copy of the whole would wait for them.
  MUBODY_INLINE static void unpack(const double* q, const double* u, BodyState& b) {
    const double e0 = q[3], e1 = q[4], e2 = q[5], e3 = q[6], x = u[3], y = u[4], z = u[5];
    const double s = 2 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3);
    const double s0 = s * e0, s1 = s * e1, s2 = s * e2, s3 = s * e3;
    const double A[3][3] = {{1 - (s2 * e2 + s3 * e3), s1 * e2 - s0 * e3, s1 * e3 + s0 * e2},
                            {s1 * e2 + s0 * e3, 1 - (s1 * e1 + s3 * e3), s2 * e3 - s0 * e1},
                            {s1 * e3 - s0 * e2, s2 * e3 + s0 * e1, 1 - (s1 * e1 + s2 * e2)}};
    for (int k = 0; k < 3; ++k) {
      b.r[k] = q[k], b.v[k] = u[k], b.w[k] = u[3 + k];
      for (int l = 0; l < 3; ++l) b.A(k, l) = A[k][l];
      b.W[k] = A[k][0] * x + A[k][1] * y + A[k][2] * z;
    }
    b.p = {e0, e1, e2, e3};
  }

  template <Side S> using Vector = OnSide<3, 6, S>;

  MUBODY_INLINE static Vec<3> turned(const BodyState& b, const Vec<3>& s) {
    Vec<3> u;
    for (int k = 0; k < 3; ++k) u[k] = b.A(k, 0) * s[0] + b.A(k, 1) * s[1] + b.A(k, 2) * s[2];
    return u;
  }

  /// A s for an arm s fixed in the body.
  template <Side S> MUBODY_INLINE static Vector<S> arm(const BodyState& b, const Vec<3>& s) {
    const Vec<3> u = turned(b, s), v = b.W.cross(u);
    return riding<S, columns>(u, v, Vec<3>(b.W.cross(v)), 0, u);
  }
  /// r + A s for the point s of the body.
  template <Side S> MUBODY_INLINE static Vector<S> point(const BodyState& b, const Vec<3>& s) {
    const Vec<3> u = turned(b, s), v = b.W.cross(u);
    return riding<S, columns>(Vec<3>(b.r + u), Vec<3>(b.v + v), Vec<3>(b.W.cross(v)), 1, u);
  }
  /// A row over the twist (v, ω in global axes) as a row over the velocities (v, ω in body axes).
  MUBODY_INLINE static void row(const BodyState& b, const Rows<1, 6>& J, double* out) {
    for (int k = 0; k < 3; ++k) out[k] = J[k];
    const double x = J[3], y = J[4], z = J[5];
    for (int k = 0; k < 3; ++k) out[3 + k] = x * b.A(0, k) + y * b.A(1, k) + z * b.A(2, k);
  }
  static Vec<3> acceleration(const BodyState& b, const Vector<Side::i>& p, const double* du) {
    return p.a + p.Ji.weight * Vec<3>(du) + (b.A * Vec<3>(du + 3)).cross(p.Ji.arm);
  }

  /// Generalized force of a force F at the point s and a moment M, both in global axes; added to Q.
  static void push(const BodyState& b, const Vec<3>& s, const Vec<3>& F, const Vec<3>& M, double* Q) {
    Eigen::Map<Vec<3>>{Q} += F;
    Eigen::Map<Vec<3>>{Q + 3} += b.A.transpose() * M + s.cross(b.A.transpose() * F);
  }
  static Wrench<3> wrench(const BodyState& b, const double* Q) {
    return {Eigen::Map<const Vec<3>>(Q), b.A * Eigen::Map<const Vec<3>>(Q + 3)};
  }

  /// ṗ = ½ p ∘ (0, ω)
  static void rates(const double* q, const double* u, double* dq) {
    std::copy(u, u + 3, dq);
    const Vec<4> p = Eigen::Map<const Vec<4>>(q + 3);
    const Vec<3> w = 0.5 * Eigen::Map<const Vec<3>>(u + 3);
    dq[3] = -p[1] * w[0] - p[2] * w[1] - p[3] * w[2];
    dq[4] = p[0] * w[0] + p[2] * w[2] - p[3] * w[1];
    dq[5] = p[0] * w[1] + p[3] * w[0] - p[1] * w[2];
    dq[6] = p[0] * w[2] + p[1] * w[1] - p[2] * w[0];
  }
  /// q moved by any displacement in the space of velocities: a turn by |δ| about δ, in body axes.
  static void move(double* q, const double* du) {
    for (int k = 0; k < 3; ++k) q[k] += du[k];
    const Vec<3> half = 0.5 * Eigen::Map<const Vec<3>>(du + 3);
    const double angle = half.norm();
    const double s = angle > 1e-8 ? std::sin(angle) / angle : 1 - angle * angle / 6;
    const Vec<3> e = s * half;
    const Quaternion p = Quaternion(q[3], q[4], q[5], q[6]) * Quaternion(std::cos(angle), e[0], e[1], e[2]);
    const double size = 1 / p.norm();
    q[3] = p.w() * size, q[4] = p.x() * size, q[5] = p.y() * size, q[6] = p.z() * size;
  }
  static void tidy(double* q) {
    Eigen::Map<Vec<4>> p(q + 3);
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
  static void gyroscopic(const RigidBody& body, const BodyState& b, double* Q) {
    Eigen::Map<Vec<3>>{Q + 3} -= b.w.cross(body.inertia * b.w);
  }

  template <class Write> static void observe(const BodyState& b, const double* a, Write&& write) {
    const auto three = [&](const std::array<const char*, 3>& names, const char* unit, const Vec<3>& x) {
      for (int k = 0; k < 3; ++k) write(names[std::size_t(k)], unit, x[k]);
    };
    three({".x", ".y", ".z"}, "m", b.r);
    const Vec<4> p = b.p.normalized();
    write(".e0", "1", p[0]);
    three({".e1", ".e2", ".e3"}, "1", p.tail<3>());
    three({".vx", ".vy", ".vz"}, "m/s", b.v);
    three({".wx", ".wy", ".wz"}, "rad/s", b.w);
    three({".ax", ".ay", ".az"}, "m/s2", Vec<3>(a));
    three({".alphax", ".alphay", ".alphaz"}, "rad/s2", Vec<3>(a + 3));
  }
  static constexpr const char *orientation_unit = "1", *turning_unit = "rad/s";
  static constexpr std::array coordinate_names{"x", "y", "z", "e0", "e1", "e2", "e3"};
  static constexpr std::array displacement_names{"x", "y", "z", "orientation", "orientation", "orientation"};
  static constexpr std::array velocity_names{"vx", "vy", "vz", "wx", "wy", "wz"};

  static double state(const BodyState& b, const Vec<3>& s, StateVariable::Quantity quantity) {
    using Q = StateVariable;
    if (quantity >= Q::e0) return b.p.normalized()[quantity - Q::e0];
    if (quantity >= Q::wx) return b.w[quantity - Q::wx];
    if (quantity >= Q::angle) return 0;  // quantities of the plane, which the reader refuses
    return quantity >= Q::vx ? (b.v + b.A * b.w.cross(s))[quantity - Q::vx] : (b.r + b.A * s)[quantity - Q::x];
  }
};
}  // namespace mubody
