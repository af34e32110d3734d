#pragma once
// Evaluation of formulas with any scalar.  For expression_run.cpp, and for who has a scalar of his own.
#include <array>
#include <cassert>
#include <compare>
#include <optional>

#include "mubody/math/expressions/steps.h"
#include "mubody/math/inlining.h"
#include "mubody/math/jet_math.h"

namespace mubody {
namespace formulas {
inline bool is_small_whole(double exponent) {
  return exponent == std::floor(exponent) && exponent >= 2 && exponent <= 16;
}
// x^n for n > 0, by squaring.
template <class R> R power(R x, int n) {
  if (n == 2) return x * x;
  if (n == 3) return x * x * x;
  R result = n % 2 == 1 ? x : R(1);
  for (n /= 2; n > 0; n /= 2) {
    x *= x;
    if (n % 2 == 1) result *= x;
  }
  return result;
}
template <class R> JetOf<R> power(const JetOf<R>& u, int n) {
  const R two_less = n > 2 ? power(u.x, n - 2) : R(1), one_less = two_less * u.x;
  return chain(u, one_less * u.x, n * one_less, n * (n - 1) * two_less);
}

// Inlined, so that the topmost value stays in a register.
template <class R> MUBODY_INLINE R plus(const R& x, double c) { return x + c; }
template <class R> MUBODY_INLINE R times(const R& x, double c) { return x * c; }
template <class R> MUBODY_INLINE JetOf<R> plus(const JetOf<R>& u, double c) { return {u.x + c, u.v, u.a}; }
template <class R> MUBODY_INLINE JetOf<R> times(const JetOf<R>& u, double c) {
  return {u.x * c, u.v * c, u.a * c};
}

template <class T, class Order> MUBODY_INLINE T sign_from(const Order& o) {
  return T{choose(o > 0, 1.0, choose(o < 0, -1.0, 0.0))};
}
template <class T, class C> MUBODY_INLINE T truth(const C& holds) { return T{choose(holds, 1.0, 0.0)}; }
template <class T, class Sides> MUBODY_INLINE T smaller(const T& a, const T& b, Sides& sides) {
  return choose(sides.compare(value(b), value(a)) < 0, b, a);
}
template <class T, class Sides> MUBODY_INLINE T larger(const T& a, const T& b, Sides& sides) {
  return choose(sides.compare(value(a), value(b)) < 0, b, a);
}

// With t1 <= t0 this is a jump.
template <class T, class Sides>
MUBODY_INLINE T smooth_step(const T& t, const T& t0, const T& h0, const T& t1, const T& h1, Sides& sides) {
  const auto first = sides.compare(value(t), value(t0)), last = sides.compare(value(t), value(t1));
  const auto between = [&] {
    const T s = (t - t0) / (t1 - t0);
    return h0 + (h1 - h0) * s * s * (T{3} - T{2} * s);
  };
  return branch(
      first <= 0, [&] { return h0; },
      [&] {
        return branch(
            last >= 0, [&] { return h1; }, between);
      });
}
}  // namespace formulas

/// Comparisons as the numbers are.
struct Expression::Free {
  static constexpr bool knows_values = true;
  static std::partial_ordering compare(double a, double b) { return a <=> b; }
  template <class T> static T power(const T& x, const T& exponent) { return pow(x, exponent); }
  template <class T> static T floor(const T& x) {
    using mubody::floor;
    return floor(x);
  }
  template <class T> static T ceil(const T& x) {
    using mubody::ceil;
    return ceil(x);
  }
  template <class T> static T remainder(const T& x, const T& y) { return mod(x, y); }
};

/// Comparisons that are answered later.
struct Expression::Unknown {
  static constexpr bool knows_values = false;
  template <class R> struct Order {
    R a, b;
    auto operator<(int) const { return a < b; }
    auto operator<=(int) const { return a <= b; }
    auto operator>(int) const { return a > b; }
    auto operator>=(int) const { return a >= b; }
  };
  template <class R> static Order<R> compare(const R& a, const std::type_identity_t<R>& b) { return {a, b}; }
  /// As a quickened formula has it.
  template <class T> static T power(const T& x, const T& exponent) {
    const auto n = known(exponent);
    return n && formulas::is_small_whole(*n) ? formulas::power(x, int(*n)) : pow(x, exponent);
  }
  template <class T> static T floor(const T& x) { return Free::floor(x); }
  template <class T> static T ceil(const T& x) { return Free::ceil(x); }
  template <class T> static T remainder(const T& x, const T& y) { return mod(x, y); }

 private:
  template <class R> static std::optional<double> known(const R& x) { return known_value(x); }
  template <class R> static std::optional<double> known(const JetOf<R>& x) {
    return known_value(x.v) && known_value(x.a) ? known_value(x.x) : std::nullopt;
  }
};

template <class T, int depth, class Sides>
T Expression::run(std::span<const Step> program, std::span<const T> values, Sides sides) {
  using namespace formulas;
  std::array<T, depth + 1> stack;
  T top{0};  // the topmost value, and the place for the one below it: an empty program is zero
  T* free = stack.data();
  for (const Step *at = program.data(), *const end = at + program.size(); at < end; ++at) {
    const Step& step = *at;
    switch (step.op) {
      case Op::number: *free++ = top, top = T{step.number}; break;
      case Op::variable:
        assert(static_cast<std::size_t>(step.count) < values.size());
        *free++ = top, top = values[static_cast<std::size_t>(step.count)];
        break;
      case Op::negative: top = -top; break;
      case Op::add: --free, top = *free + top; break;
      case Op::subtract: --free, top = *free - top; break;
      case Op::multiply: --free, top = *free * top; break;
      case Op::divide: --free, top = *free / top; break;
      case Op::power: --free, top = sides.power(*free, top); break;
      case Op::less: --free, top = truth<T>(sides.compare(value(*free), value(top)) < 0); break;
      case Op::less_equal: --free, top = truth<T>(sides.compare(value(*free), value(top)) <= 0); break;
      case Op::greater: --free, top = truth<T>(sides.compare(value(*free), value(top)) > 0); break;
      case Op::greater_equal: --free, top = truth<T>(sides.compare(value(*free), value(top)) >= 0); break;
      case Op::equal: --free, top = truth<T>(value(*free) == value(top)); break;
      case Op::unequal: --free, top = truth<T>(value(*free) != value(top)); break;
      case Op::both: --free, top = truth<T>(value(*free) != 0 && value(top) != 0); break;
      case Op::either: --free, top = truth<T>(value(*free) != 0 || value(top) != 0); break;
      case Op::negation: top = truth<T>(value(top) == 0); break;
      case Op::sin: top = sin(top); break;
      case Op::cos: top = cos(top); break;
      case Op::tan: top = tan(top); break;
      case Op::asin: top = asin(top); break;
      case Op::acos: top = acos(top); break;
      case Op::atan: top = atan(top); break;
      case Op::sinh: top = sinh(top); break;
      case Op::cosh: top = cosh(top); break;
      case Op::tanh: top = tanh(top); break;
      case Op::exp: top = exp(top); break;
      case Op::log: top = log(top); break;
      case Op::log10: top = log10(top); break;
      case Op::sqrt: top = sqrt(top); break;
      case Op::abs: top = choose(sides.compare(value(top), 0) < 0, -top, top); break;
      case Op::sign: top = sign_from<T>(sides.compare(value(top), 0)); break;
      case Op::floor: top = sides.floor(top); break;
      case Op::ceil: top = sides.ceil(top); break;
      case Op::atan2: --free, top = atan2(*free, top); break;
      case Op::hypot: --free, top = hypot(*free, top); break;
      case Op::mod: --free, top = sides.remainder(*free, top); break;
      case Op::min: --free, top = smaller(*free, top, sides); break;
      case Op::max: --free, top = larger(*free, top, sides); break;
      case Op::clamp: free -= 2, top = smaller(larger(free[0], free[1], sides), top, sides); break;
      case Op::choice: free -= 2, top = choose(value(free[0]) != 0, free[1], top); break;
      case Op::step: free -= 4, top = smooth_step(free[0], free[1], free[2], free[3], top, sides); break;
      case Op::add_number: top = plus(top, step.number); break;
      case Op::multiply_number: top = times(top, step.number); break;
      case Op::whole_power: top = power(top, step.count); break;
      case Op::skip: at += step.count; break;
      case Op::skip_if_false:
        if constexpr (Sides::knows_values)
          if (value(top) == 0) at += step.count;
        top = *--free;
        break;
    }
  }
  return top;
}

// Both alternatives of a choice are evaluated.
template <class T> T Expression::operator()(std::span<const T> values) const {
  return run<T, most_depth>(program_, values, Unknown{});
}
}  // namespace mubody
