// Evaluation of formulas, and the same in C.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "mubody/math/c_number.h"
#include "mubody/math/expression_steps.h"
#include "mubody/math/jet_math.h"

namespace mubody {
std::span<const Expression::Call> Expression::calls() {
  static constexpr Call all[] = {
      {"sin", Op::sin, 1},   {"cos", Op::cos, 1},       {"tan", Op::tan, 1},       {"asin", Op::asin, 1},
      {"acos", Op::acos, 1}, {"atan", Op::atan, 1},     {"sinh", Op::sinh, 1},     {"cosh", Op::cosh, 1},
      {"tanh", Op::tanh, 1}, {"exp", Op::exp, 1},       {"log", Op::log, 1},       {"log10", Op::log10, 1},
      {"sqrt", Op::sqrt, 1}, {"abs", Op::abs, 1},       {"sign", Op::sign, 1},     {"floor", Op::floor, 1},
      {"ceil", Op::ceil, 1}, {"atan2", Op::atan2, 2},   {"hypot", Op::hypot, 2},   {"mod", Op::mod, 2},
      {"pow", Op::power, 2}, {"min", Op::min, 2, true}, {"max", Op::max, 2, true}, {"clamp", Op::clamp, 3},
      {"if", Op::choice, 3}, {"step", Op::step, 5},
  };
  return all;
}

int Expression::arguments(Op op) {
  if (op <= Op::variable) return 0;
  if (op == Op::negative || op == Op::negation) return 1;
  const auto call = std::ranges::find(calls(), op, &Call::op);
  return call == calls().end() ? 2 : call->arguments;
}

namespace {
bool is_small_whole(double exponent) {
  return exponent == std::floor(exponent) && exponent >= 2 && exponent <= 16;
}
// x^n for n > 0, by squaring.
double power(double x, int n) {
  if (n == 2) return x * x;
  if (n == 3) return x * x * x;
  double result = n % 2 == 1 ? x : 1;
  for (n /= 2; n > 0; n /= 2) {
    x *= x;
    if (n % 2 == 1) result *= x;
  }
  return result;
}
Jet power(const Jet& u, int n) {
  const double two_less = n > 2 ? power(u.x, n - 2) : 1, one_less = two_less * u.x;
  return chain(u, one_less * u.x, n * one_less, n * (n - 1) * two_less);
}

double plus(double x, double c) { return x + c; }
double times(double x, double c) { return x * c; }
Jet plus(const Jet& u, double c) { return {u.x + c, u.v, u.a}; }
Jet times(const Jet& u, double c) { return {u.x * c, u.v * c, u.a * c}; }

template <class T> T sign_from(std::partial_ordering o) { return T{o > 0 ? 1.0 : o < 0 ? -1.0 : 0.0}; }
template <class T> T truth(bool holds) { return T{holds ? 1.0 : 0.0}; }
template <class T, class Sides> T smaller(const T& a, const T& b, Sides& sides) {
  return sides.compare(value(b), value(a)) < 0 ? b : a;
}
template <class T, class Sides> T larger(const T& a, const T& b, Sides& sides) {
  return sides.compare(value(a), value(b)) < 0 ? b : a;
}

// With t1 <= t0 this is a jump.
template <class T, class Sides>
T smooth_step(const T& t, const T& t0, const T& h0, const T& t1, const T& h1, Sides& sides) {
  const std::partial_ordering first = sides.compare(value(t), value(t0)),
                              last = sides.compare(value(t), value(t1));
  if (first <= 0) return h0;
  if (last >= 0) return h1;
  const T s = (t - t0) / (t1 - t0);
  return h0 + (h1 - h0) * s * s * (T{3} - T{2} * s);
}
}  // namespace

/// Comparisons as the numbers are.
struct Expression::Free {
  static std::partial_ordering compare(double a, double b) { return a <=> b; }
  template <class T> static T floor(const T& x) {
    using std::floor;
    return floor(x);
  }
  template <class T> static T ceil(const T& x) {
    using std::ceil;
    return ceil(x);
  }
  template <class T> static T remainder(const T& x, const T& y) { return mod(x, y); }
};

/// Comparisons that are noted, and decided as they are held.
struct Expression::Holding {
  Switches& switches;
  std::size_t next = 0;

  std::partial_ordering compare(double a, double b) {
    switches.value[next] = a - b;
    const int side = switches.side[next++];
    return switches.held ? side <=> 0 : a <=> b;
  }
  double floor(double x) { return whole(x, std::floor(x)); }
  double ceil(double x) { return whole(x, std::ceil(x)); }
  double remainder(double x, double y) { return x - y * whole(x / y, std::floor(x / y)); }

 private:
  /// Where a number is whole its rounded value jumps; between two of these places the sine keeps its sign.  Held to one
  /// whole number, the switch stays on its side as long as that number is the right one.
  double whole(double x, double rounded) {
    double& kept = switches.whole[next];
    const int side = switches.side[next];
    switches.value[next++] = !switches.held    ? std::sin(std::numbers::pi * x)
                             : rounded == kept ? side
                             : side == 0       ? 1
                                               : -side;
    return switches.held ? kept : kept = rounded;
  }
};

template <class T, int depth, class Sides>
T Expression::run(std::span<const Step> program, std::span<const T> values, Sides sides) {
  using std::atan2, std::hypot, std::pow;
  using std::exp, std::log, std::log10, std::sqrt, std::abs;
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh;
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
      case Op::power: --free, top = pow(*free, top); break;
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
      case Op::abs: top = sides.compare(value(top), 0) < 0 ? -top : top; break;
      case Op::sign: top = sign_from<T>(sides.compare(value(top), 0)); break;
      case Op::floor: top = sides.floor(top); break;
      case Op::ceil: top = sides.ceil(top); break;
      case Op::atan2: --free, top = atan2(*free, top); break;
      case Op::hypot: --free, top = hypot(*free, top); break;
      case Op::mod: --free, top = sides.remainder(*free, top); break;
      case Op::min: --free, top = smaller(*free, top, sides); break;
      case Op::max: --free, top = larger(*free, top, sides); break;
      case Op::clamp: free -= 2, top = smaller(larger(free[0], free[1], sides), top, sides); break;
      case Op::choice: free -= 2, top = value(free[0]) != 0 ? free[1] : top; break;
      case Op::step: free -= 4, top = smooth_step(free[0], free[1], free[2], free[3], top, sides); break;
      case Op::add_number: top = plus(top, step.number); break;
      case Op::multiply_number: top = times(top, step.number); break;
      case Op::whole_power: top = power(top, step.count); break;
      case Op::skip: at += step.count; break;
      case Op::skip_if_false:
        if (value(top) == 0) at += step.count;
        top = *--free;
        break;
    }
  }
  return top;
}

double Expression::operator()(std::span<const double> values) const {
  return depth_ <= usual_depth ? run<double, usual_depth>(quick_, values, Free{})
                               : run<double, most_depth>(quick_, values, Free{});
}
// Both alternatives of a choice are evaluated, so that the switches are always the same ones.
double Expression::operator()(std::span<const double> values, Switches& switches) const {
  const double x = run<double, most_depth>(program_, values, Holding{switches});
  // Held beyond its place, a formula may leave its domain, as the root of a length does; there it is taken as it is.
  return std::isfinite(x) ? x : (*this)(values);
}
Jet Expression::operator()(std::span<const Jet> values) const {
  return depth_ <= usual_depth ? run<Jet, usual_depth>(quick_, values, Free{})
                               : run<Jet, most_depth>(quick_, values, Free{});
}

double Expression::constant(std::span<const Step> program) {
  return run<double, most_depth>(program, {}, Free{});
}

// Only the alternative that holds is evaluated; powers with small whole exponents become products; numbers that
// are added or multiplied do not pass through the stack.
std::vector<Expression::Step> Expression::quickened(std::span<const Step> program) {
  const std::vector<std::vector<std::size_t>> begins = operands(program);
  const auto with_number = [](Op op) { return op == Op::add || op == Op::subtract || op == Op::multiply; };
  std::vector<Step> quick;
  // The value that the step before `end` leaves.
  const auto add = [&](const auto& self, std::size_t end) -> void {
    const Step& last = program[end - 1];
    const auto& from = begins[end - 1];
    const Step& before = program[end - (from.empty() ? 1 : 2)];
    if (last.op == Op::choice) {
      self(self, from[1]);
      const std::size_t test = quick.size();
      quick.push_back({Op::skip_if_false});
      self(self, from[2]);
      const std::size_t other = quick.size();
      quick.push_back({Op::skip});
      self(self, end - 1);
      quick[test].count = int(other - test);
      quick[other].count = int(quick.size() - other - 1);
    } else if (last.op == Op::power && before.op == Op::number && is_small_whole(before.number)) {
      self(self, from[1]);
      quick.push_back({Op::whole_power, int(before.number)});
    } else if (with_number(last.op) && before.op == Op::number) {
      self(self, from[1]);
      if (last.op == Op::multiply)
        quick.push_back({Op::multiply_number, 0, before.number});
      else
        quick.push_back({Op::add_number, 0, last.op == Op::add ? before.number : -before.number});
    } else if (with_number(last.op) && last.op != Op::subtract && program[from[1] - 1].op == Op::number) {
      self(self, end - 1);
      quick.push_back({last.op == Op::add ? Op::add_number : Op::multiply_number, 0, program[from[0]].number});
    } else {
      for (std::size_t k = 1; k < from.size(); ++k) self(self, from[k]);
      if (!from.empty()) self(self, end - 1);
      quick.push_back(last);
    }
  };
  if (!program.empty()) add(add, program.size());
  return quick;
}

int Expression::count_switches(std::span<const Step> program) {
  int count = 0;
  for (const Step& s : program) switch (s.op) {
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
      case Op::abs:
      case Op::sign:
      case Op::floor:
      case Op::ceil:
      case Op::mod:
      case Op::min:
      case Op::max: count += 1; break;
      case Op::clamp:
      case Op::step: count += 2; break;
      default: break;
    }
  return count;
}

std::vector<SignChange> Expression::breakpoints(double from, double to) const {
  if (switches_ == 0) return {};
  Switches s = switches();
  return sign_changes(s.value.size(), from, to, [&](double t) -> const std::vector<double>& {
    (*this)(std::span(&t, 1), s);
    return s.value;
  });
}

bool Expression::uses(int variable) const {
  return std::ranges::any_of(program_,
                             [&](const Step& s) { return s.op == Op::variable && s.count == variable; });
}

std::string Expression::code(std::span<const std::string> names) const {
  static constexpr std::string_view signs[] = {"+", "-", "*", "/"};
  static constexpr std::string_view comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
  std::vector<std::string> stack{number_in_c(0)};
  const auto take = [&] {
    std::string top = std::move(stack.back());
    stack.pop_back();
    return top;
  };
  const auto truth_of = [](const std::string& test) { return "(" + test + " ? R(1.0) : R(0.0))"; };
  const auto holds = [](const std::string& a) { return a + " != R(0.0)"; };
  for (const Step& step : program_) {
    if (step.op == Op::number) {
      stack.push_back(number_in_c(step.number));
    } else if (step.op == Op::variable) {
      stack.push_back(names[std::size_t(step.count)]);
    } else if (step.op == Op::negative) {
      stack.back() = "(-" + stack.back() + ")";
    } else if (step.op == Op::negation) {
      stack.back() = truth_of(stack.back() + " == R(0.0)");
    } else if (step.op >= Op::add && step.op <= Op::divide) {
      const std::string b = take();
      stack.back() = "(" + stack.back() + " " + std::string(signs[int(step.op) - int(Op::add)]) + " " + b + ")";
    } else if (step.op >= Op::less && step.op <= Op::unequal) {
      const std::string b = take();
      stack.back() =
          truth_of(stack.back() + " " + std::string(comparisons[int(step.op) - int(Op::less)]) + " " + b);
    } else if (step.op == Op::both || step.op == Op::either) {
      const std::string b = take();
      stack.back() =
          truth_of("(" + holds(stack.back()) + (step.op == Op::both ? ") && (" : ") || (") + holds(b) + ")");
    } else if (step.op == Op::choice) {
      const std::string otherwise = take(), then = take();
      stack.back() = "(" + holds(stack.back()) + " ? " + then + " : " + otherwise + ")";
    } else if (step.op == Op::clamp) {
      const std::string high = take(), low = take();
      stack.back() = "mb_min(mb_max(" + stack.back() + ", " + low + "), " + high + ")";
    } else if (step.op == Op::power && (&step)[-1].op == Op::number && is_small_whole((&step)[-1].number)) {
      stack.pop_back();
      stack.back() = "mb_power(" + stack.back() + ", " + std::to_string(int((&step)[-1].number)) + ")";
    } else {  // a function
      const auto call = std::ranges::find(calls(), step.op, &Call::op);
      std::string list;
      for (int k = 0; k < call->arguments; ++k) list = take() + (k > 0 ? ", " : "") + list;
      const bool ours = step.op == Op::min || step.op == Op::max || step.op == Op::mod || step.op == Op::sign ||
                        step.op == Op::step;
      const std::string name = step.op == Op::abs     ? "fabs"
                               : step.op == Op::power ? "pow"
                                                      : std::string(call->name);
      stack.push_back((ours ? "mb_" : "") + name + "(" + list + ")");
    }
  }
  return stack.back();
}
}  // namespace mubody
