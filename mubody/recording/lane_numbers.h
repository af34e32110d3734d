#pragma once
// What a tape works on: a number of one mechanism, or the same number of many, in vectors of some width.  No lane sees
// another, so that a mechanism gets the same digits whatever runs beside it.
//
//   docs/theory/recording.md#tape
#include <cmath>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "mubody/math/inlining.h"
#include "mubody/recording/graph.h"

// GCC warns that vectors are passed by value in different ways with and without AVX; only inlined functions do so here.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace mubody {
/// One mechanism.
struct OneLane {
  using V = double;
  static constexpr int parts = 1;
  static double choose(double holds, double a, double b) { return holds != 0 ? a : b; }
  static void sine_cosine(const double* x, double* sine, double* cosine) {
    const double angle = *x;
    *sine = std::sin(angle);
    *cosine = std::cos(angle);
  }
  static void index(const NumberTable& t, const double* x, double* r) { *r = piece_of(t, *x); }
  static void fetch(const NumberTable& t, int column, const double* row, double* r) {
    *r = t.numbers[std::size_t(int(*row) * t.columns + column)];
  }
  static void apply(Step s, const double* a, const double* b, double* r) { *r = mubody::apply(s, *a, *b); }
};

template <int bytes> struct LaneVector;
template <> struct LaneVector<16> {
  typedef double Number __attribute__((vector_size(16), may_alias));
  typedef std::int64_t Mask __attribute__((vector_size(16), may_alias));
};
template <> struct LaneVector<32> {
  typedef double Number __attribute__((vector_size(32), may_alias));
  typedef std::int64_t Mask __attribute__((vector_size(32), may_alias));
};
template <> struct LaneVector<64> {
  typedef double Number __attribute__((vector_size(64), may_alias));
  typedef std::int64_t Mask __attribute__((vector_size(64), may_alias));
};

/// Vectors of so many bytes, `count` numbers in all.
template <int bytes, int count> struct ManyLanes {
  using V = typename LaneVector<bytes>::Number;
  using Mask = typename LaneVector<bytes>::Mask;
  static constexpr int width = bytes / 8, parts = count / width;

  MUBODY_INLINE static V choose(const V& holds, const V& a, const V& b) { return holds != 0 ? a : b; }

  static void index(const NumberTable& t, const V* x, V* r) {
    one_by_one([&](int k) { return double(piece_of(t, number(x, k))); }, r);
  }
  static void fetch(const NumberTable& t, int column, const V* row, V* r) {
    const double* numbers = t.numbers.data() + column;
    one_by_one([&](int k) { return numbers[int(number(row, k)) * t.columns]; }, r);
  }
  MUBODY_INLINE static void apply(Step s, const V* a, const V* b, V* r) {
    const auto all = [&](auto&& f) MUBODY_INLINE_LAMBDA {
      for (int k = 0; k < parts; ++k) f(r[k], a[k], b[k]);
    };
    const V one = V{} + 1, zero = V{};
    switch (s) {
      case Step::sqrt: return roots(a, r);
      case Step::abs: return all([&](V& z, const V& x, const V&) { z = size(x); });
      case Step::min: return all([&](V& z, const V& x, const V& y) { z = y < x ? y : x; });
      case Step::max: return all([&](V& z, const V& x, const V& y) { z = x < y ? y : x; });
      case Step::less: return all([&](V& z, const V& x, const V& y) { z = x < y ? one : zero; });
      case Step::less_equal: return all([&](V& z, const V& x, const V& y) { z = x <= y ? one : zero; });
      case Step::negation: return all([&](V& z, const V& x, const V&) { z = x == 0 ? one : zero; });
      case Step::sign:
        return all([&](V& z, const V& x, const V&) { z = (x > 0 ? one : zero) - (x < 0 ? one : zero); });
      case Step::remainder: return remainders(a, b, r);
      default: return apply_one_by_one(s, a, b, r);
    }
  }

  /// Sine and cosine of all.  Angles that are too large for short series are left to the library.
  MUBODY_INLINE static void sine_cosine(const V* x, V* sine, V* cosine) {
    Mask large{};
    for (int k = 0; k < parts; ++k) large |= ~(size(x[k]) <= largest_angle);
    if (any(large)) return sine_cosine_one_by_one(x, sine, cosine);
    for (int k = 0; k < parts; ++k) sine_cosine(x[k], sine[k], cosine[k]);
  }

 private:
  static constexpr double largest_angle = 1e6;  // [rad]
  // The sum of this and a number below 2^51 is rounded to a whole number, which then stands in the last bits.
  static constexpr double rounder = 0x1.8p52;

  MUBODY_INLINE static V size(const V& x) { return (V)((Mask)x & INT64_MAX); }
  MUBODY_INLINE static bool any(const Mask& m) {
    std::int64_t bits = 0;
    for (int k = 0; k < width; ++k) bits |= m[k];
    return bits != 0;
  }

  /// Processors take as long for a root in wide vectors as in pairs, which all of them have.
  MUBODY_INLINE static void roots(const V* a, V* r) {
#ifdef __SSE2__
    for (int k = 0; k < count; k += 2)
      _mm_store_pd(reinterpret_cast<double*>(r) + k,
                   _mm_sqrt_pd(_mm_load_pd(reinterpret_cast<const double*>(a) + k)));
#else
    one_by_one([&](int k) { return std::sqrt(number(a, k)); }, r);
#endif
  }
  /// x − n y for the nearest whole n.  The divisor is taken in two parts, of which the first has so few digits that its
  /// product with n is exact.
  MUBODY_INLINE static void remainders(const V* x, const V* y, V* r) {
    constexpr double largest = 1 << 20;
    constexpr std::int64_t first_digits = ~std::int64_t((1 << 26) - 1);
    Mask large{};
    for (int k = 0; k < parts; ++k) large |= ~(size(x[k] / y[k]) <= largest);
    if (any(large)) return apply_one_by_one(Step::remainder, x, y, r);
    for (int k = 0; k < parts; ++k) {
      const V n = (x[k] / y[k] + rounder) - rounder, high = (V)((Mask)y[k] & first_digits);
      r[k] = (x[k] - n * high) - n * (y[k] - high);
    }
  }

  static double number(const V* x, int k) { return reinterpret_cast<const double*>(x)[k]; }
  /// One number after the other; the result may be written where an argument is.
  template <class F> static void one_by_one(const F& f, V* r) {
    for (int k = 0; k < count; ++k) reinterpret_cast<double*>(r)[k] = f(k);
  }
  // Not part of the loop that runs tapes, so that it stays small.
  [[gnu::noinline]] static void apply_one_by_one(Step s, const V* a, const V* b, V* r) {
    one_by_one([&](int k) { return mubody::apply(s, number(a, k), number(b, k)); }, r);
  }
  [[gnu::noinline]] static void sine_cosine_one_by_one(const V* x, V* sine, V* cosine) {
    for (int k = 0; k < count; ++k) {
      const double angle = number(x, k);
      reinterpret_cast<double*>(sine)[k] = std::sin(angle);
      reinterpret_cast<double*>(cosine)[k] = std::cos(angle);
    }
  }

  /// The nearest multiple of π/2 is subtracted from the angle, which then lies within ±π/4, where polynomials of degree
  /// 13 and 14 are exact to round-off; the coefficients are those of fdlibm (Sun Microsystems 1993).
  MUBODY_INLINE static void sine_cosine(const V& x, V& sine, V& cosine) {
    // π/2 in three parts; the first two have 33 bits, so that their products with whole numbers below 2^20 are exact.
    constexpr double half_pi_1 = 0x1.921fb544p0, half_pi_2 = 0x1.0b4611a6p-34,
                     half_pi_3 = 0x1.3198a2e037073p-69;
    constexpr double two_by_pi = 0x1.45f306dc9c883p-1;
    constexpr double s3 = -1.66666666666666324348e-01, s5 = 8.33333333332248946124e-03,
                     s7 = -1.98412698298579493134e-04, s9 = 2.75573137070700676789e-06,
                     s11 = -2.50507602534068634195e-08, s13 = 1.58969099521155010221e-10;
    constexpr double c4 = 4.16666666666666019037e-02, c6 = -1.38888888888741095749e-03,
                     c8 = 2.48015872894767294178e-05, c10 = -2.75573143513906633035e-07,
                     c12 = 2.08757232129817482790e-09, c14 = -1.13596475577881948265e-11;
    const V shifted = x * two_by_pi + rounder, k = shifted - rounder;
    const Mask quarter = (Mask)shifted;
    const V r = ((x - k * half_pi_1) - k * half_pi_2) - k * half_pi_3, z = r * r;
    const V s = r + r * z * (s3 + z * (s5 + z * (s7 + z * (s9 + z * (s11 + z * s13)))));
    const V c = 1 - z * 0.5 + z * z * (c4 + z * (c6 + z * (c8 + z * (c10 + z * (c12 + z * c14)))));
    const Mask odd = (quarter & 1) != 0;
    sine = (V)((Mask)(odd ? c : s) ^ ((quarter & 2) << 62));
    cosine = (V)((Mask)(odd ? s : c) ^ (((quarter + 1) & 2) << 62));
  }
};
}  // namespace mubody
