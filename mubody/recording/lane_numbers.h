#pragma once
// What a tape works on: a number of one mechanism, or the same number of many, in vectors of some width.  No lane sees
// another, so that a mechanism gets the same digits whatever runs beside it.
//
//   docs/theory/recording.md#tape
#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "mubody/math/inlining.h"
#include "mubody/recording/graph.h"
#include "mubody/recording/lane_functions.h"

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
      case Step::remainder:
        return and_library(s, a, b, r,
                           [&] { all([&](V& z, const V& x, const V& y) { F::remainder(x, y, z); }); });
      case Step::atan2:
        return and_library(s, a, b, r, [&] { all([&](V& z, const V& y, const V& x) { F::atan2(y, x, z); }); });
      case Step::exp:
        return and_library(s, a, b, r, [&] { all([&](V& z, const V& x, const V&) { F::exp(x, z); }); });
      default: return apply_one_by_one(s, a, b, r);
    }
  }

  MUBODY_INLINE static void sine_cosine(const V* x, V* sine, V* cosine) {
    double kept[count];
    const bool beyond = any_beyond(Step::sin, x, x);
    if (beyond) std::memcpy(kept, x, sizeof kept);
    for (int k = 0; k < parts; ++k) F::sine_cosine(x[k], sine[k], cosine[k]);
    if (!beyond) return;
    by_library(Step::sin, kept, kept, sine);
    by_library(Step::cos, kept, kept, cosine);
  }

 private:
  using F = LaneFunctions<bytes>;

  MUBODY_INLINE static V size(const V& x) { return F::size(x); }
  MUBODY_INLINE static double size(double x) { return std::abs(x); }

  /// What must not be larger than limit() if a step is to be done in vectors.
  template <class T> MUBODY_INLINE static void measure(Step s, const T& x, const T& y, T& m) {
    m = s == Step::exp         ? x
        : s == Step::atan2     ? size(x) + size(y)
        : s == Step::remainder ? size(x / y)
                               : size(x);
  }
  MUBODY_INLINE static double limit(Step s) {
    return s == Step::exp         ? F::largest_exponent
           : s == Step::atan2     ? 1e300
           : s == Step::remainder ? F::largest_quotient
                                  : F::largest_angle;
  }
  MUBODY_INLINE static bool any_beyond(Step s, const V* a, const V* b) {
    Mask large{};
    for (int k = 0; k < parts; ++k) {
      V m;
      measure(s, a[k], b[k], m);
      large |= ~(m <= limit(s));
    }
    std::int64_t bits = 0;
    for (int k = 0; k < width; ++k) bits |= large[k];
    return bits != 0;
  }
  /// All numbers in vectors, then those that are beyond the limit by the library: others must not notice.
  template <class All>
  MUBODY_INLINE static void and_library(Step s, const V* a, const V* b, V* r, const All& all_in_vectors) {
    if (!any_beyond(s, a, b)) return all_in_vectors();
    double x[count], y[count];  // the result may be written where an argument is
    std::memcpy(x, a, sizeof x);
    std::memcpy(y, b, sizeof y);
    all_in_vectors();
    by_library(s, x, y, r);
  }
  [[gnu::noinline]] static void by_library(Step s, const double* x, const double* y, V* r) {
    for (int k = 0; k < count; ++k) {
      double m;
      measure(s, x[k], y[k], m);
      if (!(m <= limit(s))) reinterpret_cast<double*>(r)[k] = mubody::apply(s, x[k], y[k]);
    }
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
  static double number(const V* x, int k) { return reinterpret_cast<const double*>(x)[k]; }
  /// One number after the other; the result may be written where an argument is.
  template <class Of> static void one_by_one(const Of& of, V* r) {
    for (int k = 0; k < count; ++k) reinterpret_cast<double*>(r)[k] = of(k);
  }
  // Not part of the loop that runs tapes, so that it stays small.
  [[gnu::noinline]] static void apply_one_by_one(Step s, const V* a, const V* b, V* r) {
    one_by_one([&](int k) { return mubody::apply(s, number(a, k), number(b, k)); }, r);
  }
};
}  // namespace mubody
