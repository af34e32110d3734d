#pragma once
// Formulas written by users: "100 * sin(2*pi*t) + if(t < 1, 0, 5)".  Parsed once, evaluated often without
// allocation, with exact derivatives by carrying jets through every operation.
//
//   numbers       1  .5  1e-3          names  t  crank.omega  P1.x        constants  pi  e
//   operators     + - * /  ^ (from the right, before a minus: -2^2 = -4, 2^3^2 = 512)
//   conditions    < <= > >= == !=  and or not          each is 1 where it holds and 0 elsewhere
//   functions     sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt abs sign floor ceil
//                 atan2(y, x)  hypot(x, y)  pow(x, y)  min(...)  max(...)  clamp(x, low, high)
//                 mod(x, y): remainder with the sign of y
//                 if(condition, then, else)
//                 step(t, t0, h0, t1, h1): from h0 before t0 to h1 after t1, 3s² − 2s³ between
#include <compare>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/math/jet.h"
#include "mubody/math/sign_changes.h"

namespace mubody {
/// A formula that cannot be understood, and where: `position` counts characters from 0.
struct ExpressionError : std::runtime_error {
  std::size_t position;
  ExpressionError(std::size_t at, const std::string& message) : std::runtime_error(message), position(at) {}

  /// The message and the place, counted from 1 as people do.
  std::string located() const { return what() + (" (at character " + std::to_string(position + 1) + ")"); }
};

/// A formula as the user wrote it, to be parsed where its variables are known.
struct Written {
  std::string text;
  std::map<std::string, double> parameters{};  // names that it may use besides its variables
  std::string variable = "t";                  // the name of the variable in a formula of one
};

/// The places where a formula changes its form, as a comparison, sign, abs, min and step do: each has a number that
/// passes through zero there.  Held on one side, the formula goes on smoothly beyond such a place.
struct Switches {
  std::vector<double> value;      // at the last evaluation
  std::vector<signed char> side;  // −1, 0 or 1: on which the formula is held
  std::vector<double> whole;      // the whole number to which floor, ceil or mod is held
  bool held = false;

  /// Holds the formula on the side on which it is.
  void hold() {
    for (std::size_t k = 0; k < value.size(); ++k) side[k] = sign_of(value[k]);
    held = true;
  }
  static signed char sign_of(double x) { return static_cast<signed char>((x > 0) - (x < 0)); }
};

/// One operation of a formula, for those who ask what kind of number it leaves and not which.
struct Operation {
  enum Rule {
    number,          // `value`
    variable,        // the `index`-th
    same,            // of the kind of all its arguments, which must be the same
    product,         //
    quotient,        //
    power,           //
    root,            // the square root
    comparison,      // a pure number from arguments of the same kind
    transcendental,  // a pure number from a pure number or an angle
    pure,            // a pure number, whatever the arguments are
    choice,          // of the kind of the second and third argument
    step             // of the kind of the third and fifth argument; the others are of one kind, too
  };
  Rule rule;
  int arguments = 0;
  int index = 0;
  double value = 0;
};

/// A formula; zero unless it comes from parse().
class Expression {
 public:
  /// Variables are given at each evaluation, in this order; constants are folded in.  A variable hides a
  /// constant of the same name, and both hide pi and e.
  static Expression parse(std::string_view text, std::span<const std::string> variables,
                          const std::map<std::string, double>& constants = {});
  double operator()(std::span<const double> values) const;
  Jet operator()(std::span<const Jet> values) const;
  /// The same of numbers that have no value yet; defined where these are, in expressions/run.h.
  template <class T> T operator()(std::span<const T> values) const;
  /// The same, noting where the switches are and obeying those that are held; they come from switches().
  double operator()(std::span<const double> values, Switches&) const;
  /// As many switches as the formula has, not held.
  Switches switches() const {
    const auto count = std::size_t(switches_);
    return {std::vector<double>(count), std::vector<signed char>(count), std::vector<double>(count), false};
  }
  /// Times between two times at which a formula of one variable changes its form.
  std::vector<SignChange> breakpoints(double from, double to) const;
  /// The parts that depend on one of the variables and on no other, each as large as can be, as formulas of that one.
  std::vector<Expression> parts_of(int variable) const;
  /// The parts of a formula of one variable that may change within a span far shorter than their arguments do, as an
  /// exponential or a quotient does.
  std::vector<Expression> sharp_parts() const;
  /// Where between two times such a part may do so: its arguments are zero or have an extremum there.
  std::vector<double> sharp_places(double from, double to) const;
  const std::string& text() const { return text_; }
  /// Whether the value can depend on a variable.
  bool uses(int variable) const;

  /// What it does, in the order in which values meet on a stack.
  std::vector<Operation> operations() const;

  /// Names that a formula uses and that are neither constants, functions nor numbers, in order of appearance.
  /// Mistakes in the formula are left for parse() to report.
  static std::vector<std::string> names(std::string_view text);

 private:
  static constexpr int most_depth = 64, usual_depth = 12;  // depths of the evaluation stack
  enum class Op : unsigned char;
  struct Step {  // one operation on the stack
    Op op;
    int count = 0;  // which variable, how many steps to skip, or an exponent
    double number = 0;
  };
  struct Call;
  class Parser;
  static std::span<const Call> calls();
  static int arguments(Op);
  static bool is_sharp(Op);
  /// Where the operands of every step begin, the first one first; a step without operands has none.
  static std::vector<std::vector<std::size_t>> operands(std::span<const Step> program);
  bool varies(std::size_t begin, std::size_t end) const;
  /// The value that the last of some steps leaves, as a formula of one variable.
  Expression slice(std::size_t begin, std::size_t end) const;
  static Operation::Rule rule(Op);
  struct Free;
  struct Holding;
  struct Unknown;
  template <class T, int depth, class Sides>
  static T run(std::span<const Step> program, std::span<const T> values, Sides sides);
  static double constant(std::span<const Step> program);
  static int count_switches(std::span<const Step> program);
  static std::vector<Step> quickened(std::span<const Step> program);

  std::vector<Step> program_, quick_;  // as it is written, as it is evaluated
  int depth_ = 0, switches_ = 0;
  std::string text_;
};
}  // namespace mubody
