#pragma once
// Random numbers that are the same in every run.
#include <cmath>
#include <random>

#include "mubody/math/space.h"

namespace mubody::testing {
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double from = -1, double to = 1) {
    return std::uniform_real_distribution<double>(from, to)(engine_);
  }
  /// Uniform in the logarithm: between 1 and 10 as likely as between 10 and 100.
  double decades(double from, double to) { return std::exp((*this)(std::log(from), std::log(to))); }
  template <int N> Vec<N> vector(double size = 1) {
    return Vec<N>::NullaryExpr([&] { return (*this)(-size, size); });
  }
  VecX vector(int n) {
    return VecX::NullaryExpr(n, [&] { return (*this)(); });
  }

 private:
  std::mt19937 engine_;
};
}  // namespace mubody::testing
