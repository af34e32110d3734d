// [signals], [inputs] and [outputs].
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/functions/registry.h"
#include "mubody/math/characters.h"
#include "mubody/math/suggest.h"
#include "mubody/mechanism/signal_order.h"
#include "mubody/reading/field_reader.h"
#include "mubody/reading/sections.h"
#include "mubody/signals/registry.h"
#include "mubody/system/build.h"

namespace mubody::io {
namespace {
// A string that is no formula names a channel.
bool names_channel(const Element& e) {
  return e.kind == Element::output && e.node->is(Node::Kind::string) && !is_formula(e.node->text);
}

bool is_function(std::string_view type) {
  return std::ranges::any_of(function_kinds(), [&](const FunctionEntry& f) { return f.info.name == type; });
}

// The table without keys that belong to every signal.
Node without_common_keys(const Node& table) {
  Node rest;
  rest.mark = table.mark;
  for (std::size_t k = 0; k < table.keys.size(); ++k) {
    if (table.keys[k].name == "unit" || table.keys[k].name == "sample") continue;
    rest.keys.push_back(table.keys[k]);
    rest.items.push_back(table.items[k]);
  }
  return rest;
}

// Signals are computed in SI units, so that no other can be shown with them.
std::string read_unit(const Node& node, const Scope& scope) {
  const std::string unit = read_string(node, scope);
  try {
    if (parse_unit(unit).si != 1)
      scope.fail(node, fmt::format("{} is no SI unit, in which signals are computed", in_quotes(unit)));
  } catch (const UnitError& e) {
    scope.fail(node, e.what());
  }
  return unit.empty() ? "1" : unit;
}

void read_type(Noted& n, const Node& table, const Scope& scope, const std::string& unit, const Known& known) {
  const Node* const type = table.find("type");
  if (!type) scope.fail(table, "missing 'value', a formula, or 'type': see 'mubody list signals'");
  if (is_function(read_string(*type, scope / "type"))) {
    n.signal = Signal(read_function(table, scope, {unit, "s"}, known));
    return;
  }
  n.kind = Noted::block;
  n.what = Box<AnyBlock>(read_block(table, scope, known));
  with_places(table, table.mark, scope, [&] { (*n.what)->check_sampling(n.sample); });
}

void read_input(Noted& n, const Element& e, const Known& known) {
  n.kind = Noted::input;
  const Node* value = e.node;
  if (e.node->is(Node::Kind::table)) {
    constexpr std::string_view keys[] = {"value", "unit"};
    expect_keys(*e.node, e.scope(), keys);
    value = e.node->find("value");
  }
  const Scope scope = value == e.node ? e.scope() : e.scope() / "value";
  if (value) n.signal = Signal(read_number(*value, scope, n.unit == "1" ? "" : n.unit, known));
}

void read_table(Noted& n, const Element& e, const Known& known) {
  const Node& table = *e.node;
  if (const Node* sample = table.find("sample")) {
    n.sample = read_number(*sample, e.scope() / "sample", "s", known);
    if (!(*n.sample > 0) || !std::isfinite(*n.sample))
      (e.scope() / "sample").fail(*sample, "must be positive and finite");
  }
  const std::string unit = n.unit == "1" ? "" : n.unit;
  const Node rest = without_common_keys(table);
  if (const Node* value = rest.find("value")) {
    constexpr std::string_view keys[] = {"value"};
    expect_keys(rest, e.scope(), keys);
    n.signal = read_signal(*value, e.scope() / "value", unit, known);
  } else {
    read_type(n, rest, e.scope(), unit, known);
  }
}

// Writes signals out within formulas.
class Spelled {
 public:
  Spelled(const Node& node, const Scope& scope, const Known& known)
      : node_(node), scope_(scope), known_(known) {}

  /// A formula with the signals that it names in its place.
  std::string write(std::string_view formula) {
    std::string all;
    for (std::size_t k = 0; k < formula.size();) {
      std::size_t end = k + 1;
      const bool after_number = !all.empty() && (is_digit(all.back()) || all.back() == '.');
      if (begins_name(formula[k]) && !after_number)
        while (end < formula.size() &&
               (begins_name(formula[end]) || is_digit(formula[end]) || formula[end] == '.'))
          ++end;
      const std::string word(formula.substr(k, end - k));
      all += known_.signals.contains(word) ? "(" + of_signal(word) + ")" : word;
      if (all.size() > longest) scope_.fail(node_, "the formula is too long once its signals are written out");
      k = end;
    }
    return all;
  }

 private:
  static constexpr std::size_t longest = 10'000, most_signals = 100;

  [[noreturn]] void refuse(const std::string& signal, const std::string& why) const {
    scope_.fail(
        node_,
        fmt::format(
            "signal '{}' {}: here the rate and acceleration of the value are needed, which only formulas "
            "of time have",
            signal, why));
  }
  /// A program may set an input at any time, to a value whose rate it does not say.
  [[noreturn]] void refuse_input(const std::string& name) const {
    scope_.fail(node_,
                fmt::format("input '{}' has no rate and acceleration, which are needed here. A driver is an "
                            "input itself: write a number for it and set that, as `sim.input(\"NAME.value\")` "
                            "in a program or `--inputs NAME` in C",
                            name));
  }
  std::string of_signal(const std::string& name) {
    if (known_.inputs.contains(name)) refuse_input(name);
    if (std::ranges::find(way_, name) != way_.end()) refuse(name, "depends on itself");
    if (way_.size() > most_signals) refuse(name, "is one of too many that follow each other");
    const Node* value = known_.signal_nodes.at(name);
    if (value->is(Node::Kind::table)) {
      if (value->find("sample")) refuse(name, "is sampled");
      if (!value->find("value")) refuse(name, "is a block or a table");
      value = value->find("value");
    }
    if (value->is(Node::Kind::number) || value->is(Node::Kind::integer))
      return fmt::format("{:.17g}", value->number);
    if (!value->is(Node::Kind::string) || !is_formula(value->text)) refuse(name, "is no formula");
    const std::string formula = formula_of(value->text);
    for (const std::string& used : Expression::names(formula))
      if (used.find('.') != std::string::npos) refuse(name, fmt::format("follows '{}'", used));
    way_.push_back(name);
    std::string all = write(formula);
    way_.pop_back();
    return all;
  }

  const Node& node_;
  const Scope& scope_;
  const Known& known_;
  std::vector<std::string> way_;
};
}  // namespace

void number_signals(Mechanism& mechanism, const std::vector<Element>& elements, Known& known) {
  for (const Element& e : elements) {
    if (!e.is_value() || names_channel(e)) continue;
    if (e.kind != Element::output) {
      known.signals[e.key->name] = int(mechanism.signals.size());
      known.signal_nodes[e.key->name] = e.node;
      if (e.kind == Element::input) known.inputs.insert(e.key->name);
    }
    Noted n;
    n.name = e.key->name;
    n.place = e.key->mark.place();
    n.is_output = e.kind == Element::output;
    mechanism.signals.push_back(std::move(n));
  }
}

void read_signal_into(Mechanism& mechanism, const Element& e, const Known& known) {
  if (names_channel(e)) {
    mechanism.outputs.push_back({e.key->name, e.node->mark.place(), e.node->text});
    return;
  }
  const auto at = std::ranges::find(mechanism.signals, e.key->name, &Noted::name);
  const auto number = at - mechanism.signals.begin();
  Noted n = *at;  // a formula may note more, which moves the others
  const Node* const unit = e.node->is(Node::Kind::table) ? e.node->find("unit") : nullptr;
  if (unit) n.unit = read_unit(*unit, e.scope() / "unit");
  if (e.kind == Element::input)
    read_input(n, e, known);
  else if (e.node->is(Node::Kind::table))
    read_table(n, e, known);
  else
    n.signal = read_signal(*e.node, e.scope(), "", known);
  mechanism.signals[std::size_t(number)] = std::move(n);
}

void check_signals(const Mechanism& mechanism, const std::vector<Element>& elements) {
  signal_order(mechanism);
  if (mechanism.outputs.empty()) return;
  Mechanism without = mechanism;
  without.outputs.clear();
  std::vector<std::string> names;
  const std::unique_ptr<System> system = build_system(without);
  for (const Channel& c : system->channels) names.push_back(c.name);
  for (const Element& e : elements) {
    if (!names_channel(e) || std::ranges::find(names, e.node->text) != names.end()) continue;
    const std::string near = suggestion(e.node->text, names);
    e.scope().fail(*e.node, fmt::format("no channel {}{}", in_quotes(e.node->text),
                                        near.empty() ? "; a formula starts with '='" : near));
  }
}

Node with_signals_written_out(const Node& node, const Scope& scope, const Known& known) {
  const std::string formula = formula_of(node.text);
  const std::vector<std::string> used = Expression::names(formula);
  const auto is_signal = [&](const std::string& name) { return known.signals.contains(name); };
  if (std::ranges::none_of(used, is_signal)) return node;
  // A signal that is a function of time may stand alone.
  const std::size_t first = formula.find_first_not_of(" \t"), last = formula.find_last_not_of(" \t");
  if (used.size() == 1 && formula.substr(first, last + 1 - first) == used[0]) {
    const Node& signal = *known.signal_nodes.at(used[0]);
    const Node* const type = signal.is(Node::Kind::table) ? signal.find("type") : nullptr;
    if (type && is_function(type->text) && !signal.find("sample")) return without_common_keys(signal);
  }
  Node written = node;
  written.text = "= " + Spelled(node, scope, known).write(formula);
  return written;
}
}  // namespace mubody::io
