#include "mubody/lanes/numbers.h"

#include <cstdint>

// Inlined elsewhere they would not be compiled for wide vectors.
#define NOT_INLINED MUBODY_CLONES [[gnu::noinline]]

namespace mubody::lanes {
NOT_INLINED void add(const double* y, const Term* terms, int count, int n, double* sum) {
  for (int k = 0; k < n; ++k) {
    double x[W];
    for (int l = 0; l < W; ++l) x[l] = y[k * W + l];
    for (int j = 0; j < count; ++j) {
      const double *w = terms[j].weight.data(), *of = terms[j].k + k * W;
      for (int l = 0; l < W; ++l) x[l] += w[l] * of[l];
    }
    for (int l = 0; l < W; ++l) sum[k * W + l] = x[l];
  }
}

NOT_INLINED void add_compensated(const double* y, int n, double* y1, double* more) {
  for (int k = 0; k < n * W; ++k) {
    y1[k] = y[k] + more[k];
    more[k] -= y1[k] - y[k];
  }
}

NOT_INLINED void take(const Mask& which, const double* from, int n, double* to) {
  using Bits = std::uint64_t __attribute__((may_alias));
  Bits mask[W];
  for (std::size_t l = 0; l < W; ++l) mask[l] = which[l] ? ~Bits(0) : Bits(0);
  const auto* const a = reinterpret_cast<const Bits*>(from);
  auto* const b = reinterpret_cast<Bits*>(to);
  for (int k = 0; k < n * W; k += W)
    for (int l = 0; l < W; ++l) b[k + l] = (a[k + l] & mask[l]) | (b[k + l] & ~mask[l]);
}

NOT_INLINED void finite(const double* x, int n, Row& none) {
  none.fill(0);
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < W; ++l) none[std::size_t(l)] += x[k * W + l] - x[k * W + l];
}

NOT_INLINED void largest(const Allowed& a, const double* x, const double* y, const double* z, int n,
                         Row& worst) {
  worst.fill(0);
  for (int k = 0; k < n * W; k += W)
    for (int l = 0; l < W; ++l) {
      const double size = std::max(std::abs(y[k + l]), std::abs(z[k + l]));
      const double share =
          std::abs(x[k + l]) / allowed_error(a.absolute[k + l], a.relative[l], size, a.most[k + l]);
      worst[std::size_t(l)] = share <= worst[std::size_t(l)] ? worst[std::size_t(l)] : share;
    }
}

NOT_INLINED void largest(const Allowed& a, const double* y, int n, Row& worst) {
  worst.fill(0);
  for (int k = 0; k < n * W; k += W)
    for (int l = 0; l < W; ++l) {
      const double size = std::abs(y[k + l]);
      const double share =
          std::min(size, a.most[k + l]) / allowed_error(a.absolute[k + l], a.relative[l], size, a.most[k + l]);
      worst[std::size_t(l)] = share <= worst[std::size_t(l)] ? worst[std::size_t(l)] : share;
    }
}

NOT_INLINED void largest_of(const std::vector<bool>& lengths, const double* x, Row& length, Row& angle) {
  length.fill(0), angle.fill(0);
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    Row& most = lengths[k] ? length : angle;
    for (int l = 0; l < W; ++l) {
      const double size = std::abs(x[k * W + std::size_t(l)]);
      most[std::size_t(l)] = size <= most[std::size_t(l)] ? most[std::size_t(l)] : size;
    }
  }
}
}  // namespace mubody::lanes
