#include "mubody/reading/formula_units.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace mubody::io {
namespace {
/// What is known of the unit of a value within a formula.
struct Kind {
  enum { open, number, quantity } what = number;
  Dimension dim{};                // of a quantity
  std::optional<double> value{};  // of a number, for exponents
};

Dimension combined(const Dimension& a, double times, const Dimension& b) {
  return {a.kg + times * b.kg, a.m + times * b.m, a.s + times * b.s, a.rad + times * b.rad};
}
bool near(double a, double b) { return std::abs(a - b) < 1e-9; }  // exponents may come from roots
bool is_alike(const Dimension& a, const Dimension& b) {
  return near(a.kg, b.kg) && near(a.m, b.m) && near(a.s, b.s);
}
// Ratios of like quantities are numbers; angles are, too, but keep their name.
Kind quantity(const Dimension& dim) {
  const bool pure = is_alike(dim, {}) && near(dim.rad, 0);
  return {pure ? Kind::number : Kind::quantity, pure ? Dimension{} : dim};
}

class UnitTrace {
 public:
  UnitTrace(const Node& node, const Scope& scope) : node_(node), scope_(scope) {}

  void push(Kind kind) { stack_.push_back(std::move(kind)); }
  const Kind& result() const { return stack_.back(); }

  /// Takes the arguments of an operation off the stack and leaves its result.
  void apply(const Operation& op) {
    const std::vector<Kind> a(stack_.end() - op.arguments, stack_.end());
    stack_.resize(stack_.size() - a.size());
    push(result_of(op.rule, a));
  }

 private:
  Kind result_of(Operation::Rule rule, const std::vector<Kind>& a) const {
    switch (rule) {
      case Operation::same: return without_value(alike(a));
      case Operation::product: return product(a[0], a[1], 1);
      case Operation::quotient: return product(a[0], a[1], -1);
      case Operation::power: return power(a[0], a[1]);
      case Operation::root: return power(a[0], {Kind::number, {}, 0.5});
      case Operation::comparison: alike(a); return {};
      case Operation::transcendental: expect_number(a[0]); return {};
      case Operation::choice: return without_value(alike({a[1], a[2]}));
      case Operation::step: alike({a[0], a[1], a[3]}); return without_value(alike({a[2], a[4]}));
      default: return {};
    }
  }
  static Kind without_value(Kind k) {
    k.value.reset();
    return k;
  }

  // The kind that all have; numbers and what may be anything fit to the others.
  Kind alike(const std::vector<Kind>& all) const {
    const Kind* first = nullptr;
    bool any_open = false;
    for (const Kind& k : all) {
      any_open = any_open || k.what == Kind::open;
      if (k.what != Kind::quantity) continue;
      if (first && !is_alike(first->dim, k.dim))
        scope_.fail(node_, fmt::format("{} and {} are added or compared in {}: both must be of one kind",
                                       describe(first->dim), describe(k.dim), in_quotes(node_.text)));
      if (!first) first = &k;
    }
    if (first) return *first;
    return {any_open ? Kind::open : Kind::number};
  }
  static Kind product(const Kind& a, const Kind& b, int sign) {
    if (a.what == Kind::open || b.what == Kind::open) return {Kind::open};
    return quantity(combined(a.dim, sign, b.dim));
  }
  Kind power(const Kind& base, const Kind& exponent) const {
    expect_number(exponent);
    if (base.what != Kind::quantity) return without_value(base);
    if (!exponent.value) return {Kind::open};
    return quantity(combined({}, *exponent.value, base.dim));
  }
  void expect_number(const Kind& k) const {
    if (k.what == Kind::quantity && !is_alike(k.dim, {}))
      scope_.fail(node_, fmt::format("an exponent, or the argument of a function such as sin, is {} in {}: "
                                     "expected a number or an angle; divide by a quantity of the same kind",
                                     describe(k.dim), in_quotes(node_.text)));
  }

  const Node& node_;
  const Scope& scope_;
  std::vector<Kind> stack_;
};
}  // namespace

std::optional<Dimension> unit_of_formula(const Node& node, const Scope& scope,
                                         const std::vector<std::string>& variables, const Known& known) {
  if (known.units.empty()) return {};
  std::vector<std::string> names = variables;
  for (const auto& [name, value] : known.parameters)
    if (std::ranges::find(variables, name) == variables.end()) names.push_back(name);
  UnitTrace trace(node, scope);
  for (const Operation& op : Expression::parse(formula_of(node.text), names).operations()) {
    if (op.rule == Operation::number) {
      trace.push({Kind::number, {}, op.value});
    } else if (op.rule == Operation::variable) {
      const auto at = std::size_t(op.index);
      const auto unit = at < variables.size() ? known.units.end() : known.units.find(names[at]);
      trace.push(unit == known.units.end() ? Kind{Kind::open} : Kind{Kind::quantity, unit->second});
    } else {
      trace.apply(op);
    }
  }
  if (trace.result().what != Kind::quantity) return {};
  return trace.result().dim;
}

bool is_one_kind(const Dimension& a, const Dimension& b) {
  return is_alike(a, b) && (near(a.rad, b.rad) || !near(a.kg, 0) || !near(a.m, 0));
}

void expect_unit(const Node& node, const Scope& scope, const std::vector<std::string>& variables,
                 std::string_view unit, const Known& known) {
  const std::optional<Dimension> given = unit_of_formula(node, scope, variables, known);
  if (!given) return;
  Dimension expected;
  try {
    expected = parse_unit(unit).dim;
  } catch (const UnitError&) {
    return;  // elements of the user's program may have units of their own
  }
  if (expected == Dimension{} || is_alike(*given, expected)) return;
  scope.fail(node, fmt::format("{} is {}, expected {} ({})", in_quotes(node.text), describe(*given),
                               describe(expected), unit));
}
}  // namespace mubody::io
