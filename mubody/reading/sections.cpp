#include "mubody/reading/sections.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "mubody/math/characters.h"
#include "mubody/model/units.h"
#include "mubody/reading/formula_units.h"
#include "mubody/reading/marker_section.h"
#include "mubody/reading/markers.h"
#include "mubody/reading/places/places.h"
#include "mubody/system/registry.h"

namespace mubody::io {
namespace {
// "at line 14", or the setting on the command line.
std::string where(const Mark& mark) {
  return mark.line > 0 ? fmt::format("at line {}", mark.line) : fmt::format("by {}", *mark.file);
}

void check_name(const Element& e) {
  const std::string& name = e.key->name;
  const Scope top("");
  if (name == "ground")
    top.fail(e.key->mark,
             fmt::format("{} 'ground': the name of the body that does not move; choose another", e.word()));
  if (e.is_value()) {
    if (!is_name(name, false))
      top.fail(e.key->mark,
               fmt::format("{} {}: a name is made of letters, digits and '_' and does not begin with a digit",
                           e.word(), in_quotes(name)));
    if (name == "time")
      top.fail(e.key->mark,
               fmt::format("{} 'time': the name of the first column of results; choose another", e.word()));
    if (name == "t" || Expression::names(name).empty())
      top.fail(e.key->mark,
               fmt::format("{} '{}': the name has a meaning in formulas; choose another", e.word(), name));
  }
  if (!is_name(name, true))
    top.fail(e.key->mark,
             fmt::format("{} {}: a name is made of letters, digits, '_' and '-' and does not begin "
                         "with a digit or '-'",
                         e.word(), in_quotes(name)));
}

std::string type_of(const Element& e) {
  const Node* type = e.node->find("type");
  if (!type) e.scope().fail(e.key->mark, fmt::format("missing 'type': see 'mubody list {}s'", e.word()));
  return read_string(*type, e.scope() / "type");
}

// The section to which elements of that type belong; "" if there is no such type.
std::string_view section_of(std::string_view type) {
  if (find_force(type)) return "forces";
  const JointEntry* joint = find_joint(type);
  if (!joint) return "";
  return joint->use == Use::driver ? "drivers" : "joints";
}

// The name of what other books and programs call by that word; "" if there is none.
std::string_view name_here(std::string_view word) {
  for (const JointEntry& j : joint_kinds())
    if (j.info.is_also(word)) return j.info.name;
  for (const ForceEntry& f : force_kinds())
    if (f.info.is_also(word)) return f.info.name;
  return "";
}

// Says why a type cannot stand here.
[[noreturn]] void refuse_type(const Element& e, const std::string& type,
                              const std::vector<std::string_view>& known) {
  const std::string_view section = section_of(type);
  const Node& at = *e.node->find("type");
  if (const std::string_view name = name_here(type); section.empty() && !name.empty())
    (e.scope() / "type")
        .fail(at, fmt::format("'{}' is called '{}' here{}", type, name,
                              std::ranges::find(known, name) != known.end()
                                  ? ""
                                  : fmt::format(", and stands under [{}]", section_of(name))));
  if (!section.empty())
    (e.scope() / "type").fail(at, fmt::format("'{}' is not a {}; put it under [{}]", type, e.word(), section));
  e.scope().fail(at, no_such(fmt::format("{} type", e.word()), type, known,
                             e.kind == Element::force ? "forces" : "joints"));
}

// Says that a type exists, but not in models of this dimension.
void expect_dimension(const Element& e, bool exists, std::string_view type, const Known& known) {
  if (exists) return;
  (e.scope() / "type")
      .fail(*e.node->find("type"), fmt::format("'{}' is for {} models; this one is {}, for {}", type,
                                               known.dim == 2 ? "spatial" : "planar",
                                               known.dim == 2 ? "planar" : "spatial", known.why));
}

std::string joints_with_clearance() {
  std::vector<std::string_view> names;
  for (const JointEntry& e : joint_kinds())
    if (!e.make()->clearance().empty()) names.push_back(e.info.name);
  return fmt::format("{}", fmt::join(names, " or "));
}

// Lets an element have the keys for parts of a joint, and others, as far as it has them.
void allow_parts(const Element& e, std::initializer_list<std::string_view> others,
                 std::vector<std::string_view>& names) {
  for (const std::string_view key : others)
    if (e.node->find(key)) names.push_back(key);
  for (const std::string_view key : joint_part_keys())
    if (e.node->find(key)) names.push_back(key);
}

template <class Any>
MarkerPair read_element(Any& element, const Element& e, const Attachment& kind, const Known& known) {
  expect_element_keys(*e.node, e.scope(), kind, known);
  const MarkerPair markers = read_markers(*e.node, e.key->mark, e.scope(), kind, known);
  if constexpr (requires { element.follow(markers.motions); })
    if (!markers.motions.empty() && !element.follow(markers.motions))
      (e.scope() / "joint")
          .fail(*e.node->find("joint"), fmt::format("'{}' leaves no such motion free: no {}",
                                                    e.node->find("joint")->text, element.info().name));
  FieldReader reader(*e.node, e.key->mark, e.scope(), known);
  reader.with(markers).fill(element);
  with_places(*e.node, e.key->mark, e.scope(), [&] {
    element.check(static_cast<int>(known.dim));
    Pose i = known.start_of(element.i()), j = known.start_of(element.j());
    // A common point is taken as given, without the rounding of its way into the bodies and back.
    if (markers.common) i.at = j.at = *markers.common;
    element.start(i, j);
  });
  return markers;
}
}  // namespace

std::vector<Element> read_elements(const Node& root, Faults& faults) {
  constexpr std::pair<std::string_view, Element::Kind> sections[] = {
      {"bodies", Element::body},    {"joints", Element::joint}, {"drivers", Element::driver},
      {"forces", Element::force},   {"points", Element::point}, {"markers", Element::marker},
      {"signals", Element::signal}, {"inputs", Element::input}, {"outputs", Element::output}};
  std::vector<Element> elements;
  for (const auto& [section, kind] : sections) {
    const Node* table = root.find(section);
    if (!table) continue;
    const Scope scope{std::string(section)};
    faults.attempt("", [&] {
      if (!table->is(Node::Kind::table))
        scope.expected(fmt::format("a table: [{}] and one line per {}", section, Element::word_of(kind)),
                       *table);
    });
    for (std::size_t k = 0; k < table->keys.size(); ++k) {
      const Element e{kind, &table->keys[k], &table->items[k]};
      const bool proper = faults.attempt(e.key->name, [&] {
        check_name(e);
        if (!e.is_value() && !e.node->is(Node::Kind::table)) e.scope().expected("a table {...}", *e.node);
      });
      if (proper) elements.push_back(e);
    }
  }
  std::ranges::stable_sort(elements,
                           [](const Element& a, const Element& b) { return a.key->mark.before(b.key->mark); });
  if (const Node* parameters = root.find("parameters"))
    for (const Element& e : elements)
      faults.attempt(e.key->name, [&] {
        const Node::Key* const same = e.is_value() ? parameters->key(e.key->name) : nullptr;
        if (same)
          Scope("").fail(e.key->mark, fmt::format("duplicate name '{}': also a parameter {}", e.key->name,
                                                  where(same->mark)));
      });
  std::map<std::string_view, const Element*> owners;
  for (const Element& e : elements) {
    const auto [other, is_new] = owners.emplace(e.key->name, &e);
    faults.attempt(e.key->name, [&] {
      if (!is_new)
        Scope("").fail(e.key->mark, fmt::format("duplicate name '{}': also a {} {}", e.key->name,
                                                other->second->word(), where(other->second->key->mark)));
    });
  }
  return elements;
}

namespace {
/// A number of [parameters], or an end of its range.
struct Given {
  const Node* node;
  double value;
  std::optional<Dimension> unit{};

  std::string written() const {
    const bool as_it_is = node->is(Node::Kind::string) && !is_formula(node->text);
    return as_it_is ? node->text : fmt::format("{}", value);
  }
};

Given read_given(const Node& node, const Scope& scope, const Known& known) {
  Given given{&node, 0};
  if (node.is(Node::Kind::string) && !is_formula(node.text) && node.text.size() <= 100) {
    try {
      const Quantity quantity = parse_quantity(node.text);
      given.value = quantity.si;
      if (quantity.dim != Dimension{}) given.unit = quantity.dim;
    } catch (const UnitError&) {
      given.value = read_number(node, scope, "", known);  // throws the message
    }
  } else {
    given.value = read_number(node, scope, "", known);
    if (node.is(Node::Kind::string)) given.unit = unit_of_formula(node, scope, {}, known);
  }
  if (!std::isfinite(given.value)) scope.fail(node, "must be finite");
  return given;
}

/// Whether others may change the value.
bool is_determined_by_others(const Node& node) {
  return node.is(Node::Kind::string) && is_formula(node.text) &&
         !Expression::names(formula_of(node.text)).empty();
}

/// Of two that do not go together the one that came later.
const Node& later_of(const Given& a, const Given& b) {
  return a.node->mark.before(b.node->mark) ? *b.node : *a.node;
}

// Other units round differently: "7 mm" is not above "0.7 cm".
bool is_above(double a, double b) {
  constexpr double rounding = 1e-14;
  return a > b + rounding * std::max(std::abs(a), std::abs(b));
}

/// A parameter {value = ..., min = ..., max = ...}.
class RangedParameter {
 public:
  RangedParameter(const Node& table, const Scope& scope, const Known& known) : scope_(scope) {
    constexpr std::string_view keys[] = {"value", "min", "max"};
    expect_keys(table, scope, keys);
    if (!table.find("value")) scope.fail(table, "missing 'value', as in {value = 2, min = 1, max = 3}");
    for (const std::string_view key : keys)
      if (const Node* const node = table.find(key)) all_.emplace(key, read_given(*node, scope / key, known));
  }

  /// The value, with the unit that any of them has.
  Given value() const {
    Given given = all_.at("value");
    std::string_view first = "value";  // that has a unit
    for (const std::string_view key : {"min", "max"}) {
      const auto end = all_.find(key);
      if (end == all_.end() || !end->second.unit) continue;
      if (!given.unit)
        given.unit = end->second.unit, first = key;
      else if (!is_one_kind(*given.unit, *end->second.unit))
        scope_.fail(later_of(all_.at(first), end->second),
                    fmt::format("'{}' is {} and '{}' is {}: both must be of one kind", first,
                                describe(*given.unit), key, describe(*end->second.unit)));
    }
    return given;
  }
  ParameterRange range() const {
    ParameterRange range;
    const auto end = [&](std::string_view key, std::optional<ParameterRange::End>& into) {
      if (const auto e = all_.find(key); e != all_.end()) into = {e->second.value, e->second.written()};
    };
    end("min", range.min), end("max", range.max);
    if (range.min && range.max && is_above(range.min->si, range.max->si))
      scope_.fail(later_of(all_.at("min"), all_.at("max")),
                  fmt::format("'min', {}, is above 'max', {}; exchange the two", range.min->written,
                              range.max->written));
    return range;
  }
  /// Without ends that other parameters determine.  A value at an end is not beyond it, however it is rounded.
  ParameterRange known_ends(ParameterRange range, double value) const {
    if (range.min) range.min->si = std::min(range.min->si, value);
    if (range.max) range.max->si = std::max(range.max->si, value);
    if (range.min && is_determined_by_others(*all_.at("min").node)) range.min.reset();
    if (range.max && is_determined_by_others(*all_.at("max").node)) range.max.reset();
    return range;
  }

 private:
  const Scope& scope_;
  std::map<std::string_view, Given> all_;
};

void read_parameter(const Node::Key& key, const Node& node, Known& known) {
  constexpr std::string_view words[] = {"t", "and", "or", "not"};
  const Scope scope("parameter " + in_quotes(key.name));
  if (!is_name(key.name, false))
    scope.fail(key.mark, "a name is made of letters, digits and '_' and does not begin with a digit");
  if (std::ranges::find(words, key.name) != std::end(words))
    scope.fail(key.mark, "the name has a meaning in formulas; choose another");
  Given given{&node, 0};
  if (node.is(Node::Kind::table)) {
    const RangedParameter ranged(node, scope, known);
    given = ranged.value();
    if (!known.beyond_ranges) {
      const ParameterRange range = ranged.range();
      expect_within(range, given.value, given.written(), scope, given.node->mark);
      known.ranges[key.name] = ranged.known_ends(range, given.value);
    }
  } else {
    given = read_given(node, scope, known);
  }
  if (given.unit) known.units[key.name] = *given.unit;
  known.parameters[key.name] = given.value;
}
}  // namespace

void expect_within(const ParameterRange& range, double value, const std::string& written, const Scope& scope,
                   const Mark& mark) {
  const bool below = range.min && is_above(range.min->si, value);
  if (!below && !(range.max && is_above(value, range.max->si))) return;
  const std::string expected = range.min && range.max
                                   ? fmt::format("from {} to {}", range.min->written, range.max->written)
                               : range.min ? "at least " + range.min->written
                                           : "at most " + range.max->written;
  scope.fail(mark,
             fmt::format("{} is outside of the range: expected {}; choose such a value, or change '{}' of the "
                         "parameter",
                         written, expected, below ? "min" : "max"));
}

void read_parameters(const Node& root, Known& known, Faults& faults) {
  const Node* table = root.find("parameters");
  if (!table) return;
  faults.attempt("", [&] {
    if (!table->is(Node::Kind::table)) Scope("parameters").expected("a table", *table);
  });
  for (const Node::Key& key : table->keys) known.later_parameters.insert(key.name);
  for (std::size_t k = 0; k < table->keys.size(); ++k) {
    const Node::Key& key = table->keys[k];
    const Node& node = table->items[k];
    faults.attempt(key.name, node, [&] { read_parameter(key, node, known); });
    known.later_parameters.erase(key.name);
  }
}

namespace {
/// The frame from which the motion of a point is seen: a marker, or a body in its own frame.
Marker read_observer(const Node& name, const Scope& scope, const Known& known) {
  const auto body = known.bodies.find(name.text);
  if (name.is(Node::Kind::string) && body != known.bodies.end()) return known.origin(body->second);
  return named_marker(name, scope, known).marker;
}
}  // namespace

void read_point_into(Mechanism& mechanism, const Element& e, Known& known) {
  const std::string_view keys[] = {"body", "marker", "at", "in"};
  expect_keys(*e.node, e.scope(), keys);
  Point point{e.key->name, e.key->mark.place(),
              read_frame(*e.node, e.scope(), read_outer_frame(e, known), known).marker};
  point.marker.turn = Quaternion::Identity();  // a point has no axes
  if (const Node* const in = e.node->find("in")) point.in = read_observer(*in, e.scope() / "in", known);
  mechanism.points.push_back(point);
  // Formulas see the state in global axes.
  if (!point.in) known.points[point.name] = point.marker;
}

Named<AnyJoint> read_joint(const Element& e, Known& known) {
  const std::string type = type_of(e);
  const Use elsewhere = e.kind == Element::driver ? Use::joint : Use::driver;
  const JointEntry* entry = find_joint(type);
  if (!entry || entry->use == elsewhere) {
    std::vector<std::string_view> types;
    for (const JointEntry& j : joint_kinds())
      if (j.use != elsewhere) types.push_back(j.info.name);
    refuse_type(e, type, types);
  }
  expect_dimension(e, entry->in(static_cast<int>(known.dim)), type, known);
  Named<AnyJoint> joint{e.key->name, e.key->mark.place(), entry->make(), e.kind == Element::driver};
  Attachment kind = attachment_of(*joint.what, entry->use != Use::joint);
  if (e.kind == Element::joint) allow_parts(e, {"compliance", "backlash", "friction"}, kind.fields.names);
  read_joint_friction(*joint.what, e, known);
  const MarkerPair markers = read_element(*joint.what, e, kind, known);
  if (e.kind == Element::joint && kind.fields.has_i) {
    known.joints[joint.name] = markers;
    const auto motions = joint.what->allow();
    known.joints[joint.name].motions.assign(motions.begin(), motions.end());
  }
  return joint;
}

void read_force_into(Mechanism& mechanism, const Element& e, const Known& known) {
  const std::string type = type_of(e);
  const ForceEntry* entry = find_force(type);
  if (!entry) {
    std::vector<std::string_view> types;
    for (const ForceEntry& f : force_kinds()) types.push_back(f.info.name);
    refuse_type(e, type, types);
  }
  expect_dimension(e, entry->in(static_cast<int>(known.dim)), type, known);
  Named<AnyForce> force{e.key->name, e.key->mark.place(), entry->make()};
  Attachment kind = attachment_of(*force.what, true);
  kind.fields.names.push_back("vectors");
  read_element(*force.what, e, kind, known);
  force.what->measure_from(known.origin(force.what->j().body).at);
  if (const Node* const vectors = e.node->find("vectors")) {
    if (!vectors->is(Node::Kind::boolean)) (e.scope() / "vectors").expected("true or false", *vectors);
    force.vectors = vectors->number != 0;
    if (force.vectors && !force.what->couples().empty())
      (e.scope() / "vectors").fail(*vectors, "a force along coordinates of joints has no points where it acts");
  }
  mechanism.forces.push_back(std::move(force));
}

void read_clearance_into(Mechanism& mechanism, const Element& e, Known& known) {
  const Node& table = *e.node->find("clearance");
  const Scope scope = e.scope() / "clearance";
  const std::string type = type_of(e);
  const JointEntry* entry = find_joint(type);
  const auto joint = entry ? entry->make() : nullptr;
  if (!joint || joint->clearance().empty())
    scope.fail(table,
               fmt::format("only a {} joint can have clearance, not '{}'", joints_with_clearance(), type));
  if (known.dim != 2) scope.fail(table, "is for planar models; in space use sphere_contact or plane_contact");
  if (!table.is(Node::Kind::table))
    scope.expected("a table {bearing_radius = ..., journal_radius = ..., ...}", table);

  Attachment kind = attachment_of(*joint, false);
  allow_parts(e, {"clearance"}, kind.fields.names);
  expect_element_keys(*e.node, e.scope(), kind, known);
  const MarkerPair markers = read_markers(*e.node, e.key->mark, e.scope(), kind, known);
  Named<AnyForce> bearing{e.key->name, e.key->mark.place(), find_force(joint->clearance())->make()};
  expect_keys(table, scope, fields_of(*bearing.what).names);
  FieldReader reader(table, table.mark, scope, known);
  reader.with(markers).fill(*bearing.what);
  with_places(table, table.mark, scope, [&] {
    bearing.what->check(int(known.dim));
    bearing.what->start({}, {});
  });
  mechanism.forces.push_back(std::move(bearing));
  known.joints[e.key->name] = markers;
  const auto motions = joint->allow();
  known.joints[e.key->name].motions.assign(motions.begin(), motions.end());
  joint->i() = markers.i, joint->j() = markers.j;
  const Named<AnyJoint> named{e.key->name, e.key->mark.place(), joint->clone()};
  add_joint_parts(mechanism, JointSite(named, mechanism.dim), e, known);
}
}  // namespace mubody::io
