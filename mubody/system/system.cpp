#include "mubody/system/system.h"

#include <algorithm>
#include <cmath>

#include "mubody/math/lanes.h"

namespace mubody {
namespace {
/// The largest size of numbers, apart for lengths and for all others, and the sum of sizes, which is not a number if one of
/// them is not.
struct Largest {
  double length = 0, angle = 0, sum = 0;

  void add(double x, bool is_length) {
    double& most = is_length ? length : angle;
    most = std::max(most, std::abs(x));
    sum += std::abs(x);
  }
  /// The larger of both in units of their own.
  double share(double of_length, double of_angle) const {
    return std::isnan(sum) ? sum : std::max(length / of_length, angle / of_angle);
  }
};

using Kinds = std::vector<System::Measured>;
typedef int FourKinds __attribute__((vector_size(16), aligned(4), may_alias));
static_assert(sizeof(System::Measured) == sizeof(int));

// Of x, or of its difference from y; four numbers at a time, since every accepted step asks for it.
template <bool differs> MUBODY_INLINE Largest largest_of(const double* x, const double* y, const Kinds& kinds) {
  const std::size_t count = kinds.size(), whole = count - count % 4;
  Quad length{}, angle{}, sum{};
  for (std::size_t k = 0; k < whole; k += 4) {
    Quad v = *reinterpret_cast<const Quad*>(x + k);
    if constexpr (differs) v -= *reinterpret_cast<const Quad*>(y + k);
    const FourKinds kind = *reinterpret_cast<const FourKinds*>(kinds.data() + k);
    const Quad is_length = __builtin_convertvector(kind == int(System::Measured::length), Quad);  // −1 or 0
    const Quad size = v > -v ? v : -v, none{};
    const Quad as_length = is_length < none ? size : none, as_angle = is_length < none ? none : size;
    length = as_length > length ? as_length : length;
    angle = as_angle > angle ? as_angle : angle;
    sum += size;
  }
  Largest all;
  for (int k = 0; k < 4; ++k) {
    all.length = std::max(all.length, length[k]);
    all.angle = std::max(all.angle, angle[k]);
    all.sum += sum[k];
  }
  for (std::size_t k = whole; k < count; ++k)
    all.add(differs ? x[k] - y[k] : x[k], kinds[k] == System::Measured::length);
  return all;
}
MUBODY_CLONES Largest largest_number(const double* x, const Kinds& kinds) {
  return largest_of<false>(x, nullptr, kinds);
}
MUBODY_CLONES Largest largest_difference(const double* x, const double* y, const Kinds& kinds) {
  return largest_of<true>(x, y, kinds);
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
  const Largest largest = largest_number(q.data(), kinds_);
  return {std::max(1.0, largest.length / scales.length), std::max(1.0, largest.angle)};
}

double System::gap(const In& phi, const Room& room) const {
  return largest_number(phi.data(), measures).share(scales.length * room.length, room.angle);
}

double System::distance(const In& p, const In& q, const Room& room) const {
  return largest_difference(p.data(), q.data(), kinds_).share(scales.length * room.length, room.angle);
}

void System::scale(MatX& D) const {
  for (Eigen::Index k = 0; k < D.cols(); ++k)
    for (Eigen::Index r = 0; r < D.rows(); ++r) D(r, k) *= units[k] / row_units[r];
}
}  // namespace mubody
