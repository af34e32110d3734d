#pragma once
// A few numbers side by side, as processors add and multiply them: one row of a small block.  Rows are padded to an
// even number, three to four.  Vector extensions of the compiler let one text serve every processor.
//
// Numbers loaded as lanes must have been stored as lanes: processors wait long for a wide load of numbers that
// were stored one by one a moment ago.  The other way round is free, and gather() takes single numbers.
#include <type_traits>

#include "mubody/math/inlining.h"

namespace mubody {
typedef double Quad __attribute__((vector_size(32), aligned(8), may_alias));
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

/// The numbers that a row of `size` takes in memory.
constexpr int padded(int size) { return size == 3 ? 4 : size + size % 2; }

constexpr int most_lanes = 6;     // rows of a node
constexpr int most_columns = 12;  // velocities of a body

/// Calls f with the size as a compile-time number: `Known` if not zero, since all then have that size.
template <int Known = 0, class F> MUBODY_INLINE void with_size(int size, F&& f) {
  if constexpr (Known > 0) return f(std::integral_constant<int, Known>());
  switch (size) {
    case 1: return f(std::integral_constant<int, 1>());
    case 2: return f(std::integral_constant<int, 2>());
    case 3: return f(std::integral_constant<int, 3>());
    case 4: return f(std::integral_constant<int, 4>());
    case 5: return f(std::integral_constant<int, 5>());
    default: return f(std::integral_constant<int, most_lanes>());
  }
}

/// With `last`, numbers beyond it may be left out, as most of the first rows of a triangle are.
template <int N> struct Lanes {
  static constexpr bool quad = padded(N) >= 4, pair = padded(N) % 4 == 2;
  static constexpr int rest = quad ? 4 : 0;  // where the pair is
  Quad q;
  Pair p;

  MUBODY_INLINE void load(const double* x, int last = N) {
    if constexpr (quad) q = *reinterpret_cast<const Quad*>(x);
    if (pair && last >= rest) p = *reinterpret_cast<const Pair*>(x + rest);
  }
  MUBODY_INLINE void store(double* x, int last = N) const {
    if constexpr (quad) *reinterpret_cast<Quad*>(x) = q;
    if (pair && last >= rest) *reinterpret_cast<Pair*>(x + rest) = p;
  }
  /// Takes every `step`th number, and zeros where the row is padded.
  MUBODY_INLINE void gather(const double* x, int step) {
    if constexpr (quad) {
      const Pair low{x[0], x[step]}, high{x[2 * step], N == 3 ? 0 : x[(N == 3 ? 0 : 3) * step]};
      q = __builtin_shufflevector(low, high, 0, 1, 2, 3);
    }
    if constexpr (pair) p = Pair{x[rest * step], N % 2 ? 0 : x[(N % 2 ? 0 : rest + 1) * step]};
  }
  MUBODY_INLINE double operator[](int k) const { return quad && k < 4 ? q[k % 4] : p[(k - rest) % 2]; }
  MUBODY_INLINE void zero() { q = Quad{}, p = Pair{}; }
  MUBODY_INLINE void scale(double s) {
    if constexpr (quad) q *= s;
    if constexpr (pair) p *= s;
  }
  /// += s x
  MUBODY_INLINE void add(double s, const Lanes& x, int last = N) {
    if constexpr (quad) q += s * x.q;
    if (pair && last >= rest) p += s * x.p;
  }
  /// −= s x
  MUBODY_INLINE void subtract(double s, const Lanes& x, int last = N) {
    if constexpr (quad) q -= s * x.q;
    if (pair && last >= rest) p -= s * x.p;
  }
};

/// T += D E for a block of H rows; column(p, e) takes a column of E, of which there are C, or `width` if C is zero.  For a
/// block with itself the lower half is enough.
template <int C, int H, bool whole, class Column>
MUBODY_INLINE void add_product(const double* D, const Column& column, double* T, int rows, int width,
                               bool first) {
  const int columns = C > 0 ? C : width;
#pragma GCC unroll 6
  for (int a = 0; a < (whole ? rows : H); ++a) {
    const int last = whole ? H : a;
    Lanes<H> sum, e;
    if (first)
      sum.zero();
    else
      sum.load(T + a * padded(H), last);
#pragma GCC unroll 6
    for (int p = 0; p < columns; ++p) {
      column(p, e);
      sum.add(D[a * columns + p], e, last);
    }
    sum.store(T + a * padded(H), last);
  }
}
}  // namespace mubody
