#pragma once
// A number of several mechanisms side by side: lane k belongs to the k-th mechanism.  All operations work lane
// by lane, and no lane sees another, so that a mechanism gets the same digits whatever runs beside it.
//
//   docs/theory/lanes.md
//
// It consists of two vectors of four, made with extensions of the compiler as in math/lanes.h, where the lanes
// are rows of one mechanism.  Compilers do badly with vectors wider than those of the processor; two of them
// keep the processor busy while it waits for results.
#include <cstdint>

#include "mubody/math/lanes.h"

// GCC warns that lanes are passed by value in different ways with and without AVX; only inlined functions do so
// here.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace mubody {
typedef std::int64_t QuadMask __attribute__((vector_size(32), aligned(8), may_alias));

/// Yes or no for each lane: all bits are set, or none.
struct LaneMask {
  QuadMask low, high;

  LaneMask() = default;
  MUBODY_INLINE LaneMask(const QuadMask& a, const QuadMask& b) : low(a), high(b) {}
  MUBODY_INLINE LaneMask(const LaneMask& o) { low = o.low, high = o.high; }
  MUBODY_INLINE LaneMask& operator=(const LaneMask& o) { return low = o.low, high = o.high, *this; }
  MUBODY_INLINE bool operator[](int k) const { return (k < 4 ? low[k] : high[k - 4]) != 0; }
  MUBODY_INLINE void set(int k, bool yes) { reinterpret_cast<std::int64_t*>(this)[k] = yes ? -1 : 0; }
  MUBODY_INLINE LaneMask operator&(const LaneMask& o) const { return {low & o.low, high & o.high}; }
  MUBODY_INLINE LaneMask operator|(const LaneMask& o) const { return {low | o.low, high | o.high}; }
  MUBODY_INLINE LaneMask operator~() const { return {~low, ~high}; }
  MUBODY_INLINE LaneMask& operator&=(const LaneMask& o) { return *this = *this & o; }
  MUBODY_INLINE LaneMask& operator|=(const LaneMask& o) { return *this = *this | o; }
};

struct LaneReal {
  static constexpr int lanes = 8;
  Quad low, high;

  LaneReal() = default;
  // It is copied as vectors.  Plain memory would be copied in smaller pieces, and a processor waits long for a
  // wide load of what has just been stored in pieces.
  MUBODY_INLINE LaneReal(const LaneReal& o) { low = o.low, high = o.high; }
  MUBODY_INLINE LaneReal& operator=(const LaneReal& o) { return low = o.low, high = o.high, *this; }
  MUBODY_INLINE LaneReal(const Quad& a, const Quad& b) : low(a), high(b) {}
  /// The same number in all lanes.
  MUBODY_INLINE LaneReal(double x) : low{x, x, x, x}, high{x, x, x, x} {}

  MUBODY_INLINE double operator[](int k) const { return k < 4 ? low[k] : high[k - 4]; }
  MUBODY_INLINE double& operator[](int k) { return reinterpret_cast<double*>(this)[k]; }
  MUBODY_INLINE LaneReal operator-() const { return {-low, -high}; }
  MUBODY_INLINE LaneReal& operator+=(const LaneReal& o) { return low += o.low, high += o.high, *this; }
  MUBODY_INLINE LaneReal& operator-=(const LaneReal& o) { return low -= o.low, high -= o.high, *this; }
  MUBODY_INLINE LaneReal& operator*=(const LaneReal& o) { return low *= o.low, high *= o.high, *this; }
  MUBODY_INLINE friend LaneReal operator+(const LaneReal& a, const LaneReal& b) {
    return {a.low + b.low, a.high + b.high};
  }
  MUBODY_INLINE friend LaneReal operator-(const LaneReal& a, const LaneReal& b) {
    return {a.low - b.low, a.high - b.high};
  }
  MUBODY_INLINE friend LaneReal operator*(const LaneReal& a, const LaneReal& b) {
    return {a.low * b.low, a.high * b.high};
  }
  MUBODY_INLINE friend LaneReal operator/(const LaneReal& a, const LaneReal& b) {
    return {a.low / b.low, a.high / b.high};
  }
  MUBODY_INLINE friend LaneMask operator<(const LaneReal& a, const LaneReal& b) {
    return {a.low < b.low, a.high < b.high};
  }
  MUBODY_INLINE friend LaneMask operator<=(const LaneReal& a, const LaneReal& b) {
    return {a.low <= b.low, a.high <= b.high};
  }
  MUBODY_INLINE friend LaneMask operator==(const LaneReal& a, const LaneReal& b) {
    return {a.low == b.low, a.high == b.high};
  }
  MUBODY_INLINE friend LaneMask operator>(const LaneReal& a, const LaneReal& b) { return b < a; }
  MUBODY_INLINE friend LaneMask operator>=(const LaneReal& a, const LaneReal& b) { return b <= a; }
};

MUBODY_INLINE bool any(const LaneMask& m) {
  const QuadMask both = m.low | m.high;
  return (both[0] | both[1] | both[2] | both[3]) != 0;
}
/// a in the lanes where the mask is true, b in the others.
MUBODY_INLINE LaneReal choose(const LaneMask& m, const LaneReal& a, const LaneReal& b) {
  return {m.low ? a.low : b.low, m.high ? a.high : b.high};
}
MUBODY_INLINE LaneReal larger(const LaneReal& a, const LaneReal& b) { return choose(a > b, a, b); }
MUBODY_INLINE LaneReal smaller(const LaneReal& a, const LaneReal& b) { return choose(a < b, a, b); }
MUBODY_INLINE LaneReal magnitude(const LaneReal& a) {
  constexpr std::int64_t all_but_sign = INT64_MAX;
  return {(Quad)((QuadMask)a.low & all_but_sign), (Quad)((QuadMask)a.high & all_but_sign)};
}
MUBODY_INLINE LaneReal root(const LaneReal& a) {
  LaneReal r;
  for (int k = 0; k < LaneReal::lanes; ++k) r[k] = __builtin_sqrt(a[k]);
  return r;
}

namespace lane {
// The sum of this and a number below 2^51 is rounded to a whole number, which then stands in the last bits.
inline constexpr double rounder = 0x1.8p52;
// π/2 in three parts; the first two have 33 bits, so that their products with whole numbers below 2^20 are
// exact.
inline constexpr double half_pi_1 = 0x1.921fb544p0, half_pi_2 = 0x1.0b4611a6p-34,
                        half_pi_3 = 0x1.3198a2e037073p-69;
inline constexpr double two_by_pi = 0x1.45f306dc9c883p-1;

MUBODY_INLINE void sine_cosine(const Quad& x, Quad& sine, Quad& cosine) {
  const Quad shifted = x * two_by_pi + rounder;
  const Quad k = shifted - rounder;
  const QuadMask quarter = (QuadMask)shifted;
  const Quad r = ((x - k * half_pi_1) - k * half_pi_2) - k * half_pi_3;
  const Quad z = r * r;
  constexpr double s3 = -1. / 6, s5 = 1. / 120, s7 = -1. / 5040, s9 = 1. / 362880, s11 = -1. / 39916800,
                   s13 = 1. / 6227020800, s15 = -1. / 1307674368000, s17 = 1. / 355687428096000;
  constexpr double c2 = -1. / 2, c4 = 1. / 24, c6 = -1. / 720, c8 = 1. / 40320, c10 = -1. / 3628800,
                   c12 = 1. / 479001600, c14 = -1. / 87178291200, c16 = 1. / 20922789888000;
  const Quad s =
      r + r * z * (s3 + z * (s5 + z * (s7 + z * (s9 + z * (s11 + z * (s13 + z * (s15 + z * s17)))))));
  const Quad c = 1 + z * (c2 + z * (c4 + z * (c6 + z * (c8 + z * (c10 + z * (c12 + z * (c14 + z * c16)))))));
  const QuadMask odd = (quarter & 1) != 0;
  sine = (Quad)((QuadMask)(odd ? c : s) ^ ((quarter & 2) << 62));
  cosine = (Quad)((QuadMask)(odd ? s : c) ^ (((quarter + 1) & 2) << 62));
}
}  // namespace lane

/// sine_cosine() does not take angles beyond this [rad].
inline constexpr double largest_lane_angle = 1e6;

/// Sine and cosine, with errors of about the round-off of 1.  The nearest multiple of π/2 is subtracted from
/// the angle, which then lies within ±π/4; Taylor series to the 17th and 16th power are exact to round-off
/// there.
MUBODY_INLINE void sine_cosine(const LaneReal& x, LaneReal& sine, LaneReal& cosine) {
  lane::sine_cosine(x.low, sine.low, cosine.low);
  lane::sine_cosine(x.high, sine.high, cosine.high);
}
}  // namespace mubody
