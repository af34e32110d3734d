#include "mubody/system/system.h"

#include <algorithm>
#include <cmath>

namespace mubody {
namespace {
/// The largest size of numbers, apart for lengths and for all others, and the sum of sizes, which is not a number if one of
/// them is not.
struct Largest {
  double length = 0, angle = 0, sum = 0;

  Largest() = default;
  Largest(const double* x, Eigen::Index count, const System::Measured* kinds) {
    for (Eigen::Index k = 0; k < count; ++k) add(x[k], kinds[k]);
  }
  void add(double x, System::Measured kind) {
    const double size = std::abs(x);
    if (kind == System::Measured::length)
      length = std::max(length, size);
    else
      angle = std::max(angle, size);
    sum += size;
  }
  /// The larger of both in units of their own.
  double share(double of_length, double of_angle) const {
    return std::isnan(sum) ? sum : std::max(length / of_length, angle / of_angle);
  }
};

// The largest size in units of its own, four numbers at a time: every accepted step asks for it.
double largest_share(const double* x, const VecX& units) {
  const Eigen::Index whole = units.size() - units.size() % 4;
  Eigen::Array4d most = Eigen::Array4d::Zero(), sum = most;
  for (Eigen::Index k = 0; k < whole; k += 4) {
    const Eigen::Array4d shares = Eigen::Array4d::Map(x + k).abs() / Eigen::Array4d::Map(units.data() + k);
    most = most.max(shares);
    sum += shares;
  }
  double largest = most.maxCoeff(), all = sum.sum();
  for (Eigen::Index k = whole; k < units.size(); ++k) {
    const double share = std::abs(x[k]) / units[k];
    largest = std::max(largest, share);
    all += share;
  }
  return std::isnan(all) ? all : largest;
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
  const Largest largest(q.data(), q.size(), kinds_.data());
  return {std::max(1.0, largest.length / scales.length), std::max(1.0, largest.angle)};
}

double System::gap(const In& phi, const Room& room) const {
  if (room.length == 1 && room.angle == 1) return largest_share(phi.data(), row_units);
  const Largest largest(phi.data(), phi.size(), measures.data());
  return largest.share(scales.length * room.length, room.angle);
}

double System::distance(const In& p, const In& q, const Room& room) const {
  Largest largest;
  for (Eigen::Index k = 0; k < q.size(); ++k) largest.add(p[k] - q[k], kinds_[std::size_t(k)]);
  return largest.share(scales.length * room.length, room.angle);
}

void System::scale(MatX& D) const {
  for (Eigen::Index k = 0; k < D.cols(); ++k)
    for (Eigen::Index r = 0; r < D.rows(); ++r) D(r, k) *= units[k] / row_units[r];
}
}  // namespace mubody
