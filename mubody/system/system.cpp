#include "mubody/system/system.h"

#include <algorithm>
#include <cmath>

#include "mubody/math/finite.h"

namespace mubody {
namespace {
double larger_share(double length, double angle) {
  keep_largest(length, angle);
  return length;
}
}  // namespace

void System::take_scales(const Scales& s) {
  scales = s;
  kinds_.clear();
  for (const Name& name : coordinates) kinds_.push_back(name.measured);
  measures.resize(std::size_t(m), Measured::orientation);  // the bodies' own equations come last
  units.setOnes(nu);
  row_units.setOnes(m);
  for (int k = 0; k < nu; ++k)
    if (!turns[std::size_t(k)]) units[k] = s.length;
  for (int r = 0; r < m; ++r)
    if (measures[std::size_t(r)] == Measured::length) row_units[r] = s.length;
}

System::Room System::room(const In& q) const {
  double length = 0, angle = 0;
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    double& largest = kinds_[std::size_t(k)] == Measured::length ? length : angle;
    largest = std::max(largest, std::abs(q[k]));
  }
  return {std::max(1.0, length / scales.length), std::max(1.0, angle)};
}

double System::gap(const In& phi, const Room& room) const {
  double length = 0, angle = 0;
  for (Eigen::Index r = 0; r < phi.size(); ++r)
    keep_largest(measures[std::size_t(r)] == Measured::length ? length : angle, std::abs(phi[r]));
  return larger_share(length / (scales.length * room.length), angle / room.angle);
}

double System::distance(const In& p, const In& q, const Room& room) const {
  double length = 0, angle = 0;
  for (Eigen::Index k = 0; k < q.size(); ++k)
    keep_largest(kinds_[std::size_t(k)] == Measured::length ? length : angle, std::abs(p[k] - q[k]));
  return larger_share(length / (scales.length * room.length), angle / room.angle);
}

void System::scale(MatX& D) const {
  for (Eigen::Index k = 0; k < D.cols(); ++k)
    for (Eigen::Index r = 0; r < D.rows(); ++r) D(r, k) *= units[k] / row_units[r];
}
}  // namespace mubody
