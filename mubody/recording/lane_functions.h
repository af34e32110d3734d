#pragma once
// Functions of vectors, number by number, with errors of about the round-off of the result.  Coefficients are those of the
// Cephes library (S. L. Moshier 1984-2000) if nothing else is said.
//
//   docs/theory/recording.md#tape
#include <cstdint>

#include "mubody/math/inlining.h"

// GCC warns that vectors are passed by value in different ways with and without AVX; only inlined functions do so here.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace mubody {
/// Vectors of doubles and of whole numbers.
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

template <int bytes> struct LaneFunctions {
  using V = typename LaneVector<bytes>::Number;
  using Mask = typename LaneVector<bytes>::Mask;
  // The sum of this and a number below 2^51 is rounded to a whole number, which then stands in the last bits.
  static constexpr double rounder = 0x1.8p52;

  MUBODY_INLINE static V size(const V& x) { return (V)((Mask)x & INT64_MAX); }
  MUBODY_INLINE static Mask sign(const V& x) { return (Mask)x & INT64_MIN; }

  /// The nearest multiple of π/2 is subtracted from the angle, which then lies within ±π/4, where polynomials of degree
  /// 13 and 14 are exact to round-off; the coefficients are those of fdlibm (Sun Microsystems 1993).  Angles of at most
  /// `largest_angle`.
  static constexpr double largest_angle = 1e6;  // [rad]
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

  /// The angle of a point whose coordinates are finite.  The smaller coordinate by the larger one is below 1; from 0.66 on
  /// 45° are subtracted, and a quotient of polynomials has the rest.
  MUBODY_INLINE static void atan2(const V& y, const V& x, V& angle) {
    constexpr double quarter = 0x1.921fb54442d18p-1, rest = 3.061616997868383e-17;  // π/4 = quarter + rest
    const V a = size(y), b = size(x);
    const Mask steep = b < a;
    const V low = steep ? b : a, high = steep ? a : b;
    const Mask large = low > 0.66 * high;
    const V above = large ? low - high : low, below = large ? low + high : high;
    const V t = above / (below == 0 ? V{} + 1 : below), z = t * t;
    const V p =
        (((-8.750608600031904122785e-1 * z - 1.615753718733365076637e1) * z - 7.500855792314704667340e1) * z -
         1.228866684490136173410e2) *
            z -
        6.485021904942025371773e1;
    const V q =
        ((((z + 2.485846490142306297962e1) * z + 1.650270098316988542046e2) * z + 4.328810604912902668951e2) *
             z +
         4.853903996359136964868e2) *
            z +
        1.945506571482613964425e2;
    V r = t * (z * p / q) + t;
    r = large ? (r + rest) + quarter : r;
    r = steep ? 2 * quarter - (r - 2 * rest) : r;
    r = (Mask)x < 0 ? 4 * quarter - (r - 4 * rest) : r;
    angle = (V)((Mask)r | sign(y));
  }

  /// x − n y for the nearest whole n, which is at most `largest_quotient`.  The divisor is taken in two parts, of which the
  /// first has so few digits that its product with n is exact.
  static constexpr double largest_quotient = 1 << 20;
  MUBODY_INLINE static void remainder(const V& x, const V& y, V& r) {
    constexpr std::int64_t first_digits = ~std::int64_t((1 << 26) - 1);
    const V n = (x / y + rounder) - rounder, high = (V)((Mask)y & first_digits);
    r = (x - n * high) - n * (y - high);
  }

  /// Up to `largest_exponent`; what is smaller than all numbers of full precision is zero.
  static constexpr double largest_exponent = 708;
  MUBODY_INLINE static void exp(const V& x, V& r) {
    constexpr double log2_e = 1.4426950408889634, ln2_1 = 6.93145751953125e-1,
                     ln2_2 = 1.42860682030941723212e-6;
    const Mask tiny = x < -largest_exponent;
    const V in = tiny ? V{} : x;
    const V shifted = in * log2_e + rounder, n = shifted - rounder;
    const V s = (in - n * ln2_1) - n * ln2_2, z = s * s;
    const V p =
        s * ((1.26177193074810590878e-4 * z + 3.02994407707441961300e-2) * z + 9.99999999999999999910e-1);
    const V q =
        ((3.00198505138664455042e-6 * z + 2.52448340349684104192e-3) * z + 2.27265548208155028766e-1) * z + 2;
    const V value = 1 + 2 * (p / (q - p));
    // The whole number of doublings goes to the exponent.
    r = tiny ? V{} : (V)((Mask)value + ((Mask)shifted << 52));
  }
};
}  // namespace mubody
