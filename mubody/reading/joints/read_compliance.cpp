// compliance = {x = {stiffness = 1e6, damping = 200}, angle_y = {...}}: directions in which a joint gives way;
// or compliance = {motions = ["angle_y"], bushings = {front = {at = [...], stiffness = [...]}, ...}}: the same,
// from bushings.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "mubody/mechanism/compliance.h"
#include "mubody/reading/field_reader.h"
#include "mubody/reading/places/places.h"
#include "mubody/reading/sections.h"

namespace mubody::io {
namespace {
/// A spring and a damper in one direction.
template <bool turn> struct StiffDirection {
  double stiffness = 0, damping = 0;

  void fields(Fields& f) {
    f.required("stiffness", stiffness, turn ? "N m/rad" : "N/m", "of the spring");
    f.optional("damping", damping, turn ? "N m s/rad" : "N s/m", "of the damper beside it");
  }
  void check() const {
    require(stiffness > 0, "stiffness", "must be positive");
    require(damping >= 0, "damping", "must not be negative");
  }
};

struct ComplianceTable {
  std::optional<StiffDirection<false>> x, y, z;
  std::optional<StiffDirection<true>> angle_x, angle_y, angle_z;

  void fields(Fields& f) {
    f.table("x", x, "along x of the joint's frame on its first body");
    f.table("y", y, "along y");
    f.table("z", z, "along z");
    f.table("angle_x", angle_x, "about x");
    f.table("angle_y", angle_y, "about y");
    f.table("angle_z", angle_z, "about z");
  }
  void check(int D) const {
    require(D == 3 || !z, "z", "is not in the plane: x, y or angle_z");
    require(D == 3 || !angle_x, "angle_x", "is not in the plane: x, y or angle_z");
    require(D == 3 || !angle_y, "angle_y", "is not in the plane: x, y or angle_z");
  }
  void into(JointCompliance& c, int D) const {
    const auto add = [&](const auto& direction) {
      c.stiffness.push_back(direction ? direction->stiffness : 0);
      c.damping.push_back(direction ? direction->damping : 0);
    };
    add(x), add(y);
    if (D == 3) add(z), add(angle_x), add(angle_y);
    add(angle_z);
  }
};

constexpr std::string_view words[] = {"x", "y", "z", "angle_x", "angle_y", "angle_z"};

// Numbers for x, y and the angle about z in the plane, for all six motions in space.
SixMotions read_diagonal(const Node& node, const Scope& scope, std::string_view slide, std::string_view turn,
                         const Known& known) {
  const std::size_t n = known.dim == 2 ? 3 : 6;
  if (!node.is(Node::Kind::array) || node.items.size() != n)
    scope.expected(fmt::format("{} numbers: along {}, then about {}", n, n == 3 ? "x and y" : "x, y and z",
                               n == 3 ? "z" : "them"),
                   node);
  SixMotions all = SixMotions::Zero();
  for (std::size_t k = 0; k < n; ++k) {
    const auto to = Eigen::Index(n == 3 && k == 2 ? 5 : k);
    all[to] = read_number(node.items[k], scope, to < 3 ? slide : turn, known);
    if (!(all[to] >= 0)) scope.fail(node.items[k], "must not be negative");
  }
  return all;
}

std::vector<int> read_motions(const Node& table, const Scope& scope, const Known& known) {
  const Node* node = table.find("motions");
  if (!node)
    scope.fail(table, "missing 'motions': directions in which the joint gives way, as in [\"angle_y\"]");
  std::vector<int> motions;
  if (!node->is(Node::Kind::array)) (scope / "motions").expected("an array of directions", *node);
  for (const Node& item : node->items) {
    const int k = read_choice(item, scope / "motions", words);
    if (known.dim == 2 && (k == 2 || k == 3 || k == 4))
      (scope / "motions").fail(item, "is not in the plane: x, y or angle_z");
    if (std::ranges::find(motions, k) != motions.end())
      (scope / "motions").fail(item, fmt::format("'{}' is there twice", words[std::size_t(k)]));
    motions.push_back(k);
  }
  if (motions.empty())
    (scope / "motions").fail(*node, "names no direction in which the joint gives way, as in [\"angle_y\"]");
  return motions;
}

// The compliance from named bushings, whose places are in global axes at the start.
JointCompliance from_bushings(const Node& table, const Scope& scope, const AnyJoint& joint,
                              const Known& known) {
  constexpr std::string_view keys[] = {"motions", "bushings"}, part_keys[] = {"at", "stiffness", "damping"};
  expect_keys(table, scope, keys);
  const std::vector<int> motions = read_motions(table, scope, known);
  const Node& list = *table.find("bushings");
  const Scope inner = scope / "bushings";
  constexpr const char* shape = "{front = {at = [...], stiffness = [...]}, rear = {...}}";
  if (!list.is(Node::Kind::table)) inner.expected(fmt::format("a table such as {}", shape), list);
  if (list.items.empty()) inner.fail(list, fmt::format("names no bushing, as in {}", shape));
  const Pose frame = known.start_of(joint.i());
  JointCompliance c;
  for (std::size_t k = 0; k < list.items.size(); ++k) {
    const Node& node = list.items[k];
    const Scope one = inner / list.keys[k].name;
    if (!node.is(Node::Kind::table)) one.expected("a table {at = [...], stiffness = [...]}", node);
    expect_keys(node, one, part_keys);
    for (const char* key : {"at", "stiffness"})
      if (!node.find(key)) one.fail(list.keys[k].mark, fmt::format("missing '{}'", key));
    BushingPart part;
    part.name = list.keys[k].name;
    part.stiffness = read_diagonal(*node.find("stiffness"), one / "stiffness", "N/m", "N m/rad", known);
    // Numbers stand for x, y, z and the turns about them; elementary motions begin with the turns.
    for (const Elementary m : joint.allow())
      if (part.stiffness[is_turn(m) ? int(m) + 3 : int(m) - 3] != 0)
        (one / "stiffness")
            .fail(*node.find("stiffness"),
                  fmt::format("the joint moves freely by '{}': a spring there is a force of "
                              "its own, such as torsion_spring; give 0",
                              name_of(m)));
    part.at = frame.turn.conjugate() * (read_point(*node.find("at"), one / "at", known) - frame.at);
    if (const Node* damping = node.find("damping"))
      part.damping = read_diagonal(*damping, one / "damping", "N s/m", "N m s/rad", known);
    for (const std::string_view word : words) c.part_names.push_back(fmt::format("{}_{}", part.name, word));
    c.parts.push_back(std::move(part));
  }
  const EquivalentBushing e = equivalent_bushing(c.parts, motions);
  const std::size_t n = known.dim == 2 ? 3 : 6;
  c.stiffness.assign(n * n, 0);
  c.damping.assign(n * n, 0);
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (!(e.K(Eigen::Index(k), Eigen::Index(k)) > 0))
      (scope / "motions")
          .fail(table.find("motions")->items[k],
                fmt::format("no bushing has stiffness for '{}'", words[std::size_t(motions[k])]));
  const auto row = [&](std::size_t k) { return std::size_t(n == 3 && motions[k] == 5 ? 2 : motions[k]); };
  for (std::size_t a = 0; a < motions.size(); ++a)
    for (std::size_t b = 0; b < motions.size(); ++b) {
      c.stiffness[row(a) * n + row(b)] = e.K(Eigen::Index(a), Eigen::Index(b));
      c.damping[row(a) * n + row(b)] = e.C(Eigen::Index(a), Eigen::Index(b));
    }
  return c;
}
}  // namespace

void add_compliant_joint(Mechanism& mechanism, const Named<AnyJoint>& joint, const Element& e,
                         const Known& known) {
  const Node& table = *e.node->find("compliance");
  const Scope scope = e.scope() / "compliance";
  if (!table.is(Node::Kind::table)) scope.expected("a table such as {x = {stiffness = 1e6}}", table);
  if (joint.driver) scope.fail(table, "is for joints: a driver prescribes its motion");
  if (table.find("bushings")) {
    with_places(table, table.mark, scope, [&] {
      mubody::add_compliant_joint(mechanism, joint, from_bushings(table, scope, *joint.what, known));
    });
    return;
  }
  if (const Node* motions = table.find("motions"))
    scope.fail(*motions,
               "missing 'bushings', which 'motions' is for; or give directions, as in {x = {stiffness = 1e6}}");
  ComplianceTable given;
  expect_keys(table, scope, fields_of(given).names);
  FieldReader reader(table, table.mark, scope, known);
  reader.fill(given);
  with_places(table, table.mark, scope, [&] {
    given.check(mechanism.dim);
    JointCompliance c;
    given.into(c, mechanism.dim);
    mubody::add_compliant_joint(mechanism, joint, std::move(c));
  });
}
}  // namespace mubody::io
