#include "mubody/picture/scene.h"

#include <algorithm>
#include <cmath>

#include "mubody/picture/outline.h"
#include "mubody/picture/traits.h"

namespace mubody::io {
namespace {
using Type = Shape::Type;
constexpr double ball_radius = 0.018;       // of a ball joint, of the size of the scene
const Vec<3> block_size(0.12, 0.07, 0.07);  // of a slider, likewise

Vec<3> axis_of(const Marker& m, int k) { return m.turn * Vec<3>::Unit(k); }

// The sides of the cuboid with the body's mass and principal moments of inertia; zero if there is none.
Vec<3> sides_of(const RigidBody& b) {
  const Vec<3> I = b.inertia.diagonal();
  const Vec<3> squares = 6 / b.mass * (Vec<3>::Constant(I.sum()) - 2 * I);
  const bool is_principal = (b.inertia - Eigen::Matrix3d(I.asDiagonal())).norm() < 1e-9 * I.norm();
  if (!is_principal || !squares.allFinite() || squares.maxCoeff() <= 0) return Vec<3>::Zero();
  return squares.cwiseMax(1e-4 * squares.maxCoeff()).cwiseSqrt();
}

class Drawing {
 public:
  Drawing(const Mechanism& m, const std::map<std::string, Look>& looks) : m_(m), places_(m.bodies.size() + 1) {
    scene_.dim = m.dim;
    for (const RigidBody& b : m.bodies) scene_.bodies.push_back({b.name, "", 0, {}});
    for (const auto& j : m.joints) collect(j);
    for (const auto& f : m.forces) collect(*f.what);
    for (const Point& p : m.points) {
      place(p.marker);
      scene_.points.push_back({p.name, end_of(p.marker)});
    }
    measure();
    for (const auto& j : m.joints) add(j);
    for (const auto& f : m.forces) add(f);
    for (std::size_t k = 0; k < m.bodies.size(); ++k) {
      const auto look = looks.find(m.bodies[k].name);
      add_body(k, look == looks.end() ? Look{} : look->second);
    }
  }
  Scene take() { return std::move(scene_); }

 private:
  // Where an element has its place on a body: drivers and elements that see directions only have none.
  static bool has_place(const AnyJoint& j) {
    const bool directions = j.attach() == Attach::angle || (j.attach() == Attach::cross && j.forbids(3) < 3);
    return !directions && j.forbids(3) > j.rolls(3);
  }
  void place(const Marker& marker) {
    std::vector<Vec<3>>& all = places_[std::size_t(marker.body)];
    for (const Vec<3>& p : all)
      if ((p - marker.at).norm() < 1e-9 * (1 + p.norm())) return;
    all.push_back(marker.at);
  }
  void collect(const Named<AnyJoint>& j) {
    if (j.driver || !has_place(*j.what)) return;
    const Traits t = traits_of(*j.what);
    widest_ = std::max({widest_, std::abs(t.radius_i()), std::abs(t.radius_j())});
    // A disc shows where its centre is, and a plane is no point.
    if (t.has_i && t.radius_i() == 0 && !is_plane(*j.what, t)) place(j.what->i());
    if (t.has_j && t.radius_j() == 0) place(j.what->j());
  }
  void collect(const AnyForce& f) {
    const Traits t = traits_of(f);
    widest_ = std::max({widest_, std::abs(t.radius_i()), std::abs(t.radius_j())});
    // A wheel shows where its centre is; a flat on which something runs is no point, but a bearing is.
    if (f.attach() == Attach::angle || t.names.contains("torque") || t.on_road) return;
    if (t.has_i && (t.radius_j() == 0 || t.radius_i() != 0)) place(f.i());
    if (t.has_j) place(f.j());
  }
  // In space an axis that forbids three motions or fewer is the normal of a plane.
  bool is_plane(const AnyJoint& j, const Traits& t) const {
    return m_.dim == 3 && j.attach() == Attach::pin && j.forbids(3) <= 3 && t.radius_i() == 0 &&
           !t.names.contains("length");
  }

  void measure() {
    Vec<3> low = Vec<3>::Constant(1e300), high = -low;
    const auto see = [&](const Vec<3>& p) { low = low.cwiseMin(p), high = high.cwiseMax(p); };
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (k > 0) see(m_.bodies[k - 1].start.at);
      if (k > 0 && m_.dim == 3 && places_[k].empty())
        widest_ = std::max(widest_, sides_of(m_.bodies[k - 1]).norm() / 2);
      for (const Vec<3>& p : places_[k]) see(m_.start_of(Marker{int(k), p}).at);
    }
    scene_.size = std::max((high - low).norm(), 2 * widest_);
    if (!(scene_.size > 0) || !std::isfinite(scene_.size)) scene_.size = 1;
  }

  std::vector<Shape>& shapes(int body) {
    return body == ground ? scene_.ground : scene_.bodies[std::size_t(body - 1)].shapes;
  }
  void add_pin(const Marker& i, const Marker& j, const Vec<3>& axis_j, bool ball) {
    const Marker& carrier = j.body == ground ? i : j;
    Shape pin{.type = ball ? Type::sphere : Type::pin, .at = carrier.at, .axis = axis_j};
    if (ball) pin.radius = ball_radius * scene_.size;
    shapes(carrier.body).push_back(pin);
    for (const Marker* m : {&i, &j}) add_support(*m);
  }
  void add_support(const Marker& m) {
    if (m.body != ground) return;
    for (const Shape& s : scene_.ground)
      if (s.type == Type::ground && (s.at - m.at).norm() < 1e-9 * scene_.size) return;
    scene_.ground.push_back({.type = Type::ground, .at = m.at, .axis = axis_of(m, 2)});
  }
  void add_disc(const Marker& m, double radius, bool ball, bool hollow, const Vec<3>& axis) {
    if (radius == 0 || !std::isfinite(radius)) return;
    // One body may touch several others.
    for (const Shape& s : shapes(m.body))
      if (s.at == m.at && s.radius == std::abs(radius)) return;
    shapes(m.body).push_back({.type = ball ? Type::sphere : Type::disc,
                              .at = m.at,
                              .x = axis_of(m, 0),
                              .axis = axis,
                              .radius = std::abs(radius),
                              .hollow = hollow || radius < 0});
  }
  void add_guide(const Marker& m, const Vec<3>& along, const Marker& runner, double height) {
    const Vec<3> third = std::abs(along.dot(axis_of(m, 2))) < 0.5 ? axis_of(m, 2) : axis_of(m, 0);
    shapes(m.body).push_back({.type = Type::guide,
                              .at = m.at,
                              .x = along,
                              .axis = third,
                              .size = Vec<3>(0, height, 0),
                              .length = (height > 0 ? 0.5 : 0.3) * scene_.size,
                              .runner = end_of(runner)});
  }
  // The line along x on which something round runs; the body is on the other side of it.
  void add_flat(const Marker& m, const Marker& runner, double length) {
    if (m.body == ground) {
      add_guide(m, axis_of(m, 0), runner, 0);
      shapes(ground).back().length = 2 * length;
      return;
    }
    const Vec<3> size(length, 0.04 * scene_.size, 0.04 * scene_.size);
    shapes(m.body).push_back({.type = Type::box,
                              .at = m.at - axis_of(m, 1) * size.y() / 2,
                              .x = axis_of(m, 0),
                              .axis = axis_of(m, 2),
                              .size = size,
                              .runner = end_of(runner)});
  }
  void add_block(const Marker& m, const Vec<3>& along) {
    const Vec<3> third = std::abs(along.dot(axis_of(m, 2))) < 0.5 ? axis_of(m, 2) : axis_of(m, 0);
    shapes(m.body).push_back(
        {.type = Type::box, .at = m.at, .x = along, .axis = third, .size = block_size * scene_.size});
  }
  void add_plane(const Marker& m) {
    if (m.body != ground) return;
    const double side = 1.6 * scene_.size;
    const Vec<3> middle = middle_of_bodies(m);
    scene_.ground.push_back({.type = Type::box,
                             .at = middle,
                             .x = axis_of(m, 0),
                             .axis = axis_of(m, 2),
                             .size = Vec<3>(side, side, 0)});
  }
  // The point of the plane below the bodies.
  Vec<3> middle_of_bodies(const Marker& plane) const {
    Vec<3> middle = Vec<3>::Zero();
    for (const RigidBody& b : m_.bodies) middle += b.start.at / double(m_.bodies.size());
    const Vec<3> normal = axis_of(plane, 2);
    return middle - normal * normal.dot(middle - plane.at);
  }

  // The axis along which a joint slides: 0 x, 1 y, 2 z; -1 if none.  Lines slide along x.
  static int slide_of(const AnyJoint& j) {
    int slides = 0, axis = -1;
    for (const Elementary e : j.allow())
      if (!is_turn(e)) ++slides, axis = int(e) - int(Elementary::slide_x);
    if (slides == 1) return axis;
    return j.attach() == Attach::line || j.attach() == Attach::guide ? 0 : -1;
  }

  void add(const Named<AnyJoint>& named) {
    const AnyJoint& joint = *named.what;
    const Traits t = traits_of(joint);
    Marker i = joint.i(), j = joint.j();
    const bool space = m_.dim == 3;
    const int slide = slide_of(joint);
    scene_.joints.push_back({named.name, std::string(joint.info().name), named.driver, end_of(i), end_of(j),
                             axis_of(i, slide >= 0 ? slide : 2)});
    if (named.driver || !has_place(joint) || !t.has_i) return;

    if (t.radius_j() != 0) {
      if (is_plane(joint, t)) add_plane(i);
      if (joint.attach() == Attach::guide) add_flat(i, j, 0.5 * scene_.size);
      add_disc(i, t.radius_i(), false, false, axis_of(i, 2));
      add_disc(j, t.radius_j(), false, false, axis_of(j, 2));
    } else if (t.names.contains("length")) {
      scene_.springs.push_back({named.name, "rod", end_of(i), end_of(j)});
      for (const Marker* m : {&i, &j}) add_pin(*m, *m, axis_of(*m, 2), space);
    } else if (slide >= 0) {
      const bool block = joint.attach() == Attach::line && joint.allow().size() == 1;
      // Either may be the guide of a block; the one that stands looks like it.
      if (block && j.body == ground) std::swap(i, j);
      const bool has_block = block || slide == 2;
      add_guide(i, axis_of(i, slide), j, has_block ? block_size.y() * scene_.size : 0);
      if (has_block)
        add_block(j, axis_of(j, slide));
      else
        shapes(j.body).push_back({.type = Type::pin, .at = j.at, .axis = axis_of(i, 2)});
    } else if (is_plane(joint, t)) {
      add_plane(i);
      add_pin(j, j, axis_of(j, 2), true);
    } else if (joint.attach() == Attach::frame) {
      for (const Marker* m : {&i, &j}) add_support(*m);
    } else {
      // A ball where no axis is common to both bodies.
      const bool ball = space && (joint.attach() == Attach::point || joint.forbids(3) != 5);
      add_pin(i, j, axis_of(j.body == ground ? i : j, 2), ball);
    }
  }

  void add(const Named<AnyForce>& named) {
    const AnyForce& force = *named.what;
    const Traits t = traits_of(force);
    const Marker &i = force.i(), &j = force.j();
    const double ri = t.radius_i(), rj = t.radius_j();
    if (rj != 0 || ri != 0) {
      const bool ball = m_.dim == 3 && !t.on_road;  // in space only spheres touch
      const Vec<3> axis_i = axis_of(i, 2);
      // A wheel rolls along x of its road.
      const Pose wheel = m_.start_of(j);
      const Vec<3> axis_j = m_.dim == 3 && t.on_road
                                ? j.turn * (wheel.turn.conjugate() * (m_.start_of(i).turn * Vec<3>::UnitY()))
                                : axis_of(j, 2);
      const double apart = (m_.start_of(i).at - wheel.at).norm();
      const bool inside = ri != 0 && rj != 0 && apart < std::abs(std::abs(ri) - std::abs(rj)) * (1 + 1e-3);
      add_disc(i, ri, ball, inside && std::abs(ri) > std::abs(rj), axis_i);
      add_disc(j, rj, ball, t.on_road || (inside && std::abs(rj) > std::abs(ri)), axis_j);
      // A disc that fills most of its hole is a pin in a bearing.
      if (inside && ri > rj && ri - rj < 0.5 * ri) {
        scene_.gaps.push_back({named.name, end_of(i), end_of(j), ri, rj});
        for (Shape& s : shapes(i.body)) s.bearing = s.bearing || (s.hollow && s.at == i.at && s.radius == ri);
        for (Shape& s : shapes(j.body)) s.journal = s.journal || (!s.hollow && s.at == j.at && s.radius == rj);
      }
      // The flat that a lone disc or ball touches: in the plane x of the marker, in space across z.
      if (ri == 0 && t.has_i && !t.on_road) {
        if (m_.dim == 3)
          add_plane(i);
        else
          add_flat(i, j, 3 * std::abs(rj));
      }
    }
    const bool elastic = t.names.contains("stiffness") || t.names.contains("damping");
    if (!elastic || !t.has_i || !t.has_j || ((ri != 0 || rj != 0) && !t.on_road)) return;
    SceneSpring spring{named.name, std::string(force.info().name), end_of(i), end_of(j)};
    if (t.names.contains("actuator") && t.number("stiffness") == 0 && t.number("law") == 0 &&
        force.attach() != Attach::angle)
      spring.kind = t.number("damping") != 0 ? "damper" : "actuator";
    if (force.attach() == Attach::frame) scene_.gaps.push_back({named.name, end_of(i), end_of(j), 0, 0});
    if (force.attach() == Attach::angle)
      at_the_pin(spring, i.body, j.body);
    else if (!t.on_road)
      for (const Marker* m : {&i, &j}) add_support(*m);
    scene_.springs.push_back(spring);
  }

  // A torsional spring has no place of its own: it sits on the pin between its bodies.
  void at_the_pin(SceneSpring& spring, int i, int j) const {
    for (const auto& named : m_.joints) {
      const Marker &a = named.what->i(), &b = named.what->j();
      if (named.driver || !has_place(*named.what)) continue;
      if (a.body == i && b.body == j) spring.i.at = a.at, spring.j.at = b.at;
      if (a.body == j && b.body == i) spring.i.at = b.at, spring.j.at = a.at;
    }
  }

  void add_body(std::size_t k, const Look& look) {
    SceneBody& body = scene_.bodies[k];
    body.colour = look.colour;
    body.size = look.size.value_or(0);
    std::vector<Vec<3>> points = places_[k + 1];
    const std::string_view shape = look.shape.word();
    const bool is_auto = shape == "auto";
    const double side = look.size.value_or(0.1 * scene_.size);
    std::vector<Shape> own;
    if (shape == "disc" || shape == "sphere")
      own.push_back({.type = shape == "disc" ? Type::disc : Type::sphere,
                     .radius = look.size.value_or(farthest(points))});
    else if (shape == "box")
      own.push_back({.type = Type::box, .size = Vec<3>::Constant(side)});
    else if (shape == "link" && points.size() > 1)
      for (std::size_t p = 1; p < points.size(); ++p)
        own.push_back({.type = Type::link, .points = {points[p - 1], points[p]}});
    else if (shape != "none")
      own = outline(m_.bodies[k], points,
                    is_auto && std::ranges::any_of(body.shapes, [&](const Shape& s) { return is_solid(s); }));
    body.shapes.insert(body.shapes.begin(), own.begin(), own.end());
  }
  bool is_solid(const Shape& s) const {
    return s.type == Type::disc || s.type == Type::box || s.type == Type::guide ||
           (s.type == Type::sphere && s.radius > ball_radius * scene_.size);
  }
  double farthest(const std::vector<Vec<3>>& points) const {
    double radius = 0;
    for (const Vec<3>& p : points) radius = std::max(radius, p.norm());
    return radius > 0 ? radius : 0.1 * scene_.size;
  }
  // A link between two points, a plate over three or more, nothing where a disc or a block shows it; the centre of mass stands in for a second point.
  std::vector<Shape> outline(const RigidBody& body, const std::vector<Vec<3>>& points, bool has_solid) const {
    const double least = 1e-6 * scene_.size;
    if (points.size() < 2 && has_solid) return {};
    if (points.size() == 1 && points[0].norm() > least)
      return {{.type = Type::link, .points = {points[0], Vec<3>::Zero()}}, {.type = Type::mass}};
    if (points.size() < 2) {
      const Vec<3> sides = m_.dim == 3 && points.empty() ? sides_of(body) : Vec<3>::Zero();
      if (sides.norm() > 0) return {{.type = Type::box, .size = sides}};
      return {{.type = Type::mass}};
    }
    if (const auto [a, b] = farthest_pair(points); are_on_line(points, a, b, least))
      return {{.type = Type::link, .points = {points[a], points[b]}}};
    if (are_in_plane(points, least)) return {{.type = Type::plate, .points = around(points)}};
    // No plate goes through points that are not in a plane: arms from their middle.
    Vec<3> middle = Vec<3>::Zero();
    for (const Vec<3>& p : points) middle += p / double(points.size());
    std::vector<Shape> arms;
    for (const Vec<3>& p : points) arms.push_back({.type = Type::link, .points = {middle, p}});
    return arms;
  }

  const Mechanism& m_;
  std::vector<std::vector<Vec<3>>> places_;  // by body, the ground first
  double widest_ = 0;                        // largest radius
  Scene scene_;
};
}  // namespace

Scene scene_of(const Mechanism& m, const std::map<std::string, Look>& looks) {
  return Drawing(m, looks).take();
}
}  // namespace mubody::io
