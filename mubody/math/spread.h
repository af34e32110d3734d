#pragma once
// The spread of a few vectors with up to three components: numbers, or lanes of numbers.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mubody/math/inlining.h"

namespace mubody {
inline double smaller(double a, double b) { return std::min(a, b); }
inline double larger(double a, double b) { return std::max(a, b); }
inline double root(double a) { return std::sqrt(a); }

template <class Real> class Spread {
 public:
  MUBODY_INLINE explicit Spread(bool with_zero) {
    const double none = with_zero ? 0 : std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) low_[k] = Real(none), high_[k] = Real(-none);
  }
  MUBODY_INLINE void add(const Real* v, int n) {
    for (int k = 0; k < n; ++k) low_[k] = smaller(low_[k], v[k]), high_[k] = larger(high_[k], v[k]);
  }
  MUBODY_INLINE Real size(int n) const {
    Real sum(0);
    for (int k = 0; k < n; ++k) sum += (high_[k] - low_[k]) * (high_[k] - low_[k]);
    return root(sum);
  }

 private:
  Real low_[3], high_[3];
};
}  // namespace mubody
