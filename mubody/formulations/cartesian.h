#pragma once
// Fully Cartesian coordinates: a body is a point and unit vectors.              docs/theory/cartesian.md
//
//   plane: q = (r, e),             u = q̇     Roupa, Gonçalves & Silva (2018), eqs. 1-7
//   space: q = (r, e_x, e_y, e_z), u = q̇     the same idea with an axis each
//
// An arm s fixed in the body is A s = s_x e_x + s_y e_y (+ s_z e_z), linear in the coordinates; in the plane e_y is e
// turned by a right angle.  Hence points and directions have constant columns and no acceleration of their own, the
// mass matrix is constant without gyroscopic terms, and the equations of joints are polynomials.
//
// The price is constraints within each body: its vectors stay unit vectors, in space at right angles.  They are
// halved squares, ½ (e·e − 1), which near zero is the error of the length.  They exert no force and no moment
// on a body: they drop out of every wrench.
//
// Turns are counted, and Euler parameters keep their sign, from the last accepted state on, kept in `last`.
#include "mubody/formulations/body.h"

namespace mubody {
template <int D> struct Cartesian;

template <> struct Cartesian<2> {
  using Real = double;
  static constexpr int dim = 2;
  static constexpr int columns = 4;
  static constexpr int coordinates = 4;
  static constexpr int own = 1;
  static constexpr int spin_first = -1;
  static constexpr bool polynomial = true;

  struct BodyState {
    Vec<2> r = Vec<2>::Zero(), v = Vec<2>::Zero();
    Vec<2> e = Vec<2>::UnitX(), de = Vec<2>::Zero();
    double w = 0;
    double last = 0;  // the angle of e at the last accepted state
  };
  MUBODY_INLINE static void unpack(const double* q, const double* u, BodyState& b) {
    for (int k = 0; k < 2; ++k) b.r[k] = q[k], b.v[k] = u[k], b.e[k] = q[2 + k], b.de[k] = u[2 + k];
    b.w = cross(b.e, b.de) / b.e.squaredNorm();
  }
  static void remember(BodyState& b) { b.last = angle_of(b); }

  template <Side S> using Vector = OnSide<2, columns, S>;
  template <Side S> using Number = Scalar<S == Side::i ? columns : 0, S == Side::j ? columns : 0>;

  MUBODY_INLINE static Vec<2> turned(const BodyState& b, const Vec<2>& s) { return along(b.e, s); }
  template <Side S> MUBODY_INLINE static Vector<S> arm(const BodyState& b, const Vec<2>& s) {
    return riding<S, columns>(along(b.e, s), along(b.de, s), Vec<2>(Vec<2>::Zero()), 0, s);
  }
  template <Side S> MUBODY_INLINE static Vector<S> point(const BodyState& b, const Vec<2>& s) {
    return riding<S, columns>(Vec<2>(b.r + along(b.e, s)), Vec<2>(b.v + along(b.de, s)), Vec<2>(Vec<2>::Zero()),
                              1, s);
  }
  /// The angle of e, whatever its length, counted over turns.
  template <Side S> static Number<S> angle(const BodyState& b, double offset) {
    const double per = 1 / b.e.squaredNorm();
    const Rows<1, 4> row(0, 0, -per * b.e.y(), per * b.e.x());
    const double x = angle_of(b) + offset, a = -2 * per * b.e.dot(b.de) * b.w;
    if constexpr (S == Side::i)
      return Number<S>{x, b.w, a, row, {}};
    else
      return Number<S>{x, b.w, a, {}, row};
  }

  MUBODY_INLINE static void row(const BodyState&, const Rows<1, 4>& J, double* out) {
    for (int k = 0; k < 4; ++k) out[k] = J[k];
  }
  static Vec<2> acceleration(const BodyState&, const Vector<Side::i>& p, const double* du) {
    return p.Ji.weight * Vec<2>(du) + along(Vec<2>(du + 2), p.Ji.arm);
  }

  /// The moment acts on e across it: virtual work M δφ with δφ = e × δe / e·e.
  static void push(const BodyState& b, const Vec<2>& s, const Vec<2>& F, const Vec<1>& M, double* Q) {
    Eigen::Map<Vec<2>>{Q} += F;
    Eigen::Map<Vec<2>>{Q + 2} += s.x() * F - s.y() * perp(F) + (M[0] / b.e.squaredNorm()) * perp(b.e);
  }
  /// The wrench that does the same work on motions of a rigid body; the part along e does none.
  static Wrench<2> wrench(const BodyState& b, const double* Q) {
    return {{Q[0], Q[1]}, Vec<1>(perp(b.e).dot(Vec<2>(Q + 2)))};
  }

  /// ½ (e·e − 1)
  static void own_rows(const BodyState& b, double* phi, double* rate, double* gamma, double* D) {
    *phi = 0.5 * (b.e.squaredNorm() - 1);
    *rate = b.e.dot(b.de);
    *gamma = -b.de.squaredNorm();
    D[2] = b.e.x(), D[3] = b.e.y();
  }

  static void rates(const double*, const double* u, double* dq) { std::copy(u, u + 4, dq); }
  static void move(double* q, const double* du) {
    for (int k = 0; k < 4; ++k) q[k] += du[k];
  }
  /// Does nothing: the length of e is a constraint like any other, which the treatment enforces.
  static void tidy(double*) {}
  static void write(const RigidBody& b, double* q, double* u) {
    double body_q[3], body_u[3];
    Body<2>::write(b, body_q, body_u);
    from_body(body_q, body_u, q, u);
  }
  /// diag(m, m, I, I):  ½ I ω² = ½ I ė·ė.
  static Eigen::Matrix4d mass(const RigidBody& b) {
    return Vec<4>(b.mass, b.mass, b.inertia(2, 2), b.inertia(2, 2)).asDiagonal();
  }

  static Body<2>::BodyState as_body(const BodyState& b) {
    const Vec<2> e = b.e.normalized();
    return {b.r, b.v, e.x(), e.y(), angle_of(b), b.w};
  }
  static void to_body(const BodyState& b, double* q, double* u) {
    q[0] = b.r.x(), q[1] = b.r.y(), q[2] = angle_of(b);
    u[0] = b.v.x(), u[1] = b.v.y(), u[2] = b.w;
  }
  static void from_body(const double* body_q, const double* body_u, double* q, double* u) {
    const double c = std::cos(body_q[2]), s = std::sin(body_q[2]), w = body_u[2];
    q[0] = body_q[0], q[1] = body_q[1], q[2] = c, q[3] = s;
    u[0] = body_u[0], u[1] = body_u[1], u[2] = -w * s, u[3] = w * c;
  }
  /// Starts the count of turns at the angle of the body.
  static void count_from(const double* body_q, BodyState& b) { b.last = body_q[2]; }

  template <class Write> static void observe(const BodyState& b, const double* a, Write&& write) {
    const double spin = (cross(b.e, Vec<2>(a + 2)) - 2 * b.w * b.e.dot(b.de)) / b.e.squaredNorm();
    const double du[] = {a[0], a[1], spin};
    Body<2>::observe(as_body(b), du, write);
  }
  static double state(const BodyState& b, const Vec<2>& s, StateVariable::Quantity quantity) {
    return Body<2>::state(as_body(b), s, quantity);
  }
  static constexpr const char *orientation_unit = "1", *turning_unit = "1/s";
  static constexpr std::array coordinate_names{"x", "y", "ex", "ey"};
  static constexpr std::array displacement_names{"x", "y", "ex", "ey"};
  static constexpr std::array velocity_names{"vx", "vy", "vex", "vey"};

 private:
  static double cross(const Vec<2>& a, const Vec<2>& b) { return a.x() * b.y() - a.y() * b.x(); }
  MUBODY_INLINE static Vec<2> along(const Vec<2>& e, const Vec<2>& s) {
    return {s.x() * e.x() - s.y() * e.y(), s.x() * e.y() + s.y() * e.x()};
  }
  static double angle_of(const BodyState& b) { return b.last + wrapped(std::atan2(b.e.y(), b.e.x()) - b.last); }
};

template <> struct Cartesian<3> {
  using Real = double;
  static constexpr int dim = 3;
  static constexpr int columns = 12;
  static constexpr int coordinates = 12;
  static constexpr int own = 6;
  static constexpr int spin_first = -1;
  static constexpr bool polynomial = true;

  struct BodyState {
    Vec<3> r = Vec<3>::Zero(), v = Vec<3>::Zero();
    Eigen::Matrix3d A = Eigen::Matrix3d::Identity(), dA = Eigen::Matrix3d::Zero();  // columns e and ė
    Vec<3> W = Vec<3>::Zero();    // angular velocity in global axes
    Quaternion last{1, 0, 0, 0};  // at the last accepted state
  };
  MUBODY_INLINE static void unpack(const double* q, const double* u, BodyState& b) {
    for (int k = 0; k < 3; ++k) b.r[k] = q[k], b.v[k] = u[k];
    for (int k = 0; k < 9; ++k) b.A.data()[k] = q[3 + k], b.dA.data()[k] = u[3 + k];
    b.W.setZero();
    for (int k = 0; k < 3; ++k) b.W += 0.5 * b.A.col(k).cross(b.dA.col(k));
  }
  static void remember(BodyState& b) { b.last = turn_of(b); }

  template <Side S> using Vector = OnSide<3, columns, S>;

  MUBODY_INLINE static Vec<3> turned(const BodyState& b, const Vec<3>& s) { return along(b.A, s); }
  template <Side S> MUBODY_INLINE static Vector<S> arm(const BodyState& b, const Vec<3>& s) {
    return riding<S, columns>(along(b.A, s), along(b.dA, s), Vec<3>(Vec<3>::Zero()), 0, s);
  }
  template <Side S> MUBODY_INLINE static Vector<S> point(const BodyState& b, const Vec<3>& s) {
    return riding<S, columns>(Vec<3>(b.r + along(b.A, s)), Vec<3>(b.v + along(b.dA, s)), Vec<3>(Vec<3>::Zero()),
                              1, s);
  }
  MUBODY_INLINE static void row(const BodyState&, const Rows<1, 12>& J, double* out) {
    for (int k = 0; k < 12; ++k) out[k] = J[k];
  }
  static Vec<3> acceleration(const BodyState&, const Vector<Side::i>& p, const double* du) {
    return p.Ji.weight * Vec<3>(du) + Eigen::Map<const Eigen::Matrix3d>(du + 3) * p.Ji.arm;
  }

  /// The moment acts on the three vectors: virtual work M·δθ with δθ = ½ Σ e × δe.
  static void push(const BodyState& b, const Vec<3>& s, const Vec<3>& F, const Vec<3>& M, double* Q) {
    Eigen::Map<Vec<3>>{Q} += F;
    for (int k = 0; k < 3; ++k) Eigen::Map<Vec<3>>{Q + 3 + 3 * k} += s[k] * F + 0.5 * M.cross(b.A.col(k));
  }
  /// The wrench that does the same work on motions of a rigid body, δe = δθ × e.
  static Wrench<3> wrench(const BodyState& b, const double* Q) {
    Wrench<3> w{Vec<3>(Q), Vec<3>::Zero()};
    for (int k = 0; k < 3; ++k) w.moment += b.A.col(k).cross(Vec<3>(Q + 3 + 3 * k));
    return w;
  }

  /// ½ (e·e − 1) of the three vectors, then their products x·y, y·z, z·x.
  static void own_rows(const BodyState& b, double* phi, double* rate, double* gamma, double* D) {
    for (int k = 0; k < 3; ++k) {
      const Vec<3> e = b.A.col(k), de = b.dA.col(k);
      phi[k] = 0.5 * (e.squaredNorm() - 1);
      rate[k] = e.dot(de);
      gamma[k] = -de.squaredNorm();
      Eigen::Map<Vec<3>>(D + columns * k + 3 + 3 * k) = e;

      const int l = (k + 1) % 3, row = 3 + k;
      const Vec<3> f = b.A.col(l), df = b.dA.col(l);
      phi[row] = e.dot(f);
      rate[row] = e.dot(df) + f.dot(de);
      gamma[row] = -2 * de.dot(df);
      Eigen::Map<Vec<3>>(D + columns * row + 3 + 3 * k) = f;
      Eigen::Map<Vec<3>>(D + columns * row + 3 + 3 * l) = e;
    }
  }

  static void rates(const double*, const double* u, double* dq) { std::copy(u, u + 12, dq); }
  static void move(double* q, const double* du) {
    for (int k = 0; k < 12; ++k) q[k] += du[k];
  }
  static void tidy(double*) {}
  static void write(const RigidBody& b, double* q, double* u) {
    double body_q[7], body_u[6];
    Body<3>::write(b, body_q, body_u);
    from_body(body_q, body_u, q, u);
  }
  /// The second moments of the body, P = ½ tr(J) 1 − J, weigh its vectors:  T = ½ m v·v + ½ Σ P_kl ė_k·ė_l.
  static Eigen::Matrix<double, 12, 12> mass(const RigidBody& b) {
    const Eigen::Matrix3d I = Eigen::Matrix3d::Identity(), P = 0.5 * b.inertia.trace() * I - b.inertia;
    Eigen::Matrix<double, 12, 12> M = Eigen::Matrix<double, 12, 12>::Zero();
    M.topLeftCorner<3, 3>() = b.mass * I;
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) M.block<3, 3>(3 + 3 * k, 3 + 3 * l) = P(k, l) * I;
    return M;
  }

  static Body<3>::BodyState as_body(const BodyState& b) {
    const Quaternion p = turn_of(b);
    return {b.r, b.v, b.A, b.A.transpose() * b.W, b.W, {p.w(), p.x(), p.y(), p.z()}};
  }
  static void to_body(const BodyState& b, double* q, double* u) {
    const Quaternion p = turn_of(b);
    Eigen::Map<Vec<3>>{q} = b.r;
    q[3] = p.w(), q[4] = p.x(), q[5] = p.y(), q[6] = p.z();
    Eigen::Map<Vec<3>>{u} = b.v;
    Eigen::Map<Vec<3>>{u + 3} = b.A.transpose() * b.W;
  }
  static void from_body(const double* body_q, const double* body_u, double* q, double* u) {
    Body<3>::BodyState m;
    Body<3>::unpack(body_q, body_u, m);
    Eigen::Map<Vec<3>>{q} = m.r;
    Eigen::Map<Vec<3>>{u} = m.v;
    for (int k = 0; k < 3; ++k) {
      Eigen::Map<Vec<3>>{q + 3 + 3 * k} = m.A.col(k);
      Eigen::Map<Vec<3>>{u + 3 + 3 * k} = m.W.cross(m.A.col(k));
    }
  }
  static void count_from(const double* body_q, BodyState& b) {
    b.last = Quaternion(body_q[3], body_q[4], body_q[5], body_q[6]);
  }

  /// ω̇ in body axes from ω_x = ½ (e_z·ė_y − e_y·ė_z) and so on.
  template <class Write> static void observe(const BodyState& b, const double* a, Write&& write) {
    double du[6] = {a[0], a[1], a[2]};
    for (int x = 0; x < 3; ++x) {
      const int y = (x + 1) % 3, z = (x + 2) % 3;
      du[3 + x] = 0.5 * (b.A.col(z).dot(Vec<3>(a + 3 + 3 * y)) - b.A.col(y).dot(Vec<3>(a + 3 + 3 * z)));
    }
    Body<3>::observe(as_body(b), du, write);
  }
  static double state(const BodyState& b, const Vec<3>& s, StateVariable::Quantity quantity) {
    return Body<3>::state(as_body(b), s, quantity);
  }
  static constexpr const char *orientation_unit = "1", *turning_unit = "1/s";
  static constexpr std::array coordinate_names{"x",   "y",   "z",   "exx", "exy", "exz",
                                               "eyx", "eyy", "eyz", "ezx", "ezy", "ezz"};
  static constexpr std::array displacement_names = coordinate_names;
  static constexpr std::array velocity_names{"vx",   "vy",   "vz",   "vexx", "vexy", "vexz",
                                             "veyx", "veyy", "veyz", "vezx", "vezy", "vezz"};

 private:
  MUBODY_INLINE static Vec<3> along(const Eigen::Matrix3d& A, const Vec<3>& s) {
    Vec<3> u;
    for (int k = 0; k < 3; ++k) u[k] = A(k, 0) * s[0] + A(k, 1) * s[1] + A(k, 2) * s[2];
    return u;
  }
  /// Euler parameters of the axes, with the sign that is nearer to the last ones.
  static Quaternion turn_of(const BodyState& b) {
    Quaternion p(b.A);
    p.normalize();
    if (p.dot(b.last) < 0) p.coeffs() *= -1;
    return p;
  }
};
}  // namespace mubody
