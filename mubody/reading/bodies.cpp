#include "mubody/reading/bodies.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/reading/field_notes.h"
#include "mubody/reading/field_reader.h"
#include "mubody/reading/orientation.h"
#include "mubody/reading/places/made_of.h"
#include "mubody/reading/places/places.h"

namespace mubody::io {
namespace {
using Matrix = Eigen::Matrix3d;

/// A planar body as it stands in the file.
struct PlanarBody {
  double mass = 0, inertia = 0, angle = 0, omega = 0;
  Vec<3> position = Vec<3>::Zero(), velocity = Vec<3>::Zero();

  void fields(Fields& f) {
    f.optional("mass", mass, "kg", "of the body");
    f.optional("inertia", inertia, "kg m^2", "about the centre of mass");
    f.optional("position", position, "m", "of the origin at the start");
    f.optional("angle", angle, "rad", "at the start");
    f.optional("velocity", velocity, "m/s", "of the origin at the start");
    f.optional("omega", omega, "rad/s", "angular velocity at the start");
  }
};

/// A spatial body, without the keys that are tables of their own.
struct SpatialBody {
  double mass = 0;
  std::vector<double> inertia{0, 0, 0};
  Vec<3> position = Vec<3>::Zero(), velocity = Vec<3>::Zero();
  Vec<3> omega = Vec<3>::Zero(), omega_global = Vec<3>::Zero();

  void fields(Fields& f) {
    f.optional("mass", mass, "kg", "of the body");
    f.optional("inertia", inertia, "kg m^2",
               "Ixx, Iyy, Izz, or three rows of the matrix, in body axes about the centre of mass");
    f.optional("position", position, "m", "of the origin at the start");
    f.optional("velocity", velocity, "m/s", "of the origin at the start");
    f.optional("omega", omega, "rad/s", "angular velocity at the start, in body axes");
    f.optional("omega_global", omega_global, "rad/s", "the same in global axes, in place of omega");
  }
};

// The keys that are read as tables.
const std::array<FieldNote, 2> tables = {
    {{"orientation",
      {Form::table, "table"},
      "",
      "global axes",
      "at the start, see 'mubody list bodies orientation'"},
     {"inertia_frame",
      {Form::table, "table"},
      "",
      "body axes, in the centre of mass",
      "where the inertia is known: {at = [x, y, z], ...} in body axes, with the keys of an orientation"}}};

/// The centre of mass, which is read when it is known where the body is.
FieldNote com_note(const char* numbers) {
  return {"com",
          {Form::vector, numbers},
          "m",
          "the origin",
          "centre of mass in the frame of the body; points of the body are then counted from its origin"};
}

/// Where the centre of mass is in the frame of a body.
Vec<3> read_com(const Node& table, const Scope& scope, const Pose& frame, const Known& known) {
  const Node* const com = table.find("com");
  return com ? read_point(*com, scope / "com", known, frame) : Vec<3>(Vec<3>::Zero());
}

/// Which parts of the start the table does not mention; orientation and angular velocity by the keys that give them.
RigidBody::LeftOut left_out(const Node& body, std::initializer_list<std::string_view> orientation,
                            std::initializer_list<std::string_view> omega) {
  const auto missing = [&](const auto& keys) {
    return std::ranges::none_of(keys, [&](std::string_view key) { return body.find(key) != nullptr; });
  };
  return {missing(std::array{std::string_view("position")}), missing(orientation),
          missing(std::array{std::string_view("velocity")}), missing(omega)};
}

/// A body, and what is drawn of it if it is made of shapes.
struct ReadBody {
  RigidBody body;
  Vec<3> com = Vec<3>::Zero();  // in the frame of the body
  std::shared_ptr<const Figure> figure = nullptr;
};

/// Whether the origin of a body is that of its mesh, as CAD programs have it.
bool has_origin_of_mesh(const Node& table) {
  return table.find("com") && table.find("mesh") && !table.find("at");
}

/// Refuses a centre of mass in the frame of a body whose origin nothing says: shapes place the centre of mass itself.
void expect_origin(const Node& table, const Scope& scope) {
  const Node* const com = table.find("com");
  if (com && !table.find("position") && !has_origin_of_mesh(table))
    (scope / "com")
        .fail(*com,
              "counts from the origin of the body, and its shapes only say where the centre of mass "
              "is: give 'position', the place of the origin, or leave 'com' out");
}

/// What the shapes of a body say, unless it is written.
void take(const MadeOf& made, const Node& table, RigidBody& body) {
  const bool has_mass = table.find("mass"), has_inertia = table.find("inertia");
  if (made.mass && !has_mass) body.mass = made.mass->mass;
  const Eigen::Matrix3d A = body.start.turn.toRotationMatrix();
  if (made.mass && !has_inertia) {
    const Matrix turned = A.transpose() * made.mass->inertia * A;
    body.inertia = turned / 2 + turned.transpose() / 2;
    // A slender rod has no inertia about its axis, which round-off may make a little less than that.
    body.inertia.diagonal() = body.inertia.diagonal().cwiseMax(0);
  }
  if (!table.find("position") && !has_origin_of_mesh(table)) body.start.at = made.centre;
  // What places hold is as good as written.
  const bool placed = table.find("at") || table.find("through") || table.find("shapes");
  if (placed) body.left_out.position = false;
  if (made.turned) body.left_out.orientation = false;
}

/// `com` is the centre of mass in global axes.
template <class Given>
GivenBody given_of(const Node& table, const Given& given, std::optional<Quaternion> turn, const Vec<3>& com) {
  GivenBody known{.turn = turn, .inertia = table.find("inertia") != nullptr};
  if (table.find("position")) known.position = com;
  if (has_origin_of_mesh(table)) known.origin = given.position;
  if (table.find("mass")) known.mass = given.mass;
  return known;
}

/// Takes position and velocity of the origin to the centre of mass, and returns where that is in the frame of the body.
/// Orientation and angular velocity must be known.
template <class Given>
Vec<3> put_at_com(const Given& given, const Node& table, const Scope& scope, RigidBody& body,
                  const Known& known) {
  const Vec<3> com = read_com(table, scope, {given.position, body.start.turn, body.start.angle}, known);
  body.start.at = given.position + body.start.turn * com;
  body.velocity = given.velocity + body.start.turn * body.omega.cross(com);
  return com;
}

ReadBody planar_body(const Element& e, const Known& known) {
  const Scope scope = e.scope();
  refuse_key(*e.node, scope, "orientation", known, "give 'angle'");
  refuse_key(*e.node, scope, "inertia_frame", known, "give 'inertia', one number, about the centre of mass");
  refuse_key(*e.node, scope, "omega_global", known, "give 'omega', one number");
  for (const std::string_view key : {"inertia", "omega"})
    if (const Node* const node = e.node->find(key); node && node->is(Node::Kind::array))
      (scope / key).fail(*node, "expected a number, got an array: " + known.because());
  PlanarBody given;
  std::vector<std::string_view> keys = fields_of(given).names;
  keys.emplace_back("com");
  std::ranges::copy(shape_keys(*e.node, scope, known), std::back_inserter(keys));
  expect_keys(*e.node, scope, keys);
  FieldReader reader(*e.node, e.key->mark, scope, known);
  reader.fill(given);

  RigidBody body;
  body.mass = given.mass;
  body.inertia(2, 2) = given.inertia;
  body.start = {given.position, turn_about_z(given.angle), given.angle};
  body.omega.z() = given.omega;
  body.left_out = left_out(*e.node, {"angle"}, {"omega"});
  Vec<3> com = put_at_com(given, *e.node, scope, body, known);
  std::optional<Quaternion> turn;
  if (e.node->find("angle")) turn = body.start.turn;
  const std::optional<MadeOf> made = read_shapes(e, given_of(*e.node, given, turn, body.start.at), known);
  if (!made) return {body, com};
  expect_origin(*e.node, scope);
  if (!turn) {
    body.start.angle = angle_about_z(made->axes), body.start.turn = made->axes;
    com = put_at_com(given, *e.node, scope, body, known);
  }
  take(*made, *e.node, body);
  // All that the plane knows of an inertia, and of a place.
  const double about_z = body.inertia(2, 2);
  body.inertia.setZero();
  body.inertia(2, 2) = about_z;
  body.start.at.z() = 0;
  return {body, com, made->drawn_at(body.start)};
}

/// Refuses what is neither three numbers nor three rows of three.
void expect_matrix(const Node& node, const Scope& scope, const Known& known) {
  const auto has_three = [](const Node& n) { return n.is(Node::Kind::array) && n.items.size() == 3; };
  const auto rows = std::ranges::count_if(node.items, [](const Node& n) { return n.is(Node::Kind::array); });
  if (has_three(node) && (rows == 0 || std::ranges::all_of(node.items, has_three))) return;
  const std::string wanted = "expected three numbers [Ixx, Iyy, Izz] or three rows of three";
  if (!node.is(Node::Kind::array))
    scope.fail(node, fmt::format("{}, got {}: {}", wanted, described(node), known.because()));
  scope.fail(node, wanted);
}

Matrix matrix_of(const std::vector<double>& numbers) {
  if (numbers.size() == 3) return Vec<3>(numbers.data()).asDiagonal();
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(numbers.data());
}

void check_symmetric(const Matrix& I, const Node& node, const Scope& scope) {
  constexpr double rounding = 1e-9;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < r; ++c)
      if (std::abs(I(r, c) - I(c, r)) > rounding * I.cwiseAbs().maxCoeff())
        scope.fail(node, fmt::format(
                             "the matrix must be symmetric: {:.6g} in row {}, column {}, but {:.6g} in row {}, "
                             "column {}",
                             I(c, r), c + 1, r + 1, I(r, c), r + 1, c + 1));
}

/// Refuses an inertia that no body can have, and mends one that rounding made slightly negative.  `scale` is
/// the size of the numbers it was computed from.
Matrix possible(const Matrix& I, double scale, const Node& node, const Scope& scope, std::string_view when) {
  constexpr double rounding = 1e-9, three_digits = 2e-3;  // 0.333, 0.333 and 0.667 are a plate
  const auto [principal, axes] = symmetric_eigen3(I);     // in ascending order
  const std::string values =
      fmt::format("{}the principal moments of inertia are {:.6g}, {:.6g} and {:.6g} kg m^2; ", when,
                  principal[0], principal[1], principal[2]);
  if (principal[0] < -rounding * scale) scope.fail(node, values + "none can be negative");
  if (principal[0] + principal[1] < principal[2] - three_digits * scale)
    scope.fail(node, values + "none can be larger than the sum of the other two");
  if (principal[0] >= 0) return I;
  return axes * principal.cwiseMax(0).asDiagonal() * axes.transpose();
}

Matrix read_inertia(const SpatialBody& given, const Node& table, const Vec<3>& com, const Scope& body,
                    const Known& known) {
  const Node *const node = table.find("inertia"), *const frame = table.find("inertia_frame");
  if (!node && frame) (body / "inertia_frame").fail(*frame, "goes with 'inertia', which is missing");
  if (!node) return Matrix::Zero();
  const Scope scope = body / "inertia";
  const Matrix as_given = matrix_of(given.inertia);
  check_symmetric(as_given, *node, scope);
  const double size = as_given.cwiseAbs().maxCoeff();
  const Matrix I = possible(as_given / 2 + as_given.transpose() / 2, size, *node, scope, "");
  if (!frame) return I;

  const Scope of_frame = body / "inertia_frame";
  if (!frame->is(Node::Kind::table)) of_frame.expected("a table {at = [x, y, z], ...}", *frame);
  std::vector<std::string_view> keys{"at"};
  std::ranges::copy(orientation_keys(), std::back_inserter(keys));
  expect_keys(*frame, of_frame, keys);
  const Node* const at = frame->find("at");
  const Vec<3> s = at ? Vec<3>(read_vector(*at, of_frame / "at", "m", known) - com) : Vec<3>(Vec<3>::Zero());
  const Matrix A =
      read_orientation(*frame, of_frame, known).value_or(Quaternion::Identity()).toRotationMatrix();
  const Matrix shift = given.mass * (s.squaredNorm() * Matrix::Identity() - s * s.transpose());
  const Matrix turned = A * I * A.transpose();
  const Matrix shifted = turned / 2 + turned.transpose() / 2 - shift;
  if (!shifted.allFinite()) of_frame.fail(*frame, "the shifted inertia must be finite");
  return possible(shifted, std::max(size, shift.cwiseAbs().maxCoeff()), *node, scope,
                  "after the shift to the centre of mass ");
}

ReadBody spatial_body(const Element& e, const Known& known) {
  const Scope scope = e.scope();
  refuse_key(*e.node, scope, "angle", known, "give orientation = {axis = [0, 0, 1], angle = ...}");
  SpatialBody given;
  std::vector<std::string_view> keys = fields_of(given).names;
  keys.emplace_back("com");
  for (const FieldNote& table : tables) keys.emplace_back(table.name);
  std::ranges::copy(shape_keys(*e.node, scope, known), std::back_inserter(keys));
  expect_keys(*e.node, scope, keys);
  if (const Node* const inertia = e.node->find("inertia")) expect_matrix(*inertia, scope / "inertia", known);
  FieldReader reader(*e.node, e.key->mark, scope, known);
  reader.fill(given);
  const Node *const omega = e.node->find("omega"), *const global = e.node->find("omega_global");
  if (omega && global) (scope / "omega_global").fail(*global, "takes the place of 'omega', which is given too");

  RigidBody body;
  body.mass = given.mass;
  const Node* const orientation = e.node->find("orientation");
  std::optional<Quaternion> turn;
  if (orientation) turn = read_turn(*orientation, scope / "orientation", known);
  body.start = {given.position, turn.value_or(Quaternion::Identity()), 0};
  body.left_out = left_out(*e.node, {"orientation"}, {"omega", "omega_global"});
  const auto spin = [&] {
    body.omega = global ? body.start.turn.conjugate() * given.omega_global : given.omega;
    return put_at_com(given, *e.node, scope, body, known);
  };
  Vec<3> com = spin();
  body.inertia = read_inertia(given, *e.node, com, scope, known);
  const std::optional<MadeOf> made = read_shapes(e, given_of(*e.node, given, turn, body.start.at), known);
  if (made) {
    expect_origin(*e.node, scope);
    body.start.turn = made->axes;
    com = spin();
    take(*made, *e.node, body);
  }
  return {body, com, made ? made->drawn_at(body.start) : nullptr};
}
}  // namespace

void read_body_into(Study& study, const Element& e, Known& known) {
  Mechanism& mechanism = study.mechanism;
  auto [body, com, figure] = known.dim == 2 ? planar_body(e, known) : spatial_body(e, known);
  if (figure) study.looks[e.key->name].figure = figure;
  body.name = e.key->name;
  body.place = e.key->mark.place();
  with_places(*e.node, e.key->mark, e.scope(), [&] { body.check(); });
  known.start.push_back(body.start);
  known.com.push_back(com);
  mechanism.bodies.push_back(std::move(body));
  known.bodies[e.key->name] = static_cast<int>(mechanism.bodies.size());
}

Category describe_bodies() {
  PlanarBody planar;
  SpatialBody spatial;
  Category c{
      "bodies",
      "One line each under [bodies]: name = {mass = ..., ...}. The origin of a body is its centre of mass, "
      "unless "
      "'com' says where that is. "
      "Gravity or, without it, the first position decides by the number of its components whether a model "
      "is planar or spatial.",
      {}};
  c.kinds.push_back(
      {"body_in_plane", "a body of a planar model", {}, "plane", notes_of(planar, InSpaces{true, false})});
  c.kinds.back().fields.push_back(com_note("2 numbers"));
  std::ranges::copy(shape_notes(), std::back_inserter(c.kinds.back().fields));
  c.kinds.push_back(
      {"body_in_space", "a body of a spatial model", {}, "space", notes_of(spatial, InSpaces{false, true})});
  std::vector<FieldNote>& fields = c.kinds.back().fields;
  std::ranges::copy(tables, std::back_inserter(fields));
  fields.push_back(com_note("3 numbers"));
  std::ranges::copy(shape_notes(), std::back_inserter(fields));
  c.kinds.push_back(describe_orientation());
  return c;
}
}  // namespace mubody::io
