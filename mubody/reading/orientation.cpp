#include "mubody/reading/orientation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace mubody::io {
namespace {
constexpr std::array<std::string_view, 9> all_keys = {"quaternion", "sequence", "angles", "axes", "axis",
                                                      "angle",      "x",        "y",      "z"};
// The form to which each of the keys belongs.
constexpr std::array<int, 9> forms = {0, 1, 1, 1, 2, 2, 3, 3, 3};
constexpr std::string_view letters = "xyz";

std::size_t place_of(std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(all_keys, key) - all_keys.begin());
}

/// The value of a key that the form needs.
const Node& needed(const Node& table, const Scope& scope, std::string_view key, std::string_view partner) {
  const Node* const found = table.find(key);
  if (!found) scope.fail(table, fmt::format("'{}' goes with '{}', which is missing", partner, key));
  return *found;
}

std::vector<double> read_numbers(const Node& node, const Scope& scope, std::size_t count, std::string_view unit,
                                 const Known& known) {
  if (!node.is(Node::Kind::array)) scope.expected(fmt::format("{} numbers in an array", count), node);
  if (node.items.size() != count)
    scope.fail(node, fmt::format("expected {} numbers, got {}", count, node.items.size()));
  std::vector<double> numbers;
  for (const Node& item : node.items) numbers.push_back(read_number(item, scope, unit, known));
  return numbers;
}

Quaternion read_quaternion(const Node& table, const Scope& scope, const Known& known) {
  const Node& node = *table.find("quaternion");
  const std::vector<double> e = read_numbers(node, scope / "quaternion", 4, "", known);
  const Eigen::Vector4d all(e[0], e[1], e[2], e[3]);
  const double length = all.stableNorm();
  if (length == 0) (scope / "quaternion").fail(node, "must not be zero");
  return Quaternion(e[0] / length, e[1] / length, e[2] / length, e[3] / length).normalized();
}

Quaternion read_sequence(const Node& table, const Scope& scope, const Known& known) {
  const Node& sequence = needed(table, scope, "sequence", table.find("angles") ? "angles" : "axes");
  const Scope of_sequence = scope / "sequence";
  const std::string axes = read_string(sequence, of_sequence);
  if (axes.empty() || axes.size() > 3 || axes.find_first_not_of(letters) != std::string::npos)
    of_sequence.fail(
        sequence,
        fmt::format("expected up to three of the letters x, y and z, as in \"zxz\", got {}", in_quotes(axes)));
  for (std::size_t k = 1; k < axes.size(); ++k)
    if (axes[k] == axes[k - 1])
      of_sequence.fail(sequence, fmt::format("two turns about {} in a row are one", axes[k]));
  const Node& given = needed(table, scope, "angles", "sequence");
  const std::vector<double> angles = read_numbers(given, scope / "angles", axes.size(), "rad", known);

  constexpr std::string_view words[] = {"body", "fixed"};
  const Node* const choice = table.find("axes");
  const bool fixed = choice && read_choice(*choice, scope / "axes", words) == 1;
  Quaternion turn = Quaternion::Identity();
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const Vec<3> axis = Vec<3>::Unit(static_cast<Eigen::Index>(letters.find(axes[k])));
    const Quaternion next(Eigen::AngleAxisd(angles[k], axis));
    turn = fixed ? next * turn : turn * next;
  }
  return turn.normalized();
}

Quaternion read_axis_and_angle(const Node& table, const Scope& scope, const Known& known) {
  const Vec<3> axis = read_axis(needed(table, scope, "axis", "angle"), scope / "axis", known);
  const Node& angle = needed(table, scope, "angle", "axis");
  return Quaternion(Eigen::AngleAxisd(read_number(angle, scope / "angle", "rad", known), axis)).normalized();
}

Quaternion read_two_directions(const Node& table, const Scope& scope, const Known& known) {
  std::vector<std::pair<int, Vec<3>>> given;
  const Node* last = nullptr;
  for (const Node::Key& key : table.keys) {
    if (key.name.size() != 1 || letters.find(key.name) == std::string_view::npos) continue;
    last = table.find(key.name);
    given.emplace_back(static_cast<int>(letters.find(key.name)), read_axis(*last, scope / key.name, known));
  }
  if (given.size() != 2) scope.fail(*last, "give two of x, y and z: the third follows");
  if (are_parallel(given[0].second, given[1].second))
    scope.fail(*last, fmt::format("{} and {} are parallel", letters[static_cast<std::size_t>(given[0].first)],
                                  letters[static_cast<std::size_t>(given[1].first)]));
  return frame_along(given[0].first, given[0].second, given[1].first, given[1].second);
}
}  // namespace

std::span<const std::string_view> orientation_keys() { return all_keys; }

std::optional<Quaternion> read_orientation(const Node& table, const Scope& scope, const Known& known) {
  std::optional<int> form;
  for (const Node::Key& key : table.keys) {
    const std::size_t place = place_of(key.name);
    if (place == all_keys.size()) continue;
    if (form && *form != forms[place])
      (scope / key.name).fail(key.mark, "the orientation is given twice, in two forms");
    form = forms[place];
  }
  if (!form) return {};
  constexpr std::array readers = {read_quaternion, read_sequence, read_axis_and_angle, read_two_directions};
  return readers[static_cast<std::size_t>(*form)](table, scope, known);
}

Quaternion read_turn(const Node& node, const Scope& scope, const Known& known) {
  if (!node.is(Node::Kind::table))
    scope.expected("a table, as in {axis = [0, 0, 1], angle = \"30 deg\"}", node);
  expect_keys(node, scope, orientation_keys());
  const std::optional<Quaternion> turn = read_orientation(node, scope, known);
  if (!turn)
    scope.fail(node, "is empty; give a quaternion, a sequence of angles, axis and angle, or two directions");
  return *turn;
}

Quaternion frame_along(int first, const Vec<3>& exact, int second, const Vec<3>& near) {
  const int third = 3 - first - second;
  const bool in_order = (first + 1) % 3 == second;  // x y, y z or z x
  Eigen::Matrix3d axes;
  axes.col(first) = exact.stableNormalized();
  const Vec<3> normal = axes.col(first).cross(near.stableNormalized()).normalized();
  axes.col(second) = normal.cross(axes.col(first));
  axes.col(third) = in_order ? normal : Vec<3>(-normal);
  return Quaternion(axes).normalized();
}

bool are_parallel(const Vec<3>& a, const Vec<3>& b) {
  constexpr double smallest = 1e-6;  // [rad], far smaller than two intended directions differ by
  return a.stableNormalized().cross(b.stableNormalized()).norm() < smallest;
}

Vec<3> read_axis(const Node& node, const Scope& scope, const Known& known) {
  const Vec<3> axis = read_vector(node, scope, "", known);
  if (axis.isZero(0)) scope.fail(node, "must not be zero");
  return axis.stableNormalized();
}

KindNote describe_orientation() {
  return {"orientation",
          "how a body or a frame is turned: quaternion, sequence and angles, axis and angle, or two of x, y, z",
          {},
          "space",
          {{"quaternion", {Form::numbers, "4 numbers"}, "", "", "e0, e1, e2, e3, scalar first; of any length"},
           {"sequence", {Form::text, "text"}, "", "", "axes of successive turns, as in \"zxz\""},
           {"angles", {Form::numbers, "numbers"}, "rad", "", "of these turns"},
           {"axes",
            {Form::choice, "\"body\" or \"fixed\"", {"body", "fixed"}},
            "",
            "\"body\"",
            "whether the axes of these turns turn along"},
           {"axis", {Form::vector, "3 numbers"}, "", "", "of one turn"},
           {"angle", {Form::number, "number"}, "rad", "", "of that turn"},
           {"x", {Form::vector, "3 numbers"}, "", "", "direction of the x axis; the first one given is exact"},
           {"y", {Form::vector, "3 numbers"}, "", "", "direction of the y axis"},
           {"z", {Form::vector, "3 numbers"}, "", "", "direction of the z axis"}}};
}
}  // namespace mubody::io
