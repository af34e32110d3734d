#include "mubody/reading/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/model/units.h"
#include "mubody/reading/formula_units.h"

namespace mubody::io {
namespace {
// Where in a formula something is wrong, on the line of the message: " (at character 4 of '= 2*l')".
std::string place_in(const std::string& text, std::size_t position) {
  constexpr std::size_t before = 30, after = 20;  // of a long formula only this part is shown
  const auto continues = [&](std::size_t k) {
    return k < text.size() && (static_cast<unsigned char>(text[k]) & 0xC0) == 0x80;
  };
  std::size_t begin = position > before ? position - before : 0, end = std::min(text.size(), position + after);
  while (begin > 0 && continues(begin)) --begin;
  while (continues(end)) ++end;
  std::size_t number = 1;
  for (std::size_t k = 0; k < position; ++k) number += continues(k) ? 0 : 1;
  return fmt::format(
      " (at character {} of {})", number,
      in_quotes((begin > 0 ? "..." : "") + text.substr(begin, end - begin) + (end < text.size() ? "..." : "")));
}

[[noreturn]] void fail_at(const Node& node, const Scope& scope, std::size_t position,
                          const std::string& message) {
  scope.fail(node, message + place_in(node.text, position));
}

std::size_t start_of_formula(const std::string& text) { return is_formula(text) ? text.find('=') + 1 : 0; }

// Names that exist but cannot be used here deserve better than "unknown".
void refuse_names(const Node& node, const Scope& scope, const std::vector<std::string>& variables,
                  const Known& known) {
  const std::string formula = formula_of(node.text);
  for (const std::string& name : Expression::names(formula)) {
    if (std::ranges::find(variables, name) != variables.end() || known.parameters.contains(name)) continue;
    const std::size_t at = start_of_formula(node.text) + std::min(formula.find(name), formula.size());
    if (name == "t")
      fail_at(node, scope, at,
              variables.empty() ? "the time t cannot be used here: the value must be constant"
                                : "the time t cannot be used here: the formula is one in " + variables[0]);
    if (known.later_parameters.contains(name))
      fail_at(node, scope, at,
              fmt::format("'{}' is defined further down; only earlier parameters can be used", name));
    if (known.state(name))
      fail_at(node, scope, at, fmt::format("'{}' changes with the motion and cannot be used here", name));
  }
}

double read_quantity(const Node& node, const Scope& scope, std::string_view unit) {
  constexpr std::size_t longest = 100;
  if (node.text.size() > longest) scope.fail(node, in_quotes(node.text) + " is not a number with a unit");
  try {
    return to_si(node.text, unit);
  } catch (const UnitError& e) {
    std::string message = e.what();
    const bool like_formula = node.text.find_first_of("*+(^") != std::string::npos;
    const bool is_number = e.kind != UnitError::no_number;
    if (!is_number) message = in_quotes(node.text) + " is not a number with a unit";
    const std::size_t comma = node.text.find(',');
    if (comma != std::string::npos && comma > 0 && node.text[comma - 1] >= '0' && node.text[comma - 1] <= '9')
      message += "; decimals are written with a point";
    else if (like_formula || !is_number)
      message += "; a formula starts with '='";
    else if (e.kind == UnitError::unknown_unit && e.more.empty() && !unit.empty())
      message += fmt::format("; expected {} ({})", describe(parse_unit(unit).dim), unit);
    scope.fail(node, message);
  }
}
}  // namespace

Pose Known::start_of(const Marker& m) const {
  Pose p = start[static_cast<std::size_t>(m.body)] * pose(m);
  if (dim == 3) p.angle = 0;  // the angle is counted in the plane only
  return p;
}

Marker Known::origin(int body) const {
  const auto k = static_cast<std::size_t>(body);
  return {body, k < com.size() ? Vec<3>(-com[k]) : Vec<3>(Vec<3>::Zero())};
}

std::string Known::because() const {
  return fmt::format("the model is {}, for {}", dim == 2 ? "planar" : "spatial", why);
}

void read_dimension(const Node& root, Known& known) {
  const auto decides = [&](const Node* vector, const std::string& name) {
    if (!vector || !vector->is(Node::Kind::array)) return false;
    const Mark& mark = vector->mark;
    known.dim = vector->items.size() == 3 ? 3 : 2;
    known.why = fmt::format("{} has {} components ({})", name, known.dim,
                            mark.line > 0 ? fmt::format("line {}", mark.line) : *mark.file);
    return true;
  };
  if (decides(root.find("gravity"), "gravity")) return;
  const Node *const bodies = root.find("bodies"), *const places = root.find("places");
  if (bodies && bodies->is(Node::Kind::table))
    for (std::size_t k = 0; k < bodies->items.size(); ++k)
      if (decides(bodies->items[k].find("position"), "the position of body " + in_quotes(bodies->keys[k].name)))
        return;
  if (places && places->is(Node::Kind::table))
    for (std::size_t k = 0; k < places->items.size(); ++k)
      if (decides(&places->items[k], "place " + in_quotes(places->keys[k].name))) return;
}

void refuse_key(const Node& table, const Scope& scope, std::string_view key, const Known& known,
                std::string_view instead) {
  const Node::Key* const found = table.key(key);
  if (!found) return;
  (scope / key)
      .fail(found->mark,
            fmt::format("is for {} models; this one is {}, for {}; {}", known.dim == 2 ? "spatial" : "planar",
                        known.dim == 2 ? "planar" : "spatial", known.why, instead));
}

bool is_formula(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first != std::string::npos && text[first] == '=';
}

std::string formula_of(const std::string& text) { return text.substr(start_of_formula(text)); }

Expression read_formula(const Node& node, const Scope& scope, const std::vector<std::string>& variables,
                        std::string_view unit, const Known& known) {
  refuse_names(node, scope, variables, known);
  try {
    expect_unit(node, scope, variables, unit, known);
    return Expression::parse(formula_of(node.text), variables, known.parameters);
  } catch (const ExpressionError& e) {
    fail_at(node, scope, start_of_formula(node.text) + e.position, e.what());
  }
}

double read_number(const Node& node, const Scope& scope, std::string_view unit, const Known& known) {
  double value = 0;
  switch (node.kind) {
    case Node::Kind::number:
    case Node::Kind::integer: value = node.number; break;
    case Node::Kind::string:
      value = is_formula(node.text) ? read_formula(node, scope, {}, unit, known)(std::span<const double>())
                                    : read_quantity(node, scope, unit);
      break;
    default: scope.expected("a number", node);
  }
  if (!std::isfinite(value)) scope.fail(node, "must be finite");
  return value;
}

int read_integer(const Node& node, const Scope& scope, const Known& known) {
  const double value = read_number(node, scope, "", known);
  if (value != std::floor(value)) scope.fail(node, fmt::format("expected a whole number, got {}", value));
  if (std::abs(value) > std::numeric_limits<int>::max())
    scope.fail(node, fmt::format("must not be larger than {}", std::numeric_limits<int>::max()));
  return static_cast<int>(value);
}

std::string read_string(const Node& node, const Scope& scope) {
  if (!node.is(Node::Kind::string)) scope.expected("a string", node);
  return node.text;
}

std::vector<std::string> read_strings(const Node& node, const Scope& scope) {
  if (!node.is(Node::Kind::array)) scope.expected("an array of strings", node);
  std::vector<std::string> all;
  for (const Node& item : node.items) all.push_back(read_string(item, scope));
  return all;
}

int read_choice(const Node& node, const Scope& scope, std::span<const std::string_view> words) {
  if (!node.is(Node::Kind::string)) scope.expected(one_of(words), node);
  const auto word = std::ranges::find(words, node.text);
  if (word == words.end())
    scope.fail(node, fmt::format("expected {}, got {}{}", one_of(words), in_quotes(node.text),
                                 suggestion(node.text, words)));
  return static_cast<int>(word - words.begin());
}

void expect_components(const Node& node, const Scope& scope, std::string_view what, const Known& known) {
  const std::string wanted = fmt::format("expected {} {}", known.dim, what);
  // Planar models have one number where spatial ones have three.
  if (!node.is(Node::Kind::array))
    scope.fail(node, fmt::format("{} in an array, got {}{}", wanted, described(node),
                                 known.dim == 3 ? ": " + known.because() : ""));
  const std::size_t size = node.items.size();
  if (size != known.dim)
    scope.fail(node,
               fmt::format("{}, got {}{}", wanted, size, size + known.dim == 5 ? ": " + known.because() : ""));
}

const MarkerPair& find_joint_markers(const Node& node, const Scope& scope, const std::string& name,
                                     const Known& known) {
  const auto found = known.joints.find(name);
  if (found != known.joints.end()) return found->second;
  std::vector<std::string> all;
  for (const auto& [joint, unused] : known.joints) all.push_back(joint);
  scope.fail(node,
             fmt::format("no joint between two bodies named {}{}", in_quotes(name), suggestion(name, all)));
}

Vec<3> read_vector(const Node& node, const Scope& scope, std::string_view unit, const Known& known) {
  expect_components(node, scope, "numbers", known);
  Vec<3> v = Vec<3>::Zero();
  for (std::size_t k = 0; k < known.dim; ++k)
    v[static_cast<Eigen::Index>(k)] = read_number(node.items[k], scope, unit, known);
  return v;
}
}  // namespace mubody::io
