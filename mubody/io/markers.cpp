#include "mubody/io/markers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/math/suggest.h"

namespace mubody::io {
namespace {
enum class On { one_body, two_bodies, either };

On bodies_of(const FieldList& list) {
  if (!list.has_i) return On::one_body;
  return list.needs_i ? On::two_bodies : On::either;
}

/// A point, and the direction of an x axis if one was given.
struct Spot {
  Vec<3> at = Vec<3>::Zero();
  std::optional<double> angle;
};

double direction(const Vec<3>& along, const Node& at, const Scope& scope, const char* zero) {
  if (along.norm() == 0) scope.fail(at, zero);
  return std::atan2(along.y(), along.x());
}

/// axis, to or angle of a table, as far as it has them.
std::optional<double> read_direction(const Node& table, const Scope& scope, const Vec<3>& from,
                                     const Known& known) {
  const Node *axis = table.find("axis"), *to = table.find("to"), *angle = table.find("angle");
  if ((axis != nullptr) + (to != nullptr) + (angle != nullptr) > 1)
    scope.fail(axis ? (to ? *to : *angle) : *angle, "the direction is given twice");
  if (axis)
    return direction(read_vector(*axis, scope / "axis", "", known), *axis, scope / "axis", "must not be zero");
  if (to)
    return direction(read_vector(*to, scope / "to", "m", known) - from, *to, scope / "to",
                     "the two points of the line coincide");
  if (angle) return read_number(*angle, scope / "angle", "rad", known);
  return {};
}

/// i or j: a local point, or a table with a local point and a direction.
Spot read_spot(const Node* node, const Scope& scope, const Known& known) {
  Spot spot;
  if (!node) return spot;
  if (node->is(Node::Kind::table)) {
    const std::string_view keys[] = {"at", "axis", "to", "angle"};
    expect_keys(*node, scope, keys);
    if (const Node* at = node->find("at")) spot.at = read_vector(*at, scope / "at", "m", known);
    spot.angle = read_direction(*node, scope, spot.at, known);
  } else {
    spot.at = read_vector(*node, scope, "m", known);
  }
  return spot;
}

Marker marker_of(int body, const Spot& spot) {
  return {body, spot.at, spot.angle ? turn_about_z(*spot.angle) : Quaternion::Identity()};
}

/// Reads the markers of an element between two bodies.
class Pair {
 public:
  Pair(const Node& element, const Mark& owner, const Scope& scope, Attach purpose, const Known& known)
      : element_(element), owner_(owner), scope_(scope), purpose_(purpose), known_(known) {}

  Markers read() {
    read_bodies();
    const Node *at = element_.find("at"), *i = element_.find("i"), *j = element_.find("j");
    if (at && (i || j))
      scope_.fail(*at, "give 'at', a global point, or 'i' and 'j', local points, but not both");
    if (at)
      place(read_vector(*at, scope_ / "at", "m", known_));
    else if (i || j)
      local_ = true, i_ = read_spot(i, scope_ / "i", known_), j_ = read_spot(j, scope_ / "j", known_);
    else if (purpose_ == Attach::frame)
      place(known_.start[static_cast<std::size_t>(body_j_)].at);
    else if (purpose_ != Attach::angle)
      scope_.fail(owner_, "where? Give 'at', one global point, or 'i' and 'j', a local point of each body");
    turn(at);
    return {marker_of(body_i_, i_), marker_of(body_j_, j_), common_};
  }

 private:
  void read_bodies() {
    const Node* bodies = element_.find("bodies");
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

  const Pose& start(int body) const { return known_.start[static_cast<std::size_t>(body)]; }

  /// Both markers to one global point.
  void place(const Vec<3>& point) {
    common_ = point;
    const Pose global{point, Quaternion::Identity(), 0};
    i_.at = (inverse(start(body_i_)) * global).at;
    j_.at = (inverse(start(body_j_)) * global).at;
  }

  /// Both x axes to one global direction.
  void align(double angle) {
    i_.angle = angle - start(body_i_).angle;
    j_.angle = angle - start(body_j_).angle;
  }

  void turn(const Node* at) {
    if (const Node* to = element_.find("to"); to && !at)
      (scope_ / "to").fail(*to, "is the second point of a line that begins at 'at', which is missing");
    const Vec<3> from = at ? read_vector(*at, scope_ / "at", "m", known_) : Vec<3>(Vec<3>::Zero());
    const std::optional<double> given = read_direction(element_, scope_, from, known_);
    if (given && (i_.angle || j_.angle))
      (scope_ / "axis").fail(*element_.find("axis"), "the direction is given twice, here and in 'i' or 'j'");
    const bool parallel = purpose_ == Attach::line || purpose_ == Attach::frame;
    if (given)
      align(*given);
    else if (parallel && i_.angle && !j_.angle)
      align_other(j_, body_j_, i_, body_i_);
    else if (parallel && j_.angle && !i_.angle)
      align_other(i_, body_i_, j_, body_j_);
    else if (purpose_ == Attach::line && !i_.angle)
      scope_.fail(owner_,
                  local_ ? "which direction? Give 'axis', a global direction, or 'axis' or 'to' within 'i'"
                         : "which direction? Give 'axis', a global direction, or 'to', a second global point");
    else if (purpose_ == Attach::frame && !local_)
      align(0);
  }

  void align_other(Spot& spot, int body, const Spot& like, int its_body) const {
    spot.angle = *like.angle + start(its_body).angle - start(body).angle;
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

Markers read_single(const Node& element, const Mark& owner, const Scope& scope, const Known& known) {
  const Node* body = element.find("body");
  if (!body) scope.fail(owner, "missing 'body': the name of a body");
  const int index = read_body(*body, scope / "body", known);
  if (index == ground) (scope / "body").fail(*body, "the ground does not move: name another body");
  Spot spot;
  if (const Node* at = element.find("at")) spot.at = read_vector(*at, scope / "at", "m", known);
  spot.angle = read_direction(element, scope, spot.at, known);
  return {{}, marker_of(index, spot)};
}
}  // namespace

std::vector<std::string_view> marker_keys(const FieldList& list) {
  if (!list.has_j) return {};
  switch (bodies_of(list)) {
    case On::one_body: return {"body", "at", "axis", "angle"};
    case On::two_bodies: return {"bodies", "at", "to", "axis", "i", "j"};
    case On::either: break;
  }
  return {"body", "bodies", "at", "axis", "i", "j"};
}

Markers read_markers(const Node& element, const Mark& owner, const Scope& scope, Attach purpose,
                     const FieldList& list, const Known& known) {
  if (!list.has_j) return {};
  const On on = bodies_of(list);
  const Node *body = element.find("body"), *bodies = element.find("bodies");
  if (on == On::either && body && bodies) scope.fail(*bodies, "give 'body' or 'bodies', but not both");
  if (on == On::one_body || (on == On::either && !bodies)) {
    for (const std::string_view key : {"i", "j"})
      if (const Node* spot = element.find(key))
        (scope / key).fail(*spot, "goes with 'bodies'; with 'body' give 'at'");
    return read_single(element, owner, scope, known);
  }
  return Pair(element, owner, scope, purpose, known).read();
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
