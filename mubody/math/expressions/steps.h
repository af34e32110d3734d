#pragma once
// The operations that a formula consists of, and how functions are called.  For expression*.cpp alone.
#include "mubody/math/expression.h"

namespace mubody {
enum class Expression::Op : unsigned char {
  number,
  variable,
  negative,
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  unequal,
  both,
  either,
  negation,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  floor,
  ceil,
  atan2,
  hypot,
  mod,
  min,
  max,
  clamp,
  choice,
  step,
  // Operations that only a quickened program has; see quickened().
  add_number,
  multiply_number,
  whole_power,   // a power with a fixed exponent
  skip,          // skips `count` steps
  skip_if_false  // does so if the topmost value, which is removed, is zero
};

/// How a function is written and called; many: the operation joins any number of arguments, two at a time.
struct Expression::Call {
  std::string_view name;
  Op op;
  int arguments;
  bool many = false;
};
}  // namespace mubody
