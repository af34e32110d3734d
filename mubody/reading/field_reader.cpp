#include "mubody/reading/field_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/reading/places/places.h"

namespace mubody::io {
std::string FieldReader::unit_of(const Field& f) const {
  // Laws and functions name the unit by a word, for what they depend on may be a time, a length or an angle.
  if (f.unit == "deflection" || f.unit == "argument") return units_.over;
  if (f.unit == "force/deflection") return units_.power(1);
  if (!f.unit.empty()) return std::string(f.unit);
  return f.name.ends_with("_slope") ? units_.power(1) : units_.power(0);
}

namespace {
/// "N, N m" taken apart.
std::vector<std::string> units_in(std::string_view list) {
  std::vector<std::string> units;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(", ", begin), list.size());
    units.emplace_back(list.substr(begin, end - begin));
    begin = end + 2;
  }
  return units;
}
}  // namespace

// The unit of the k-th of `count` numbers.  A field with several units has numbers for slides, then for turns: the first
// unit is that of slides, the second that of turns, and the third that of numbers in a matrix that couple the two.
std::string FieldReader::unit_of_number(const Field& f, std::size_t k, std::size_t count) const {
  if (f.unit.empty()) return units_.power(units_.first + static_cast<int>(k));
  const std::vector<std::string> units = units_in(f.unit);
  if (units.size() < 2) return unit_of(f);
  const std::size_t slides = known_.dim, all = known_.dim == 2 ? 3 : 6;
  if (units.size() < 3 || count <= all) return units[k < slides ? 0 : 1];
  const bool row = k / all < slides, column = k % all < slides;
  return units[row != column ? 2 : (row ? 0 : 1)];
}

// The units of the columns of data: those of the field, "s, N, N[, m, m]", where the last may be left out; within a
// curve, the unit of its abscissas first and the unit of its values in the chosen column.
std::vector<std::string> FieldReader::column_units(const Field& f) const {
  if (!f.unit.empty()) {
    std::string list(f.unit);
    std::erase_if(list, [](char c) { return c == '[' || c == ']'; });
    return units_in(list);
  }
  std::vector<std::string> units;
  const Node* chosen = table_.find("column");
  const int column = chosen ? read_integer(*chosen, scope_ / "column", known_) : 1;
  constexpr int most = 10'000;  // whether the column exists is checked later
  units.resize(static_cast<std::size_t>(std::clamp(column, 0, most)) + 1);
  units.back() = units_.value;
  units.front() = units_.over;
  return units;
}

void FieldReader::missing(const Field& f, const std::string& words) const {
  const bool has_unit = !f.unit.empty() && f.unit != "1";
  scope_.fail(owner_, fmt::format("missing '{}'{}: {}{}", f.name,
                                  has_unit ? fmt::format(" ({})", unit_of(f)) : "", f.meaning, words));
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f, double& value) const {
  value = read_number(node, scope, unit_of(f), known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field&, int& value) const {
  value = read_integer(node, scope, known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field&, bool& value) const {
  if (!node.is(Node::Kind::boolean)) scope.expected("true or false", node);
  value = node.number != 0;
}

void FieldReader::read(const Node& node, const Scope& scope, const Field&, std::string& value) const {
  value = read_string(node, scope);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field&, Choice& value) const {
  value.index = read_choice(node, scope, value.words);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f, Vec<3>& value) const {
  // A vector in metres is a point, which may be a place.
  const std::string unit = unit_of(f);
  value = unit == "m" ? read_point(node, scope, known_) : read_vector(node, scope, unit, known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f, std::vector<double>& value) const {
  if (!node.is(Node::Kind::array)) scope.expected("an array of numbers", node);
  value.clear();
  std::size_t count = 0;
  for (const Node& item : node.items) count += item.is(Node::Kind::array) ? item.items.size() : 1;
  const auto add = [&](const Node& item) {
    value.push_back(read_number(item, scope, unit_of_number(f, value.size(), count), known_));
  };
  for (const Node& item : node.items)
    if (item.is(Node::Kind::array))  // the row of a matrix
      std::ranges::for_each(item.items, add);
    else
      add(item);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field&,
                       std::vector<std::string>& value) const {
  value = read_strings(node, scope);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f, Data& value) const {
  value = read_data(node, scope, column_units(f), known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field&, std::vector<Coupled>& value) const {
  value.clear();
  const std::vector<std::string> names = read_strings(node, scope);
  for (std::size_t k = 0; k < names.size(); ++k) {
    Coupled c{names[k]};
    const MarkerPair& joint = find_joint_markers(node.items[k], scope, joint_in(c.name), known_);
    try {
      c.motion = motion_in(c.name, joint.motions);
    } catch (const FieldError& e) {
      scope.fail(node.items[k], e.what());
    }
    c.i = joint.i, c.j = joint.j, c.found = true;
    c.start = coordinate_at(c.motion, known_.start_of(c.i), known_.start_of(c.j));
    value.push_back(std::move(c));
  }
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f, Function& value) const {
  value = read_function(node, scope, {unit_of(f), std::string(f.over), 0, f.of_time}, known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f,
                       std::vector<Function>& value) const {
  if (!node.is(Node::Kind::array)) scope.expected("an array of functions of time", node);
  value.clear();
  for (const Node& item : node.items)
    value.push_back(read_function(item, scope, {unit_of(f), std::string(f.over), 0, f.of_time}, known_));
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f, Signal& value) const {
  value = read_signal(node, scope, unit_of(f), known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f, std::vector<Signal>& value) const {
  expect_components(node, scope, "components", known_);
  value.clear();
  for (const Node& item : node.items) value.push_back(read_signal(item, scope, unit_of(f), known_));
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f, Law& value) const {
  value = read_law(node, scope, unit_of(f), known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f,
                       std::optional<double>& value) const {
  value = read_number(node, scope, unit_of(f), known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f,
                       std::optional<Function>& value) const {
  value = read_function(node, scope, {unit_of(f), std::string(f.over), 0, f.of_time}, known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field& f, std::optional<Law>& value) const {
  value = read_law(node, scope, unit_of(f), known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field&, ContactLaw& value) const {
  value = read_contact_law(node, scope, known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field&,
                       std::optional<Friction>& value) const {
  value = read_friction(node, scope, known_);
}

void FieldReader::read(const Node& node, const Scope& scope, const Field&, BodyCurve& value) const {
  value = read_curve(node, scope, known_);
}

void FieldReader::read(const Node& written, const Scope& scope, const Field&, Nested& value) const {
  value.begin();
  const auto names = fields_of(value).names;
  const Node node = property_table(written, scope, names, known_);
  if (!node.is(Node::Kind::table)) scope.expected("a table {...}", node);
  expect_keys(node, scope, names);
  FieldReader reader(node, node.mark, scope, known_);
  reader.fill(value);
  with_places(node, node.mark, scope, [&] { value.check(); });
}
}  // namespace mubody::io
