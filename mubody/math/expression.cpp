#include "mubody/math/expression.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "mubody/math/expressions/lexer.h"
#include "mubody/math/expressions/steps.h"
#include "mubody/math/suggest.h"

namespace mubody {
namespace {
using formula::Lexer;
using formula::Token;

constexpr std::string_view keywords[] = {"and", "or", "not"};
}  // namespace

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
  /// Places of the stack that the program needs.
  int depth() const { return deepest_; }

 private:
  static constexpr int most_nested = 100;            // parentheses, signs and powers within each other
  static constexpr std::size_t most_steps = 10'000;  // numbers, names and operations

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

  /// Moves past the next token if it reads `text`.
  bool take(std::string_view text) {
    if (token_.kind == Token::end || token_.text != text) return false;
    advance();
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) fail(token_.at, "expected '" + std::string(text) + "'");
  }

  void add(const Step& step, std::size_t at) {
    if (steps_.size() >= most_steps)
      fail(at, "the expression has more than " + std::to_string(most_steps) +
                   " numbers, names and operations; write it as a table, or as several signals");
    steps_.push_back(step);
  }
  void push(const Step& step, std::size_t at) {
    add(step, at);
    deepest_ = std::max(deepest_, ++depth_);
    if (depth_ > most_depth) fail(at, "the expression is nested too deeply");
  }

  /// Adds an operation on the topmost values; it is done at once if they are all numbers.
  void emit(Op op, int arguments, std::size_t at, std::string_view name) {
    depth_ -= arguments - 1;
    const auto first = steps_.end() - arguments;
    const bool constant = std::all_of(first, steps_.end(), [](const Step& s) { return s.op == Op::number; });
    const std::size_t begin = static_cast<std::size_t>(first - steps_.begin());
    add({op}, at);
    if (!constant) return;
    const double result = Expression::constant(std::span<const Step>(steps_).subspan(begin));
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
  int depth_ = 0, deepest_ = 0, nested_ = 0;
};

Expression Expression::parse(std::string_view text, std::span<const std::string> variables,
                             const std::map<std::string, double>& constants) {
  Expression e;
  e.text_ = text;
  Parser parser(e.text_, variables, constants);
  e.program_ = parser.program();
  e.quick_ = quickened(e.program_);
  e.switches_ = count_switches(e.program_);
  e.depth_ = parser.depth();
  return e;
}

Operation::Rule Expression::rule(Op op) {
  switch (op) {
    case Op::number: return Operation::number;
    case Op::variable: return Operation::variable;
    case Op::multiply: return Operation::product;
    case Op::divide: return Operation::quotient;
    case Op::power: return Operation::power;
    case Op::sqrt: return Operation::root;
    case Op::choice: return Operation::choice;
    case Op::step: return Operation::step;
    case Op::both:
    case Op::either:
    case Op::negation:
    case Op::sign: return Operation::pure;
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::unequal:
    case Op::atan2: return Operation::comparison;
    default: return op >= Op::sin && op <= Op::log10 ? Operation::transcendental : Operation::same;
  }
}

std::vector<Operation> Expression::operations() const {
  std::vector<Operation> all;
  for (const Step& s : program_) all.push_back({rule(s.op), arguments(s.op), s.count, s.number});
  return all;
}

std::vector<std::vector<std::size_t>> Expression::operands(std::span<const Step> program) {
  std::vector<std::vector<std::size_t>> all(program.size());
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < program.size(); ++k) {
    const auto first = open.end() - arguments(program[k].op);
    all[k].assign(first, open.end());
    open.erase(first, open.end());
    open.push_back(all[k].empty() ? k : all[k].front());
  }
  return all;
}

bool Expression::varies(std::size_t begin, std::size_t end) const {
  return std::any_of(program_.begin() + std::ptrdiff_t(begin), program_.begin() + std::ptrdiff_t(end),
                     [](const Step& s) { return s.op == Op::variable; });
}

Expression Expression::slice(std::size_t begin, std::size_t end) const {
  Expression e;
  e.text_ = text_;
  e.program_.assign(program_.begin() + std::ptrdiff_t(begin), program_.begin() + std::ptrdiff_t(end));
  for (Step& s : e.program_)
    if (s.op == Op::variable) s.count = 0;
  e.quick_ = quickened(e.program_);
  e.switches_ = count_switches(e.program_);
  e.depth_ = depth_;
  return e;
}

std::vector<Expression> Expression::parts_of(int variable) const {
  const auto begins = operands(program_);
  std::vector<Expression> parts;
  // Ends of the values that are still to be looked at, the next one last; long sums lie too deep for recursion.
  std::vector<std::size_t> ends;
  if (!program_.empty()) ends.push_back(program_.size());
  while (!ends.empty()) {
    const std::size_t end = ends.back();
    ends.pop_back();
    const auto& from = begins[end - 1];
    if (from.empty()) continue;
    const bool alone =
        std::all_of(program_.begin() + std::ptrdiff_t(from[0]), program_.begin() + std::ptrdiff_t(end),
                    [&](const Step& s) { return s.op != Op::variable || s.count == variable; });
    if (alone) {
      if (varies(from[0], end)) parts.push_back(slice(from[0], end));
      continue;
    }
    ends.push_back(end - 1);
    for (std::size_t k = from.size(); --k > 0;) ends.push_back(from[k]);
  }
  return parts;
}

bool Expression::is_sharp(Op op) {
  switch (op) {
    case Op::divide:
    case Op::power:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::exp:
    case Op::log:
    case Op::log10:
    case Op::sqrt:
    case Op::atan2:
    case Op::hypot: return true;
    default: return false;
  }
}

std::vector<Expression> Expression::sharp_parts() const {
  constexpr double gentle = 4;  // powers up to this one are as smooth as what they are powers of
  const auto begins = operands(program_);
  std::vector<Expression> parts;
  for (std::size_t k = 0; k < program_.size(); ++k) {
    const auto& from = begins[k];
    if (!is_sharp(program_[k].op) || !varies(from[0], k)) continue;
    if (program_[k].op == Op::divide && !varies(from[1], k)) continue;
    const Step& exponent = program_[k - 1];
    const bool fixed = program_[k].op == Op::power && exponent.op == Op::number;
    if (fixed && exponent.number >= 1 && exponent.number <= gentle) continue;
    parts.push_back(slice(from[0], k + 1));
  }
  return parts;
}

std::vector<double> Expression::sharp_places(double from, double to) const {
  constexpr int samples = 4'000;
  constexpr std::size_t most = 2'000;  // of one argument; where there are more, steps are short anyway
  if (program_.empty()) return {};
  std::vector<std::size_t> begins = operands(program_).back();
  begins.push_back(program_.size() - 1);
  std::vector<Expression> arguments;
  for (std::size_t k = 0; k + 1 < begins.size(); ++k)
    if (varies(begins[k], begins[k + 1])) arguments.push_back(slice(begins[k], begins[k + 1]));
  std::vector<double> values(2 * arguments.size());
  const auto changes = sign_changes(
      values.size(), from, to,
      [&](double t) -> const std::vector<double>& {
        const Jet time[] = {{t, 1, 0}};
        for (std::size_t k = 0; k < arguments.size(); ++k) {
          const Jet argument = arguments[k](time);
          values[2 * k] = argument.x, values[2 * k + 1] = argument.v;
        }
        return values;
      },
      samples, most);
  std::vector<double> places;
  for (const SignChange& c : changes) places.push_back(c.at);
  return places;
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
