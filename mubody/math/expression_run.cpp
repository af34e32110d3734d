// Evaluation of formulas.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mubody/math/expressions/run.h"

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

/// Comparisons that are noted, and decided as they are held.
struct Expression::Holding {
  static constexpr bool knows_values = true;
  Switches& switches;
  std::size_t next = 0;

  std::partial_ordering compare(double a, double b) {
    switches.value[next] = a - b;
    const int side = switches.side[next++];
    return switches.held ? side <=> 0 : a <=> b;
  }
  static double power(double x, double exponent) { return pow(x, exponent); }
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
  std::vector<Step> becomes(program.begin(), program.end());
  std::vector<bool> goes(program.size());              // it is no step of its own any more
  std::vector<Op> before(program.size(), Op::number);  // what is put in front of it: a skip, or nothing
  for (std::size_t k = 0; k < program.size(); ++k) {
    const Op op = program[k].op;
    const auto& from = begins[k];
    if (from.empty()) continue;
    const Step& last = program[k - 1];
    if (op == Op::choice) {
      before[from[1]] = Op::skip_if_false;
      before[from[2]] = Op::skip;
      goes[k] = true;
    } else if (op == Op::power && last.op == Op::number && formulas::is_small_whole(last.number)) {
      becomes[k] = {Op::whole_power, int(last.number)};
      goes[k - 1] = true;
    } else if (with_number(op) && last.op == Op::number) {
      becomes[k] = {op == Op::multiply ? Op::multiply_number : Op::add_number, 0,
                    op == Op::subtract ? -last.number : last.number};
      goes[k - 1] = true;
    } else if (with_number(op) && op != Op::subtract && program[from[1] - 1].op == Op::number) {
      becomes[k] = {op == Op::add ? Op::add_number : Op::multiply_number, 0, program[from[0]].number};
      goes[from[0]] = true;
    }
  }
  std::vector<Step> quick;
  std::vector<std::size_t> skip(program.size());  // where the one in front of a step is
  for (std::size_t k = 0; k < program.size(); ++k) {
    skip[k] = quick.size();
    if (before[k] != Op::number) quick.push_back({before[k]});
    if (!goes[k]) quick.push_back(becomes[k]);
    if (program[k].op != Op::choice) continue;
    const std::size_t test = skip[begins[k][1]], other = skip[begins[k][2]];
    quick[test].count = int(other - test);
    quick[other].count = int(quick.size() - other - 1);
  }
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
}  // namespace mubody
