#pragma once
// The functions of doubles, found under the names that they have for other numbers too: an equation that calls them so
// serves every scalar.  Where an equation takes one of two forms it says so by choose(), which numbers that have no value
// yet can answer.
#include <cmath>
#include <type_traits>

namespace mubody {
using std::abs, std::sqrt, std::exp, std::log, std::log10, std::pow, std::hypot, std::floor, std::ceil,
    std::remainder;
using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::atan2, std::sinh, std::cosh,
    std::tanh;

/// Scalars that have no value while equations are run with them.
template <class R>
concept NotKnown = !std::is_arithmetic_v<R>;

/// a where the condition holds, else b.
inline double choose(bool holds, double a, double b) { return holds ? a : b; }
/// Whether a number is zero for certain.
inline bool is_nothing(double x) { return x == 0; }
/// The same of what is still to be computed: only the alternative that holds is.
template <class F, class G> auto branch(bool holds, const F& a, const G& b) { return holds ? a() : b(); }
inline double smaller_of(double a, double b) { return b < a ? b : a; }
inline double larger_of(double a, double b) { return a < b ? b : a; }
/// −1, 0 or 1.
inline double sign(double x) { return (x > 0) - (x < 0); }
/// The remainder of x after whole multiples of y, with the sign of y: a saw-tooth that never turns back.
inline double mod(double x, double y) {
  const double r = std::fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
}  // namespace mubody
