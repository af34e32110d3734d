#include "mubody/reading/markers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/reading/directions.h"
#include "mubody/reading/orientation.h"
#include "mubody/reading/places/places.h"

namespace mubody::io {
namespace {
enum class On { one_body, two_bodies, either };

On bodies_of(const FieldList& list) {
  if (!list.has_i) return On::one_body;
  return list.needs_i ? On::two_bodies : On::either;
}

/// A point, and the axes there if a direction was given: in the plane as a turn, in space as directions.
struct Spot {
  Vec<3> at = Vec<3>::Zero();
  std::optional<Quaternion> turn{};
  Directions directions{};
};

Quaternion turn_along(const Vec<3>& along, const Node& at, const Scope& scope, const char* zero) {
  if (along.norm() == 0) scope.fail(at, zero);
  return turn_about_z(std::atan2(along.y(), along.x()));
}

/// The direction by axis, to or angle in a table of the plane; none if the table has none of them.  `pose` is that of the
/// body in whose axes it is given.
std::optional<Quaternion> read_direction(const Node& table, const Scope& scope, const Vec<3>& from,
                                         const Known& known, const Pose& pose = {}) {
  const Node *axis = table.find("axis"), *to = table.find("to"), *angle = table.find("angle");
  if ((axis != nullptr) + (to != nullptr) + (angle != nullptr) > 1)
    scope.fail(axis ? (to ? *to : *angle) : *angle, "the direction is given twice");
  if (axis)
    return turn_along(read_vector(*axis, scope / "axis", "", known), *axis, scope / "axis", "must not be zero");
  if (to)
    return turn_along(read_point(*to, scope / "to", known, pose) - from, *to, scope / "to",
                      "the two points of the line coincide");
  if (angle) return turn_about_z(read_number(*angle, scope / "angle", "rad", known));
  return {};
}

void refuse_other_dimension(const Node& table, const Scope& scope, const Known& known) {
  if (known.dim == 2)
    refuse_key(table, scope, "across", known, "'axis' is enough");
  else
    refuse_key(table, scope, "angle", known, "give 'axis' and 'across'");
}

/// A frame as the directions that elements of a kind ask for.
Directions directions_of(const Quaternion& turn, Attach purpose, const Node* node) {
  const bool z = is_along_z(purpose);
  return {turn * Vec<3>::Unit(z ? 2 : 0), turn * Vec<3>::Unit(z ? 0 : 1), node};
}

/// Point and directions of a table, in the axes of a body.
Spot read_place(const Node& table, const Scope& scope, Attach purpose, const Known& known, int body) {
  const Marker origin = known.origin(body);
  const Pose pose = known.start_of(origin);
  Spot spot;
  Vec<3> local = Vec<3>::Zero();
  if (const Node* at = table.find("at")) local = read_point(*at, scope / "at", known, pose);
  spot.at = origin.at + local;
  if (known.dim == 2) {
    spot.turn = read_direction(table, scope, local, known, pose);
    return spot;
  }
  spot.directions = read_directions(table, scope, local, purpose, known, pose);
  if (const Node* const orientation = table.find("orientation")) {
    if (spot.directions.any()) (scope / "orientation").fail(*orientation, "the direction is given twice");
    spot.directions =
        directions_of(read_turn(*orientation, scope / "orientation", known), purpose, orientation);
  }
  return spot;
}

/// Whether a value is the name of a marker; one that is neither that nor the name of a place is a mistake.
bool names_marker(const Node* node, const Scope& scope, const Known& known) {
  if (!node || !node->is(Node::Kind::string) || known.markers.empty()) return false;
  if (known.places.contains(node->text)) return false;
  named_marker(*node, scope, known);
  return true;
}

/// i or j: a local point, a table with a local point and a direction, or the name of a marker.
Spot read_spot(const Node* node, const Scope& scope, Attach purpose, const Known& known, int body) {
  const Marker origin = known.origin(body);
  if (!node) return {origin.at};
  if (names_marker(node, scope, known)) {
    const auto& [marker, turned] = named_marker(*node, scope, known);
    if (marker.body != body) {
      const auto name_of = [&](int k) {
        return std::ranges::find(known.bodies, k, [](const auto& b) { return b.second; })->first;
      };
      scope.fail(*node, fmt::format("marker '{}' is on body '{}', not on body '{}'", node->text,
                                    name_of(marker.body), name_of(body)));
    }
    Spot spot{marker.at};
    if (turned && known.dim == 2) spot.turn = marker.turn;
    if (turned && known.dim == 3) spot.directions = directions_of(marker.turn, purpose, node);
    return spot;
  }
  if (!node->is(Node::Kind::table))
    return {origin.at + read_point(*node, scope, known, known.start_of(origin))};
  refuse_other_dimension(*node, scope, known);
  if (known.dim == 2) refuse_key(*node, scope, "orientation", known, "give 'angle'");
  std::vector<std::string_view> keys{"at", "axis", "to", known.dim == 2 ? "angle" : "across"};
  if (known.dim == 3) keys.emplace_back("orientation");
  expect_keys(*node, scope, keys);
  return read_place(*node, scope, purpose, known, body);
}

Marker marker_of(int body, const Spot& spot) {
  return {body, spot.at, spot.turn.value_or(Quaternion::Identity())};
}

/// Reads the markers of an element between two bodies.
class Pair {
 public:
  Pair(const Node& element, const Mark& owner, const Scope& scope, Attach purpose, const Known& known)
      : element_(element), owner_(owner), scope_(scope), purpose_(purpose), known_(known) {}

  MarkerPair read() {
    read_bodies();
    const Node *at = element_.find("at"), *i = element_.find("i"), *j = element_.find("j");
    if (at && (i || j))
      scope_.fail(*at, "give 'at', a global point, or 'i' and 'j', local points, but not both");
    if (at)
      place(read_point(*at, scope_ / "at", known_));
    else if (i || j)
      read_local(i, j);
    else if (purpose_ == Attach::frame)
      place(known_.frame(body_j_).at);
    else if (purpose_ != Attach::angle)
      scope_.fail(owner_, "where? Give 'at', one global point, or 'i' and 'j', a local point of each body");
    else
      i_.at = known_.origin(body_i_).at, j_.at = known_.origin(body_j_).at;
    if (const Node* to = element_.find("to"); to && !at)
      (scope_ / "to").fail(*to, "is the second point of a line that begins at 'at', which is missing");
    const Vec<3> from = at ? *common_ : Vec<3>(Vec<3>::Zero());
    if (known_.dim == 2)
      turn_in_plane(from);
    else
      turn_in_space(from);
    return {marker_of(body_i_, i_), marker_of(body_j_, j_), common_};
  }

 private:
  void read_bodies() {
    const Node *bodies = element_.find("bodies"), *const i = element_.find("i"), *const j = element_.find("j");
    if (!bodies && names_marker(i, scope_ / "i", known_) && names_marker(j, scope_ / "j", known_)) {
      body_i_ = named_marker(*i, scope_ / "i", known_).marker.body;
      body_j_ = named_marker(*j, scope_ / "j", known_).marker.body;
      if (body_i_ == body_j_)
        (scope_ / "j").fail(*j, fmt::format("is on the same body as marker '{}'", i->text));
      return;
    }
    if (!bodies) scope_.fail(owner_, "missing 'bodies': the names of two bodies");
    const Scope scope = scope_ / "bodies";
    if (!bodies->is(Node::Kind::array)) scope.expected("the names of two bodies in an array", *bodies);
    if (bodies->items.size() != 2)
      scope.fail(*bodies, fmt::format("expected the names of two bodies, got {}", bodies->items.size()));
    body_i_ = read_body(bodies->items[0], scope, known_);
    body_j_ = read_body(bodies->items[1], scope, known_);
    if (body_i_ == body_j_)
      scope.fail(bodies->items[1], fmt::format("joins body '{}' to itself", bodies->items[1].text));
  }

  void read_local(const Node* i, const Node* j) {
    local_ = true;
    i_ = read_spot(i, scope_ / "i", purpose_, known_, body_i_);
    j_ = read_spot(j, scope_ / "j", purpose_, known_, body_j_);
  }

  const Pose& start(int body) const { return known_.start[static_cast<std::size_t>(body)]; }

  /// Moves both markers to one global point.
  void place(const Vec<3>& point) {
    common_ = point;
    const Pose global{point, Quaternion::Identity(), 0};
    i_.at = (inverse(start(body_i_)) * global).at;
    j_.at = (inverse(start(body_j_)) * global).at;
  }

  /// Gives both markers the same global axes.
  void align(const Quaternion& axes) {
    i_.turn = start(body_i_).turn.conjugate() * axes;
    j_.turn = start(body_j_).turn.conjugate() * axes;
  }
  void align_other(Spot& spot, int body, const Spot& like, int its_body) const {
    spot.turn = turned_alike(*like.turn, start(its_body).angle, start(body).angle);
  }

  void turn_in_plane(const Vec<3>& from) {
    const std::optional<Quaternion> given = read_direction(element_, scope_, from, known_);
    if (given && (i_.turn || j_.turn)) fail_twice(*element_.find("axis"));
    const bool line = purpose_ == Attach::line || purpose_ == Attach::guide;
    const bool parallel = line || purpose_ == Attach::frame;
    if (given) {
      i_.turn = turned_alike(*given, 0, start(body_i_).angle);
      align_other(j_, body_j_, i_, body_i_);
    } else if (parallel && i_.turn && !j_.turn)
      align_other(j_, body_j_, i_, body_i_);
    else if (parallel && j_.turn && !i_.turn)
      align_other(i_, body_i_, j_, body_j_);
    else if (line && !i_.turn)
      fail_without_direction();
    else if (purpose_ == Attach::frame && !local_)
      align(Quaternion::Identity());
  }

  void turn_in_space(const Vec<3>& from) {
    const Directions given = read_directions(element_, scope_, from, purpose_, known_);
    if (given.any() && (i_.directions.any() || j_.directions.any())) fail_twice(*given.node);
    const Directions i = given.any() ? given : i_.directions.turned(start(body_i_).turn);
    const Directions j = given.any() ? given : j_.directions.turned(start(body_j_).turn);
    if (!i.axis && !j.axis) {
      if (i.across || j.across)
        (scope_ / "across").fail(i.across ? *i.node : *j.node, "goes with 'axis', which is missing");
      if (needs_axis(purpose_)) fail_without_direction();
      if (purpose_ == Attach::point || !local_) align(Quaternion::Identity());
      return;
    }
    if (needs_across(purpose_)) {
      if (!i.across && !j.across)
        scope_.fail(owner_, "which direction across? Give 'across', a direction perpendicular to 'axis'");
      if (are_parallel(i.axis ? *i.axis : *j.axis, j.across ? *j.across : *i.across))
        scope_.fail(owner_, "'axis' and 'across' are parallel at the start");
    }
    const auto [frame_i, frame_j] = frames_of(purpose_, i, j);
    i_.turn = start(body_i_).turn.conjugate() * frame_i;
    j_.turn = start(body_j_).turn.conjugate() * frame_j;
  }

  [[noreturn]] void fail_twice(const Node& at) const {
    (scope_ / element_.keys[static_cast<std::size_t>(&at - element_.items.data())].name)
        .fail(at, "the direction is given twice, here and in 'i' or 'j'");
  }
  [[noreturn]] void fail_without_direction() const {
    scope_.fail(owner_,
                local_ ? "which direction? Give 'axis', a global direction, or 'axis' or 'to' within 'i'"
                       : "which direction? Give 'axis', a global direction, or 'to', a second global point");
  }

  const Node& element_;
  const Mark& owner_;
  const Scope& scope_;
  Attach purpose_;
  const Known& known_;
  int body_i_ = ground, body_j_ = ground;
  bool local_ = false;
  Spot i_, j_;
  std::optional<Vec<3>> common_;
};

/// The marker on one body that the element names.
MarkerPair read_single_marker(const Node& element, const Scope& scope, const Attachment& kind,
                              const Known& known) {
  const Node& name = *element.find("marker");
  const Scope of_marker = scope / "marker";
  for (const std::string_view key : marker_keys(kind, known.dim))
    if (key != "marker" && element.find(key))
      of_marker.fail(name, fmt::format("takes the place of '{}': give one of them", key));
  const auto& [marker, turned] = named_marker(name, of_marker, known);
  if (marker.body == ground) of_marker.fail(name, "is on the ground, which does not move: name another marker");
  if (known.dim == 3 && needs_axis(kind.purpose) && !turned)
    of_marker.fail(name, "which direction? Give the marker an 'orientation'");
  MarkerPair pair{{}, marker};
  if (known.dim == 3 && kind.fields.has_i) {
    const Pose there = known.start_of(pair.j);
    pair.i = {ground, there.at, there.turn};
  }
  return pair;
}

MarkerPair read_single(const Node& element, const Mark& owner, const Scope& scope, const Attachment& kind,
                       const Known& known) {
  if (element.find("marker")) return read_single_marker(element, scope, kind, known);
  const Node* body = element.find("body");
  if (!body) scope.fail(owner, "missing 'body': the name of a body");
  const int index = read_body(*body, scope / "body", known);
  if (index == ground) (scope / "body").fail(*body, "the ground does not move: name another body");
  Spot spot = read_place(element, scope, kind.purpose, known, index);
  MarkerPair pair{{}, marker_of(index, spot)};
  if (known.dim == 2) return pair;

  const Directions& given = spot.directions;
  if (given.across && !given.axis) (scope / "across").fail(*given.node, "goes with 'axis', which is missing");
  if (needs_axis(kind.purpose) && !given.axis)
    scope.fail(owner, "which direction? Give 'axis', a direction in the axes of the body");
  if (needs_across(kind.purpose) && !given.across)
    scope.fail(owner, "which direction across? Give 'across', a direction perpendicular to 'axis'");
  const Quaternion& start = known.start[static_cast<std::size_t>(index)].turn;
  if (given.axis) {
    const Directions global = given.turned(start);
    pair.j.turn = start.conjugate() * frames_of(kind.purpose, global, global).first;
  }
  if (kind.fields.has_i) {  // fixed to the ground at the start position of the other marker
    const Pose there = known.start_of(pair.j);
    pair.i = {ground, there.at, there.turn};
  }
  return pair;
}

/// The markers of the joint that the element names.
MarkerPair read_joint_markers(const Node& element, const Scope& scope, const Attachment& kind,
                              const Known& known) {
  const Node& name = *element.find("joint");
  const Scope of_joint = scope / "joint";
  for (const std::string_view key : marker_keys(kind, known.dim))
    if (key != "joint" && element.find(key))
      of_joint.fail(name, fmt::format("takes the place of '{}': give one of them", key));
  if (!name.is(Node::Kind::string)) of_joint.expected("the name of a joint", name);
  return find_joint_markers(name, of_joint, name.text, known);
}
}  // namespace

std::vector<std::string_view> marker_keys(const Attachment& kind, std::size_t dim) {
  if (!kind.fields.has_j) return {};
  const On on = bodies_of(kind.fields);
  std::vector<std::string_view> keys;
  if (on != On::two_bodies) keys.insert(keys.end(), {"body", "marker"});
  if (on != On::one_body) keys.emplace_back("bodies");
  keys.emplace_back("at");
  if (on == On::two_bodies) keys.emplace_back("to");
  keys.emplace_back("axis");
  if (dim == 3) keys.emplace_back("across");
  if (on == On::one_body && dim == 2) keys.emplace_back("angle");
  if (on != On::one_body) keys.insert(keys.end(), {"i", "j"});
  if (on != On::one_body && kind.may_follow) keys.emplace_back("joint");
  return keys;
}

void expect_element_keys(const Node& element, const Scope& scope, const Attachment& kind, const Known& known) {
  std::vector<std::string_view> keys = kind.fields.names;
  const std::string_view of_others = known.dim == 2 ? "across" : "angle";
  if (kind.fields.has_j && std::ranges::find(keys, of_others) == keys.end())
    refuse_other_dimension(element, scope, known);
  keys.emplace_back("type");
  std::ranges::copy(marker_keys(kind, known.dim), std::back_inserter(keys));
  expect_keys(element, scope, keys);
}

MarkerPair read_markers(const Node& element, const Mark& owner, const Scope& scope, const Attachment& kind,
                        const Known& known) {
  if (!kind.fields.has_j) return {};
  const On on = bodies_of(kind.fields);
  if (element.find("joint") && on != On::one_body && kind.may_follow)
    return read_joint_markers(element, scope, kind, known);
  const Node *body = element.find("body"), *bodies = element.find("bodies");
  if (on == On::either && body && bodies) scope.fail(*bodies, "give 'body' or 'bodies', but not both");
  if (on == On::either && element.find("marker") && bodies)
    scope.fail(*bodies, "give 'marker' or 'bodies', but not both");
  const bool by_name = !body && !element.find("marker") &&
                       names_marker(element.find("i"), scope / "i", known) &&
                       names_marker(element.find("j"), scope / "j", known);
  if (on == On::one_body || (on == On::either && !bodies && !by_name)) {
    for (const std::string_view key : {"i", "j"})
      if (const Node* spot = element.find(key))
        (scope / key).fail(*spot, "goes with 'bodies'; with 'body' give 'at'");
    return read_single(element, owner, scope, kind, known);
  }
  return Pair(element, owner, scope, kind.purpose, known).read();
}

NamedMarker read_frame(const Node& table, const Scope& scope, const NamedMarker& outer, const Known& known) {
  const Pose pose = known.start_of(outer.marker);
  Vec<3> local = Vec<3>::Zero();
  if (const Node* const at = table.find("at")) local = read_point(*at, scope / "at", known, pose);
  std::optional<Quaternion> turn;
  if (known.dim == 2)
    turn = read_direction(table, scope, local, known, pose);
  else if (const Node* const orientation = table.find("orientation"))
    turn = read_turn(*orientation, scope / "orientation", known);
  NamedMarker inner = outer;
  inner.marker.at = outer.marker.at + outer.marker.turn * local;
  if (turn) inner.marker.turn = (outer.marker.turn * *turn).normalized(), inner.turned = true;
  if (!inner.marker.at.allFinite()) scope.fail(table, "its place must be finite");
  return inner;
}

const NamedMarker& named_marker(const Node& name, const Scope& scope, const Known& known) {
  if (!name.is(Node::Kind::string)) scope.expected("the name of a marker", name);
  const auto found = known.markers.find(name.text);
  if (found != known.markers.end()) return found->second;
  std::vector<std::string> all;
  for (const auto& [marker, unused] : known.markers) all.push_back(marker);
  scope.fail(name, fmt::format("no marker named {}{}", in_quotes(name.text),
                               all.empty() ? ": there is no [markers]" : suggestion(name.text, all)));
}

int read_body(const Node& name, const Scope& scope, const Known& known) {
  if (!name.is(Node::Kind::string)) scope.expected("the name of a body", name);
  const auto found = known.bodies.find(name.text);
  if (found != known.bodies.end()) return found->second;
  std::vector<std::string> all;
  for (const auto& [body, unused] : known.bodies) all.push_back(body);
  scope.fail(name, "no body named " + in_quotes(name.text) + suggestion(name.text, all));
}
}  // namespace mubody::io
