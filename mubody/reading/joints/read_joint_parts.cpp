// What acts on the turns and slides of a joint, beside its own keys:
//
//   limits = ["-30 deg", "90 deg"], or {low = ..., high = ..., stiffness = ..., restitution = ...}
//   stiffness = 20, damping = 0.5, free = "10 deg"
//   motor = {torque = ...}, {speed = ..., gain = ...} or {position = ..., stiffness = ...}
//   backlash = {gap = "0.1 mm", stiffness = 1e8}
//
// A joint with several coordinates names them: limits = {angle = [...], slide = [...]}, and so for every key.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "mubody/forces/joint_motor.h"
#include "mubody/forces/joint_spring.h"
#include "mubody/forces/position_motor.h"
#include "mubody/forces/speed_motor.h"
#include "mubody/reading/field_reader.h"
#include "mubody/reading/sections.h"
#include "mubody/simulation/joint_parts.h"

namespace mubody::io {
namespace {
constexpr std::string_view part_keys[] = {"limits", "motor", "stiffness", "damping", "free"};

/// Calls `each(coordinate, node, scope)` with what a key says about every coordinate: of the only one, or by their names.
template <class Each>
void of_coordinates(const Node& node, const Scope& scope, const JointSite& site, const Each& each) {
  const std::vector<std::string> names = site.coordinate_names();
  if (names.empty())
    scope.fail(node,
               fmt::format("is for joints that leave a turn or a slide free, which '{}' does not", site.type));
  const auto is_named = [&](const std::string& name) {
    return node.is(Node::Kind::table) && node.find(name) != nullptr;
  };
  if (std::ranges::none_of(names, is_named)) {
    if (names.size() > 1)
      scope.fail(node, fmt::format("of which coordinate? '{}' has {}: give {{{} = ...}}", site.name,
                                   fmt::join(names, ", "), fmt::join(names, " = ..., ")));
    each(site.motions[0], node, scope);
    return;
  }
  expect_keys(node, scope, std::vector<std::string_view>(names.begin(), names.end()));
  for (std::size_t k = 0; k < names.size(); ++k)
    if (const Node* part = node.find(names[k])) each(site.motions[k], *part, scope / names[k]);
}

/// Runs a check of limits that are given as an array; an error is reported at the end that it is about.
template <class Check> void with_ends(const Node& array, const Scope& scope, const Check& check) {
  try {
    check();
  } catch (const FieldError& e) {
    const Node* at = e.field == "low" ? &array.items[0] : e.field == "high" ? &array.items[1] : &array;
    scope.fail(*at, e.what());
  }
}

void read_limits(Mechanism& mechanism, const JointSite& site, Elementary c, const Node& node,
                 const Scope& scope, const Known& known) {
  JointLimits limits;
  limits.turn = is_turn(c);
  const auto add = [&] { add_limits(mechanism, site, c, limits); };
  if (node.is(Node::Kind::array) && node.items.size() == 2) {
    limits.low = read_number(node.items[0], scope, limits.turn ? "rad" : "m", known);
    limits.high = read_number(node.items[1], scope, limits.turn ? "rad" : "m", known);
    with_ends(node, scope, add);
    return;
  }
  if (!node.is(Node::Kind::table)) scope.expected("[low, high], or a table {low = ..., high = ...}", node);
  expect_keys(node, scope, fields_of(limits).names);
  FieldReader reader(node, node.mark, scope, known);
  reader.fill(limits);
  with_places(node, node.mark, scope, add);
}

template <class Motor>
void read_motor_as(Mechanism& mechanism, const JointSite& site, Elementary c, const Node& node,
                   const Scope& scope, const Known& known) {
  Motor motor;
  motor.follow(c);
  expect_keys(node, scope, fields_of(motor).names);
  FieldReader reader(node, node.mark, scope, known);
  reader.fill(motor);
  with_places(node, node.mark, scope, [&] { add_part(mechanism, site, c, "motor", std::move(motor)); });
}

void read_motor(Mechanism& mechanism, const JointSite& site, Elementary c, const Node& node, const Scope& scope,
                const Known& known) {
  const char *given = is_turn(c) ? "torque" : "force", *other = is_turn(c) ? "force" : "torque";
  const std::string shapes =
      fmt::format("{{{} = ...}}, {{speed = ..., gain = ...}} or {{position = ..., stiffness = ...}}", given);
  if (!node.is(Node::Kind::table)) scope.expected("a table " + shapes, node);
  if (const Node* wrong = node.find(other))
    (scope / other)
        .fail(*wrong, fmt::format("a motor at {} has '{}'", is_turn(c) ? "an angle" : "a slide", given));
  const int kinds = int(!!node.find(given)) + int(!!node.find("speed")) + int(!!node.find("position"));
  if (kinds > 1)
    scope.fail(node, fmt::format("what does it hold? Give one of '{}', 'speed' and 'position'", given));
  if (node.find(given))
    read_motor_as<JointMotor>(mechanism, site, c, node, scope, known);
  else if (node.find("speed"))
    read_motor_as<SpeedMotor>(mechanism, site, c, node, scope, known);
  else if (node.find("position"))
    read_motor_as<PositionMotor>(mechanism, site, c, node, scope, known);
  else
    scope.fail(node, "what does it do? Give " + shapes);
}

/// stiffness, damping and free, which make one spring at every coordinate.
void read_springs(Mechanism& mechanism, const JointSite& site, const Element& e, const Known& known) {
  std::map<Elementary, JointSpring> springs;
  const auto read = [&](std::string_view key, std::string_view turn, std::string_view slide, const auto& put) {
    if (const Node* node = e.node->find(key))
      of_coordinates(*node, e.scope() / key, site, [&](Elementary c, const Node& at, const Scope& scope) {
        const double value = read_number(at, scope, is_turn(c) ? turn : slide, known);
        if (!std::isfinite(value)) scope.fail(at, "must be finite");
        put(c, at, scope, value);
      });
  };
  read("stiffness", "N m/rad", "N/m",
       [&](Elementary c, const Node&, const Scope&, double x) { springs[c].stiffness = x; });
  read("damping", "N m s/rad", "N s/m",
       [&](Elementary c, const Node&, const Scope&, double x) { springs[c].damping = x; });
  read("free", "rad", "m", [&](Elementary c, const Node& at, const Scope& scope, double x) {
    if (!springs.contains(c) || springs[c].stiffness == 0)
      scope.fail(at, "is where a spring is at rest, and goes with 'stiffness', which is missing");
    springs[c].free = x;
  });
  for (auto& [c, spring] : springs) add_part(mechanism, site, c, "spring", std::move(spring));
}
}  // namespace

std::span<const std::string_view> joint_part_keys() { return part_keys; }

void add_joint_parts(Mechanism& mechanism, const JointSite& site, const Element& e, const Known& known) {
  const auto read = [&](std::string_view key, const auto& work) {
    if (const Node* node = e.node->find(key))
      of_coordinates(*node, e.scope() / key, site, [&](Elementary c, const Node& at, const Scope& scope) {
        work(mechanism, site, c, at, scope, known);
      });
  };
  read("limits", read_limits);
  read("motor", read_motor);
  read_springs(mechanism, site, e, known);
}

void add_backlash_of(Mechanism& mechanism, const Named<AnyJoint>& joint, const Element& e, const Known& known) {
  const Node& node = *e.node->find("backlash");
  const Scope scope = e.scope() / "backlash";
  if (!node.is(Node::Kind::table)) scope.expected("a table {gap = ..., stiffness = ...}", node);
  if (const Node* compliance = e.node->find("compliance"))
    (e.scope() / "compliance")
        .fail(*compliance, "does not go with 'backlash': the teeth have a stiffness there");
  Backlash backlash;
  backlash.turn = joint.what->plays_by_angle();
  expect_keys(node, scope, fields_of(backlash).names);
  FieldReader reader(node, node.mark, scope, known);
  reader.fill(backlash);
  with_places(node, node.mark, scope, [&] { add_backlash(mechanism, joint, backlash); });
}
}  // namespace mubody::io
