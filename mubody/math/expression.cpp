#include "mubody/math/expression.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "mubody/math/c_number.h"
#include "mubody/math/expression_lexer.h"
#include "mubody/math/jet_math.h"
#include "mubody/math/suggest.h"

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
  step
};

/// How a function is written and called; many: the operation joins any number of arguments, two at a time.
struct Expression::Call {
  std::string_view name;
  Op op;
  int arguments;
  bool many = false;
};

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

namespace {
using formula::Lexer;
using formula::Token;

constexpr std::string_view keywords[] = {"and", "or", "not"};

template <class T> T truth(bool holds) { return T{holds ? 1.0 : 0.0}; }
template <class T> T smaller(const T& a, const T& b) { return value(b) < value(a) ? b : a; }
template <class T> T larger(const T& a, const T& b) { return value(a) < value(b) ? b : a; }

// With t1 <= t0 this is a jump.
template <class T> T smooth_step(const T& t, const T& t0, const T& h0, const T& t1, const T& h1) {
  if (value(t) <= value(t0)) return h0;
  if (value(t) >= value(t1)) return h1;
  const T s = (t - t0) / (t1 - t0);
  return h0 + (h1 - h0) * s * s * (T{3} - T{2} * s);
}
}  // namespace

template <class T> T Expression::run(std::span<const Step> program, std::span<const T> values) {
  using std::atan2, std::hypot, std::pow;
  using std::exp, std::log, std::log10, std::sqrt, std::abs, std::floor, std::ceil;
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh;
  std::array<T, most_depth + 1> stack;  // one below the first place, the value of an empty program
  stack[0] = T{0};
  T* top = stack.data();
  for (const Step& step : program) {
    switch (step.op) {
      case Op::number: *++top = T{step.number}; break;
      case Op::variable:
        assert(static_cast<std::size_t>(step.variable) < values.size());
        *++top = values[static_cast<std::size_t>(step.variable)];
        break;
      case Op::negative: *top = -*top; break;
      case Op::add: --top, top[0] = top[0] + top[1]; break;
      case Op::subtract: --top, top[0] = top[0] - top[1]; break;
      case Op::multiply: --top, top[0] = top[0] * top[1]; break;
      case Op::divide: --top, top[0] = top[0] / top[1]; break;
      case Op::power: --top, top[0] = pow(top[0], top[1]); break;
      case Op::less: --top, top[0] = truth<T>(value(top[0]) < value(top[1])); break;
      case Op::less_equal: --top, top[0] = truth<T>(value(top[0]) <= value(top[1])); break;
      case Op::greater: --top, top[0] = truth<T>(value(top[0]) > value(top[1])); break;
      case Op::greater_equal: --top, top[0] = truth<T>(value(top[0]) >= value(top[1])); break;
      case Op::equal: --top, top[0] = truth<T>(value(top[0]) == value(top[1])); break;
      case Op::unequal: --top, top[0] = truth<T>(value(top[0]) != value(top[1])); break;
      case Op::both: --top, top[0] = truth<T>(value(top[0]) != 0 && value(top[1]) != 0); break;
      case Op::either: --top, top[0] = truth<T>(value(top[0]) != 0 || value(top[1]) != 0); break;
      case Op::negation: *top = truth<T>(value(*top) == 0); break;
      case Op::sin: *top = sin(*top); break;
      case Op::cos: *top = cos(*top); break;
      case Op::tan: *top = tan(*top); break;
      case Op::asin: *top = asin(*top); break;
      case Op::acos: *top = acos(*top); break;
      case Op::atan: *top = atan(*top); break;
      case Op::sinh: *top = sinh(*top); break;
      case Op::cosh: *top = cosh(*top); break;
      case Op::tanh: *top = tanh(*top); break;
      case Op::exp: *top = exp(*top); break;
      case Op::log: *top = log(*top); break;
      case Op::log10: *top = log10(*top); break;
      case Op::sqrt: *top = sqrt(*top); break;
      case Op::abs: *top = abs(*top); break;
      case Op::sign: *top = sign(*top); break;
      case Op::floor: *top = floor(*top); break;
      case Op::ceil: *top = ceil(*top); break;
      case Op::atan2: --top, top[0] = atan2(top[0], top[1]); break;
      case Op::hypot: --top, top[0] = hypot(top[0], top[1]); break;
      case Op::mod: --top, top[0] = mod(top[0], top[1]); break;
      case Op::min: --top, top[0] = smaller(top[0], top[1]); break;
      case Op::max: --top, top[0] = larger(top[0], top[1]); break;
      case Op::clamp: top -= 2, top[0] = smaller(larger(top[0], top[1]), top[2]); break;
      case Op::choice: top -= 2, top[0] = value(top[0]) != 0 ? top[1] : top[2]; break;
      case Op::step: top -= 4, top[0] = smooth_step(top[0], top[1], top[2], top[3], top[4]); break;
    }
  }
  return *top;
}

double Expression::operator()(std::span<const double> values) const { return run(program_, values); }
Jet Expression::operator()(std::span<const Jet> values) const { return run(program_, values); }

bool Expression::uses(int variable) const {
  return std::ranges::any_of(program_,
                             [&](const Step& s) { return s.op == Op::variable && s.variable == variable; });
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
      stack.push_back(names[std::size_t(step.variable)]);
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

/// Recursive descent; every rule leaves its value on the stack.
class Expression::Parser {
 public:
  Parser(std::string_view text, std::span<const std::string> variables,
         const std::map<std::string, double>& constants)
      : lexer_(text), variables_(variables), constants_(constants) {
    advance();
  }

  std::vector<Step> program() {
    either();
    if (token_.kind == Token::number || token_.kind == Token::name)
      fail(token_.at, "expected an operator before " + quoted(token_));
    if (token_.kind != Token::end) fail(token_.at, "unexpected " + quoted(token_));
    return std::move(steps_);
  }

 private:
  static constexpr int most_nested = 100;  // parentheses, signs and powers within each other

  [[noreturn]] static void fail(std::size_t at, const std::string& message) {
    throw ExpressionError(at, message);
  }
  static std::string quoted(const Token& t) { return "'" + std::string(t.text) + "'"; }

  void advance() {
    token_ = lexer_.next();
    if (token_.kind == Token::number && !std::isfinite(token_.value))
      fail(token_.at, quoted(token_) + " is beyond the range of numbers");
    if (token_.kind != Token::unknown) return;
    constexpr std::pair<std::string_view, std::string_view> habits[] = {{"=", "; write '==' to compare"},
                                                                        {"!", "; write 'not'"},
                                                                        {"&", "; write 'and'"},
                                                                        {"|", "; write 'or'"}};
    std::string hint;
    for (const auto& [character, advice] : habits)
      if (token_.text == character) hint = advice;
    fail(token_.at, "unexpected character " + quoted(token_) + hint);
  }

  /// Goes on when the next token reads so.
  bool take(std::string_view text) {
    if (token_.kind == Token::end || token_.text != text) return false;
    advance();
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) fail(token_.at, "expected '" + std::string(text) + "'");
  }

  void push(const Step& step, std::size_t at) {
    steps_.push_back(step);
    if (++depth_ > most_depth) fail(at, "the expression is nested too deeply");
  }

  /// An operation on the topmost values; done at once if they are all numbers.
  void emit(Op op, int arguments, std::size_t at, std::string_view name) {
    depth_ -= arguments - 1;
    const auto first = steps_.end() - arguments;
    const bool constant = std::all_of(first, steps_.end(), [](const Step& s) { return s.op == Op::number; });
    const std::size_t begin = static_cast<std::size_t>(first - steps_.begin());
    steps_.push_back({op});
    if (!constant) return;
    const double result = run<double>(std::span<const Step>(steps_).subspan(begin), {});
    if (!std::isfinite(result))
      fail(at, op == Op::divide ? "division by zero" : std::string(name) + " has no finite value here");
    steps_.resize(begin);
    steps_.push_back({Op::number, 0, result});
  }

  void either() {
    both();
    for (std::size_t at = token_.at; take("or"); at = token_.at) both(), emit(Op::either, 2, at, "or");
  }
  void both() {
    negation();
    for (std::size_t at = token_.at; take("and"); at = token_.at) negation(), emit(Op::both, 2, at, "and");
  }
  void negation() {
    const std::size_t at = token_.at;
    int times = 0;
    while (take("not")) ++times;
    comparison();
    for (; times > 0; --times) emit(Op::negation, 1, at, "not");
  }

  void comparison() {
    sum();
    const Token sign = token_;
    const std::optional<Op> op = comparison_of(sign);
    if (!op) return;
    advance();
    sum();
    emit(*op, 2, sign.at, sign.text);
    if (comparison_of(token_)) fail(token_.at, "comparisons do not chain; write 'a < b and b < c'");
  }
  static std::optional<Op> comparison_of(const Token& t) {
    constexpr std::pair<std::string_view, Op> all[] = {{"<", Op::less},    {"<=", Op::less_equal},
                                                       {">", Op::greater}, {">=", Op::greater_equal},
                                                       {"==", Op::equal},  {"!=", Op::unequal}};
    for (const auto& [text, op] : all)
      if (t.text == text) return op;
    return {};
  }

  void sum() {
    product();
    for (std::size_t at = token_.at;; at = token_.at) {
      if (take("+"))
        product(), emit(Op::add, 2, at, "+");
      else if (take("-"))
        product(), emit(Op::subtract, 2, at, "-");
      else
        return;
    }
  }
  void product() {
    signed_power();
    for (std::size_t at = token_.at;; at = token_.at) {
      if (take("*"))
        signed_power(), emit(Op::multiply, 2, at, "*");
      else if (take("/"))
        signed_power(), emit(Op::divide, 2, at, "/");
      else
        return;
    }
  }
  void signed_power() {
    if (++nested_ > most_nested) fail(token_.at, "the expression is nested too deeply");
    const std::size_t at = token_.at;
    if (take("-"))
      signed_power(), emit(Op::negative, 1, at, "-");
    else if (take("+"))
      signed_power();
    else
      power();
    --nested_;
  }
  void power() {
    primary();
    const std::size_t at = token_.at;
    if (take("^")) signed_power(), emit(Op::power, 2, at, "^");
  }

  void primary() {
    const Token t = token_;
    if (t.kind == Token::end) fail(t.at, "unexpected end of the expression");
    if (t.kind == Token::number) {
      advance();
      push({Op::number, 0, t.value}, t.at);
    } else if (t.kind == Token::name && std::ranges::find(keywords, t.text) == std::end(keywords)) {
      advance();
      if (take("("))
        call(t);
      else
        name(t);
    } else if (take("(")) {
      either();
      expect(")");
    } else {
      fail(t.at, "unexpected " + quoted(t) + (t.text == "*" ? "; powers are written with '^'" : ""));
    }
  }

  void name(const Token& t) {
    const auto variable = std::ranges::find(variables_, t.text);
    if (variable != variables_.end())
      return push({Op::variable, static_cast<int>(variable - variables_.begin())}, t.at);
    if (const auto c = constants_.find(std::string(t.text)); c != constants_.end())
      return push({Op::number, 0, c->second}, t.at);
    if (t.text == "pi") return push({Op::number, 0, std::numbers::pi}, t.at);
    if (t.text == "e") return push({Op::number, 0, std::numbers::e}, t.at);
    if (std::ranges::find(calls(), t.text, &Call::name) != calls().end())
      fail(token_.at, "expected '(' after " + quoted(t));
    std::vector<std::string> known(variables_.begin(), variables_.end());
    for (const auto& [constant, unused] : constants_) known.push_back(constant);
    known.push_back("pi");
    fail(t.at, "unknown name " + quoted(t) + suggestion(t.text, known));
  }

  void call(const Token& t) {
    const auto call = std::ranges::find(calls(), t.text, &Call::name);
    if (call == calls().end()) {
      std::vector<std::string> known;
      for (const Call& c : calls()) known.emplace_back(c.name);
      fail(t.at, "unknown function " + quoted(t) + suggestion(t.text, known));
    }
    int given = 0;
    if (!take(")")) {
      do either(), ++given;
      while (take(","));
      expect(")");
    }
    if (given != call->arguments && !(call->many && given > call->arguments))
      fail(t.at, std::string(t.text) + " takes " + (call->many ? "at least " : "") +
                     std::to_string(call->arguments) + (call->arguments == 1 ? " argument, " : " arguments, ") +
                     std::to_string(given) + " given");
    for (int joins = call->many ? given - 1 : 1; joins > 0; --joins)
      emit(call->op, call->arguments, t.at, call->name);
  }

  Lexer lexer_;
  std::span<const std::string> variables_;
  const std::map<std::string, double>& constants_;
  Token token_;
  std::vector<Step> steps_;
  int depth_ = 0, nested_ = 0;
};

Expression Expression::parse(std::string_view text, std::span<const std::string> variables,
                             const std::map<std::string, double>& constants) {
  Expression e;
  e.text_ = text;
  e.program_ = Parser(e.text_, variables, constants).program();
  return e;
}

std::vector<std::string> Expression::names(std::string_view text) {
  std::vector<std::string> found;
  Lexer lexer(text);
  for (Token t = lexer.next(), next; t.kind != Token::end; t = next) {
    next = lexer.next();
    const bool known = t.text == "pi" || t.text == "e" ||
                       std::ranges::find(keywords, t.text) != std::end(keywords) ||
                       std::ranges::find(calls(), t.text, &Call::name) != calls().end();
    if (t.kind != Token::name || next.text == "(" || known) continue;
    if (std::ranges::find(found, t.text) == found.end()) found.emplace_back(t.text);
  }
  return found;
}
}  // namespace mubody
