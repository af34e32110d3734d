#pragma once
// Body coordinates.  Plane: q = (x, y, φ) and velocities u = q̇ per body.
//
//   Flores & Lankarani (2012), sec. 3; Nikravesh (1988), ch. 4        docs/theory/body-coordinates.md
//
// A formulation answers two questions: where is a point of a body, and where does the body carry an arm s
// fixed in it.  Points, directions, joints and forces all follow from these.  The origin of a body is its
// centre of mass, so that the mass matrix is constant and block diagonal.
#include "mubody/kinematics/frame.h"
#include "mubody/mechanism/mechanism.h"

namespace mubody {
template <int D> struct Body;

template <> struct Body<2> {
  static constexpr int dim = 2;
  static constexpr int columns = 3;      // velocities per body
  static constexpr int coordinates = 3;  // positions per body

  /// Position and motion of one body at an instant; sine and cosine are taken once.
  struct Motion {
    Vec<2> r = Vec<2>::Zero(), v = Vec<2>::Zero();
    double c = 1, s = 0, angle = 0, w = 0;
  };
  static Motion motion(const double* q, const double* u) {
    return {{q[0], q[1]}, {u[0], u[1]}, std::cos(q[2]), std::sin(q[2]), q[2], u[2]};
  }

  template <Side S> using Vector = Carried<2, S == Side::i ? 3 : 0, S == Side::j ? 3 : 0>;
  template <Side S> using Number = Scalar<S == Side::i ? 3 : 0, S == Side::j ? 3 : 0>;

  static Vec<2> turned(const Motion& b, const Vec<2>& s) {
    return {b.c * s.x() - b.s * s.y(), b.s * s.x() + b.c * s.y()};
  }

  /// A s for an arm s fixed in the body.
  template <Side S> static Vector<S> arm(const Motion& b, const Vec<2>& s) {
    const Vec<2> u = turned(b, s), n = perp(u);
    Vector<S> p{u, b.w * n, -b.w * b.w * u, {}, {}};
    auto& J = own<S>(p);
    J << 0, 0, n.x(), 0, 0, n.y();
    return p;
  }
  /// r + A s for the point s of the body.
  template <Side S> static Vector<S> point(const Motion& b, const Vec<2>& s) {
    const Vec<2> u = turned(b, s), n = perp(u);
    Vector<S> p{b.r + u, b.v + b.w * n, -b.w * b.w * u, {}, {}};
    auto& J = own<S>(p);
    J << 1, 0, n.x(), 0, 1, n.y();
    return p;
  }
  /// φ + offset.
  template <Side S> static Number<S> angle(const Motion& b, double offset) {
    Number<S> p{b.angle + offset, b.w, 0, {}, {}};
    own<S>(p) << 0, 0, 1;
    return p;
  }

  /// Generalized force of a force F at the point s and a moment M, both in global axes; added to Q.
  static void push(const Motion& b, const Vec<2>& s, const Vec<2>& F, const Vec<1>& M, double* Q) {
    const Vec<2> u = turned(b, s);
    Q[0] += F.x();
    Q[1] += F.y();
    Q[2] += M[0] + u.x() * F.y() - u.y() * F.x();
  }
  /// The force and the moment about the body's origin that a generalized force stands for.
  struct Wrench {
    Vec<2> force;
    Vec<1> moment;
  };
  static Wrench wrench(const Motion&, const double* Q) { return {{Q[0], Q[1]}, Vec<1>(Q[2])}; }

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
  /// Velocity-dependent inertia terms on the right-hand side; none in the plane.
  static void gyroscopic(const RigidBody&, const Motion&, double*) {}

 private:
  template <Side S, class T> static auto& own(T& p) {
    if constexpr (S == Side::i)
      return p.Ji;
    else
      return p.Jj;
  }
};
}  // namespace mubody
