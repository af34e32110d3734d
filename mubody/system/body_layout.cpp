#include "mubody/system/body_layout.h"

#include <algorithm>
#include <cmath>

#include "mubody/formulations/body.h"

namespace mubody {
namespace {
Vec<4> orientation(const double* q) { return Eigen::Map<const Vec<4>>(q + 3); }

Eigen::Matrix3d cross(const Vec<3>& r) {
  Eigen::Matrix3d R;
  R << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return R;
}
}  // namespace

BodyLayout::BodyLayout(int dim) : lengths(dim) {
  const auto take = [this]<int D>(Body<D>) {
    static_assert(Body<D>::coordinates <= most_coordinates);
    coordinates = Body<D>::coordinates, velocities = Body<D>::columns;
    coordinate_names = Body<D>::coordinate_names, velocity_names = Body<D>::velocity_names;
  };
  if (in_plane()) {
    take(Body<2>{});
  } else {
    take(Body<3>{});
    turning = 2;
  }
}

Pose BodyLayout::pose(const double* q) const {
  if (in_plane()) return {Vec<3>(q[0], q[1], 0), turn_about_z(q[2]), q[2]};
  return {Vec<3>(q), Quaternion(q[3], q[4], q[5], q[6]).normalized(), 0};
}

Pose BodyLayout::pose(const In& q, int body) const {
  return body == ground ? Pose{} : pose(q.data() + first_coordinate(body));
}

void BodyLayout::tidy(double* q) const {
  if (!in_plane()) Body<3>::tidy(q);
}

// In space twice the part of the change of the Euler parameters that is normal to them.
double BodyLayout::turn(const double* q, const double* change) const {
  if (in_plane()) return std::abs(change[2]);
  const Vec<4> p = orientation(q), d = orientation(change);
  const double along = d.dot(p);
  return turning * std::sqrt(std::max(0.0, d.squaredNorm() - along * along / p.squaredNorm()));
}

MatX BodyLayout::twist(const double* q) const {
  MatX T = MatX::Zero(velocities, velocities);
  if (in_plane()) {
    T << 0, 0, 1, 1, 0, q[1], 0, 1, -q[0];
    return T;
  }
  const Eigen::Matrix3d A = pose(q).turn.toRotationMatrix();
  T.topRightCorner<3, 3>() = A;
  T.bottomLeftCorner<3, 3>().setIdentity();
  T.bottomRightCorner<3, 3>() = cross(Vec<3>(q)) * A;
  return T;
}

VecX BodyLayout::apart(const In& a, const In& b) const {
  const int bodies = int(a.size()) / coordinates;
  VecX d(velocities * bodies);
  for (int body = 1; body <= bodies; ++body) {
    const double *const from = a.data() + first_coordinate(body), *const to = b.data() + first_coordinate(body);
    double* const out = d.data() + first_velocity(body);
    for (int k = 0; k < lengths; ++k) out[k] = to[k] - from[k];
    if (in_plane()) {
      out[2] = wrapped(to[2] - from[2]);
    } else {
      const Vec<4> e = orientation(from), f = orientation(to);
      Quaternion turn = Quaternion(e[0], e[1], e[2], e[3]).conjugate() * Quaternion(f[0], f[1], f[2], f[3]);
      if (turn.w() < 0) turn.coeffs() *= -1;
      Eigen::Map<Vec<3>>{out + 3} = 2 * turn.vec();
    }
  }
  return d;
}

bool BodyLayout::same_place(const In& a, const In& b, double tolerance) const {
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    double d = b[k] - a[k];
    if (k % coordinates >= lengths)  // Euler parameters of both signs are one orientation
      d = in_plane() ? wrapped(d) : std::min(std::abs(d), std::abs(b[k] + a[k]));
    if (std::abs(d) > tolerance * std::max(1.0, std::abs(a[k]))) return false;
  }
  return true;
}

BodyLayout::Round BodyLayout::round(const In& from, const In& to) const {
  constexpr double turn = 2 * EIGEN_PI;
  const auto n = std::size_t(from.size());
  Round r{std::vector<double>(n, 0), std::vector<double>(n, 1)};
  for (int at = lengths; at < int(n); at += coordinates)
    if (in_plane())
      r.turns[std::size_t(at)] = turn * std::round((to[at] - from[at]) / turn);
    else if (from.segment<4>(at).dot(to.segment<4>(at)) < 0)  // all four change their sign, or none
      std::fill_n(r.sign.begin() + at, 4, -1);
  return r;
}

void BodyLayout::take_back(const In& from, const In& to, Out q) const {
  if (in_plane()) q -= to - from;
  for (int at = lengths; !in_plane() && at < int(q.size()); at += coordinates)
    if (from.segment<4>(at).dot(to.segment<4>(at)) < 0) q.segment<4>(at) *= -1;
}
}  // namespace mubody
