// friction = {static = 0.2, kinetic = 0.15, radius = "10 mm"}: dry friction at the turn or slide of a joint.
#include <algorithm>

#include <fmt/format.h>

#include "mubody/reading/field_reader.h"
#include "mubody/reading/sections.h"

namespace mubody::io {
void read_joint_friction(AnyJoint& joint, const Element& e, const Known& known) {
  const Node* const node = e.node->find("friction");
  if (!node) return;
  const Scope scope = e.scope() / "friction";
  if (e.kind == Element::driver) scope.fail(*node, "is for joints: give it to the joint that is driven");
  if (e.node->find("compliance"))
    scope.fail(
        *node,
        "does not go with 'compliance': a joint that gives way has no equations whose reaction loads it");
  const auto motions = joint.allow();
  if (!may_rub(motions))
    scope.fail(*node, fmt::format("is for joints with one turn, one slide, or one of each, as revolute, "
                                  "translational and cylindrical, not for '{}'",
                                  joint.info().name));
  DryFriction friction;
  friction.only_turns = std::ranges::all_of(motions, is_turn);
  if (node->is(Node::Kind::table)) {
    expect_keys(*node, scope, fields_of(friction).names);
    FieldReader(*node, node->mark, scope, known).fill(friction);
  } else if (node->is(Node::Kind::array)) {
    scope.expected("a coefficient, or a table such as {static = 0.2, kinetic = 0.15}", *node);
  } else {
    friction.coefficient = read_number(*node, scope, "1", known);
  }
  with_places(*node, node->mark, scope, [&] { friction.check(motions, int(known.dim)); });
  joint.friction = friction;
}
}  // namespace mubody::io
