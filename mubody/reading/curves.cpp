#include "mubody/reading/curves.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/contact/friction/registry.h"
#include "mubody/contact/laws/registry.h"
#include "mubody/forces/laws/registry.h"
#include "mubody/functions/registry.h"
#include "mubody/joints/curves/registry.h"
#include "mubody/math/suggest.h"
#include "mubody/reading/field_reader.h"
#include "mubody/reading/sections.h"
#include "mubody/signals/registry.h"

namespace mubody::io {
namespace {
const std::vector<std::string> of_time{"t"}, of_length{"x"};
const std::vector<std::string> of_deflection{"length", "deflection", "rate", "t"};

// Formulas are prepared apart: the parameters are not among their fields, and mistakes are shown with a caret.
template <class Kind>
void prepare_formula(Kind& kind, const Node& table, const Scope& scope,
                     const std::vector<std::string>& variables, const std::string& unit, const Known& known) {
  Written* const formula = kind.written();
  if (!formula) return;
  read_formula(*table.find("text"), scope / "text", variables, unit, known);
  *formula = {formula_of(formula->text), known.parameters, variables[0]};
}

// The list in which a kind is found: 'mubody list contact-laws' for "contact law".
std::string list_of(std::string_view what) {
  std::string list = fmt::format("{}s", what);
  std::ranges::replace(list, ' ', '-');
  return list;
}

// Reads a table whose type is one of the entries.
template <class Entry, class Prepare>
auto read_kind(const Node& node, const Scope& scope, std::span<const Entry> entries, std::string_view what,
               const CurveUnits& units, const Known& known, const Prepare& prepare) {
  std::vector<std::string_view> types;
  for (const Entry& e : entries) types.push_back(e.info.name);
  const Node* type = node.find("type");
  if (!type) scope.fail(node, fmt::format("missing 'type': {}", one_of(types)));
  const std::string name = read_string(*type, scope / "type");
  const auto entry = std::ranges::find(types, name);
  if (entry == types.end()) (scope / "type").fail(*type, no_such(what, name, types, list_of(what)));

  auto kind = entries[static_cast<std::size_t>(entry - types.begin())].make();
  FieldList list = fields_of(*kind);
  list.names.push_back("type");
  expect_keys(node, scope, list.names);
  FieldReader reader(node, node.mark, scope, known);
  reader.with(units).fill(*kind);
  prepare(*kind);
  with_places(node, node.mark, scope, [&] { kind->check(); });
  return kind;
}
}  // namespace

std::string no_such(std::string_view what, std::string_view word, const std::vector<std::string_view>& known,
                    std::string_view list) {
  const std::string near = suggestion(word, known);
  return fmt::format("no {} {}{} 'mubody list {}'", what, in_quotes(word),
                     near.empty() ? "; see" : near + " See", list);
}

std::string CurveUnits::power(int k) const {
  if (k == 0 || value.empty()) return value;
  return k == 1 ? fmt::format("{}/{}", value, over) : fmt::format("{}/{}^{}", value, over, k);
}

Function read_function(const Node& node, const Scope& scope, const CurveUnits& units, const Known& known) {
  const std::vector<std::string>& variables = units.of_time ? of_time : of_length;
  if (node.is(Node::Kind::table)) {
    const auto prepare = [&](FunctionKind& kind) {
      prepare_formula(kind, node, scope, variables, units.value, known);
    };
    return Function(read_kind(node, scope, function_kinds(), "function", units, known, prepare));
  }
  if (node.is(Node::Kind::string) && is_formula(node.text)) {
    const Node formula = units.of_time ? with_signals_written_out(node, scope, known) : node;
    if (!formula.is(Node::Kind::string)) return read_function(formula, scope, units, known);
    read_formula(formula, scope, variables, units.value, known);
    return Function(Written{formula_of(formula.text), known.parameters, variables[0]});
  }
  if (node.is(Node::Kind::array) || node.is(Node::Kind::boolean) || node.is(Node::Kind::date))
    scope.expected(fmt::format("a number, a formula \"= ...\" of {}, or a table {{type = ...}}",
                               units.of_time ? "the time t" : "x"),
                   node);
  return Function(read_number(node, scope, units.value, known));
}

std::unique_ptr<AnyBlock> read_block(const Node& node, const Scope& scope, const Known& known) {
  return read_kind(node, scope, block_kinds(), "signal", CurveUnits{}, known, [](AnyBlock&) {});
}

Signal read_signal(const Node& node, const Scope& scope, const std::string& unit, const Known& known) {
  if (!node.is(Node::Kind::string) || !is_formula(node.text))
    return Signal(read_function(node, scope, {unit, "s"}, known));

  std::vector<std::string> used = of_time;
  std::vector<StateVariable> variables;
  for (const std::string& name : Expression::names(formula_of(node.text))) {
    const std::optional<StateVariable> found = known.state(name);
    if (!found) continue;
    used.push_back(name);
    variables.push_back(*found);
  }
  if (used.size() > Signal::most_variables)
    scope.fail(node, fmt::format("uses {} quantities of the motion; at most {} are possible", used.size() - 1,
                                 Signal::most_variables - 1));
  try {
    Expression formula = read_formula(node, scope, used, unit, known);
    if (variables.empty()) return Signal(Function(Written{formula_of(node.text), known.parameters}));
    return Signal(std::move(formula), std::move(variables));
  } catch (const ModelError&) {
    // A misspelt name may resemble any name of the state, not only those in use.
    std::vector<std::string> all = of_time;
    std::ranges::copy(known.state_names(), std::back_inserter(all));
    read_formula(node, scope, all, unit, known);
    throw;
  }
}

Law read_law(const Node& node, const Scope& scope, const std::string& unit, const Known& known) {
  if (node.is(Node::Kind::table)) {
    const auto prepare = [&](LawKind& kind) { prepare_formula(kind, node, scope, of_deflection, unit, known); };
    // Forces are functions of lengths, moments of angles; the first coefficient is c1.
    const CurveUnits units{unit, unit == "N" ? "m" : "rad", 1};
    return Law(read_kind(node, scope, law_kinds(), "law", units, known, prepare));
  }
  if (!node.is(Node::Kind::string) || !is_formula(node.text))
    scope.expected("a formula \"= ...\" of length, deflection, rate and t, or a table {type = ...}", node);
  read_formula(node, scope, of_deflection, unit, known);
  return Law(Written{formula_of(node.text), known.parameters});
}

ContactLaw read_contact_law(const Node& node, const Scope& scope, const Known& known) {
  if (node.is(Node::Kind::string)) {
    std::vector<std::string_view> types;
    for (const ContactLawEntry& e : contact_law_kinds()) {
      if (e.info.name == node.text) return ContactLaw(e.make());
      types.push_back(e.info.name);
    }
    scope.fail(node, no_such("contact law", node.text, types, "contact-laws"));
  }
  if (!node.is(Node::Kind::table)) scope.expected("the name of a contact law, or a table {type = ...}", node);
  return ContactLaw(
      read_kind(node, scope, contact_law_kinds(), "contact law", CurveUnits{}, known, [](ContactLawKind&) {}));
}

Friction read_friction(const Node& node, const Scope& scope, const Known& known) {
  if (node.is(Node::Kind::table))
    return Friction(
        read_kind(node, scope, friction_kinds(), "friction law", CurveUnits{}, known, [](FrictionKind&) {}));
  if (node.is(Node::Kind::string))
    for (const FrictionEntry& e : friction_kinds())
      if (e.info.name == node.text)
        scope.fail(node, fmt::format("give a table with its numbers: {{type = \"{}\", mu = ...}}", node.text));
  const double mu = read_number(node, scope, "", known);
  if (mu < 0) scope.fail(node, "must not be negative");
  return Friction(mu);
}

BodyCurve read_curve(const Node& node, const Scope& scope, const Known& known) {
  if (!node.is(Node::Kind::table)) scope.expected("a table {type = ...}", node);
  return BodyCurve(read_kind(node, scope, curve_kinds(), "curve", CurveUnits{}, known, [](CurveKind&) {}));
}
}  // namespace mubody::io
