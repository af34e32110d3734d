#include "mubody/picture/scene.h"

#include <algorithm>
#include <cmath>

#include "mubody/picture/outline.h"
#include "mubody/picture/sketches.h"
#include "mubody/shapes/figure.h"

namespace mubody::io {
namespace {
using Type = Shape::Type;
using Form = Sketch::Part::Form;
using End = Sketch::End;
constexpr double ball_radius = 0.018;       // ball joint, as a share of the size of the scene
constexpr double half_sheet = 0.01;         // half of the thickness of what is flat, likewise
const Vec<3> block_size(0.12, 0.07, 0.07);  // slider, likewise

Vec<3> axis_of(const Marker& m, int k) { return m.turn * Vec<3>::Unit(k); }

// The sides of the cuboid with the body's mass and principal moments of inertia; zero if no cuboid has them.
Vec<3> sides_of(const RigidBody& b) {
  const Vec<3> I = b.inertia.diagonal();
  const Vec<3> squares = 6 / b.mass * (Vec<3>::Constant(I.sum()) - 2 * I);
  const bool is_principal = (b.inertia - Eigen::Matrix3d(I.asDiagonal())).norm() < 1e-9 * I.norm();
  if (!is_principal || !squares.allFinite() || squares.maxCoeff() <= 0) return Vec<3>::Zero();
  return squares.cwiseMax(1e-4 * squares.maxCoeff()).cwiseSqrt();
}

/// An element, its sketch and its markers.
struct Drawn {
  std::string name;
  Sketch sketch;
  Marker i, j;

  template <class Any>
  Drawn(const Named<Any>& named, int dim)
      : name(named.name), sketch(sketch_of(named, dim)), i(named.what->i()), j(named.what->j()) {}
  const Marker& at(End e) const { return e == End::i ? i : j; }
};

class Drawing {
 public:
  Drawing(const Mechanism& m, const std::map<std::string, Look>& looks) : m_(m), places_(m.bodies.size() + 1) {
    scene_.dim = m.dim;
    for (const RigidBody& b : m.bodies) scene_.bodies.push_back({b.name, "", 0, {}});
    std::vector<Drawn> joints, forces;
    for (const auto& j : m.joints) joints.emplace_back(j, m.dim);
    for (const auto& f : m.forces) forces.emplace_back(f, m.dim);
    for (const auto* all : {&joints, &forces})
      for (const Drawn& d : *all) collect(d);
    for (const Point& p : m.points) {
      place(p.marker);
      scene_.points.push_back({p.name, end_of(p.marker)});
    }
    for (std::size_t k = 0; k < m.bodies.size(); ++k)
      if (const auto look = looks.find(m.bodies[k].name); look != looks.end()) add_figure(k, look->second);
    measure();
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const AnyJoint& joint = *m.joints[k].what;
      scene_.joints.push_back({joints[k].name, std::string(joint.info().name), m.joints[k].driver,
                               end_of(joint.i()), end_of(joint.j()), main_axis(joints[k])});
      add(joints[k]);
    }
    for (const Drawn& f : forces) add(f);
    for (std::size_t k = 0; k < m.bodies.size(); ++k) {
      const auto look = looks.find(m.bodies[k].name);
      add_body(k, look == looks.end() ? Look{} : look->second);
    }
  }
  Scene take() { return std::move(scene_); }

 private:
  void place(const Marker& marker) {
    std::vector<Vec<3>>& all = places_[std::size_t(marker.body)];
    for (const Vec<3>& p : all)
      if ((p - marker.at).norm() < 1e-9 * (1 + p.norm())) return;
    all.push_back(marker.at);
  }
  // What a body is made of.
  void add_figure(std::size_t k, const Look& look) {
    if (!look.figure) return;
    for (const Vec<3>& p : look.figure->through) place({int(k) + 1, p});
    if (look.form() != Look::automatic) return;
    for (const Surface& s : look.figure->surfaces)
      scene_.bodies[k].shapes.push_back({.type = Type::solid, .surface = std::make_shared<const Surface>(s)});
  }
  void collect(const Drawn& d) {
    for (const Sketch::Part& p : d.sketch.parts) {
      if (p.form == Form::point) place(d.at(p.at));
      if (p.form == Form::disc || p.form == Form::sphere) widest_ = std::max(widest_, p.size);
      for (const auto& [x, y] : p.corners) widest_ = std::max(widest_, std::hypot(x, y));
    }
  }
  // The axis of the pin, or the direction of the guide.
  static Vec<3> main_axis(const Drawn& d) {
    const auto guide = std::ranges::find(d.sketch.parts, Form::guide, &Sketch::Part::form);
    return axis_of(d.i, guide == d.sketch.parts.end() ? 2 : guide->axis.k);
  }

  void measure() {
    Vec<3> low = Vec<3>::Constant(1e300), high = -low;
    const auto see = [&](const Vec<3>& p) { low = low.cwiseMin(p), high = high.cwiseMax(p); };
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (k > 0) see(m_.bodies[k - 1].start.at);
      if (k > 0 && m_.dim == 3 && places_[k].empty())
        widest_ = std::max(widest_, sides_of(m_.bodies[k - 1]).norm() / 2);
      for (const Vec<3>& p : places_[k]) see(m_.start_of(Marker{int(k), p}).at);
      if (k == 0) continue;
      for (const Shape& s : scene_.bodies[k - 1].shapes)
        for (const Vec<3>& p : s.surface->points) see(m_.start_of(Marker{int(k), p}).at);
    }
    scene_.size = std::max((high - low).norm(), 2 * widest_);
    if (!(scene_.size > 0) || !std::isfinite(scene_.size)) scene_.size = 1;
  }

  std::vector<Shape>& shapes(int body) {
    return body == ground ? scene_.ground : scene_.bodies[std::size_t(body - 1)].shapes;
  }
  void add_support(const Marker& m) {
    if (m.body != ground) return;
    for (const Shape& s : scene_.ground)
      if (s.type == Type::ground && (s.at - m.at).norm() < 1e-9 * scene_.size) return;
    scene_.ground.push_back({.type = Type::ground, .at = m.at, .axis = axis_of(m, 2)});
  }
  void add_round(const Marker& m, const Sketch::Part& p, const Vec<3>& axis) {
    if (p.size == 0 || !std::isfinite(p.size)) return;
    // One body may touch several others.
    for (const Shape& s : shapes(m.body))
      if (s.at == m.at && s.radius == p.size) return;
    shapes(m.body).push_back({.type = p.form == Form::sphere ? Type::sphere : Type::disc,
                              .at = m.at,
                              .x = axis_of(m, 0),
                              .axis = axis,
                              .radius = p.size,
                              .hollow = p.hollow});
  }
  // A body of solids shows by itself what slides in what.
  bool is_made(int body) {
    return std::ranges::any_of(shapes(body), [](const Shape& s) { return s.type == Type::solid; });
  }
  void add_guide(const Marker& m, const Vec<3>& along, const Marker& runner, double height) {
    if (height > 0 && is_made(m.body)) return;
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
    if (is_made(m.body)) return;
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

  // What has a shape of its own.
  void add_solid(const Marker& m, const Sketch::Part& p) {
    std::vector<Vec<2>> corners;
    for (const auto& [x, y] : p.corners) corners.emplace_back(x, y);
    Surface s;
    Quaternion turn = p.of_body ? Quaternion::Identity() : m.turn;
    if (p.form == Form::spun) {
      s = revolved(corners, false);
      turn = turn_between(Vec<3>::UnitZ(), {p.along[0], p.along[1], p.along[2]});
    } else {
      const double half = p.low == p.high ? half_sheet * scene_.size : 0;
      s = extruded(corners, {}, p.low - half, p.high + half);
    }
    s.move(turn, m.at);
    // One body may touch several others.
    for (const Shape& other : shapes(m.body))
      if (other.surface && other.surface->points == s.points) return;
    shapes(m.body).push_back({.type = Type::solid, .surface = std::make_shared<const Surface>(std::move(s))});
  }

  void add(Drawn d) {
    const auto has = [&](Form form) {
      return std::ranges::find(d.sketch.parts, form, &Sketch::Part::form) != d.sketch.parts.end();
    };
    const bool block = has(Form::block);
    // Either body may be the guide of a block; the one that stands still is drawn as the guide.
    if (block && d.j.body == ground) std::swap(d.i, d.j);
    for (const Sketch::Part& p : d.sketch.parts) add(d, p, block);
    if (d.sketch.play) add_play(d, *d.sketch.play);
    for (const Sketch::Tie kind : d.sketch.ties) add_tie(d, kind);
  }
  void add(const Drawn& d, const Sketch::Part& p, bool block) {
    const End end = p.joins && d.j.body == ground ? End::i : p.at;
    const Marker &m = d.at(end), &other = d.at(end == End::i ? End::j : End::i);
    const Vec<3> axis = axis_on(m, d.at(p.joins ? end : p.axis.of), p.axis.k);
    switch (p.form) {
      case Form::point: break;
      case Form::support: add_support(m); break;
      case Form::pin: shapes(m.body).push_back({.type = Type::pin, .at = m.at, .axis = axis}); break;
      case Form::ball:
        shapes(m.body).push_back(
            {.type = Type::sphere, .at = m.at, .axis = axis, .radius = ball_radius * scene_.size});
        break;
      case Form::disc:
      case Form::sphere: add_round(m, p, axis); break;
      case Form::guide: add_guide(m, axis, other, block ? block_size.y() * scene_.size : 0); break;
      case Form::block: add_block(m, axis); break;
      case Form::flat: add_flat(m, other, p.size > 0 ? p.size : 0.5 * scene_.size); break;
      case Form::plane: add_plane(m); break;
      case Form::prism:
      case Form::spun: add_solid(m, p); break;
    }
  }
  // An axis of the marker `of`, in the axes of the body that carries the marker `on`, at the start.
  Vec<3> axis_on(const Marker& on, const Marker& of, int k) const {
    if (on.body == of.body) return axis_of(of, k);
    return on.turn * (m_.start_of(on).turn.conjugate() * (m_.start_of(of).turn * Vec<3>::Unit(k)));
  }

  void add_play(const Drawn& d, const Sketch::Play& play) {
    scene_.gaps.push_back({d.name, end_of(d.i), end_of(d.j), play.bearing, play.journal});
    if (play.bearing == 0) return;
    for (Shape& s : shapes(d.i.body))
      s.bearing = s.bearing || (s.hollow && s.at == d.i.at && s.radius == play.bearing);
    for (Shape& s : shapes(d.j.body))
      s.journal = s.journal || (!s.hollow && s.at == d.j.at && s.radius == play.journal);
  }
  void add_tie(const Drawn& d, Sketch::Tie kind) {
    SceneTie tie{.name = d.name, .kind = kind, .i = end_of(d.i), .j = end_of(d.j), .driver = d.sketch.driver};
    const double length = (m_.start_of(d.i).at - m_.start_of(d.j).at).norm();
    if (kind == Sketch::Tie::cylinder) tie.fit_barrel(length, length);
    if (kind == Sketch::Tie::spiral) at_the_pin(tie);
    scene_.ties.push_back(tie);
  }
  // A torsional spring has no place of its own: it sits on the pin between its bodies.
  void at_the_pin(SceneTie& tie) const {
    for (const Named<AnyJoint>& joint : m_.joints) {
      const Marker &a = joint.what->i(), &b = joint.what->j();
      if (joint.driver || sketch_of(joint, m_.dim).empty()) continue;
      if (a.body == tie.i.body && b.body == tie.j.body) tie.i.at = a.at, tie.j.at = b.at;
      if (a.body == tie.j.body && b.body == tie.i.body) tie.i.at = b.at, tie.j.at = a.at;
    }
  }

  void add_body(std::size_t k, const Look& look) {
    SceneBody& body = scene_.bodies[k];
    body.colour = look.colour;
    body.size = look.size.value_or(0);
    std::vector<Vec<3>> points = places_[k + 1];
    if (look.figure && std::ranges::any_of(body.shapes, [](const Shape& s) { return s.type == Type::solid; }))
      points = look.figure->through;  // what is solid shows the body
    const Look::Form form = look.form();
    const double side = look.size.value_or(0.1 * scene_.size);
    std::vector<Shape> own;
    if (form == Look::disc || form == Look::sphere)
      own.push_back({.type = form == Look::disc ? Type::disc : Type::sphere,
                     .radius = look.size.value_or(farthest(points))});
    else if (form == Look::box)
      own.push_back({.type = Type::box, .size = Vec<3>::Constant(side)});
    else if (form == Look::link && points.size() > 1)
      for (std::size_t p = 1; p < points.size(); ++p)
        own.push_back({.type = Type::link, .points = {points[p - 1], points[p]}});
    else if (form != Look::none)
      own = outline(m_.bodies[k], points,
                    form == Look::automatic &&
                        std::ranges::any_of(body.shapes, [&](const Shape& s) { return is_solid(s); }));
    body.shapes.insert(body.shapes.begin(), own.begin(), own.end());
  }
  bool is_solid(const Shape& s) const {
    return s.type == Type::disc || s.type == Type::box || s.type == Type::guide || s.type == Type::solid ||
           (s.type == Type::sphere && s.radius > ball_radius * scene_.size);
  }
  double farthest(const std::vector<Vec<3>>& points) const {
    double radius = 0;
    for (const Vec<3>& p : points) radius = std::max(radius, p.norm());
    return radius > 0 ? radius : 0.1 * scene_.size;
  }
  // A link between two points, a plate over three or more, nothing where a disc or a block shows the body; the
  // centre of mass stands in for a second point.
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
    // Points that are not in a plane have no plate but arms from their middle.
    Vec<3> middle = Vec<3>::Zero();
    for (const Vec<3>& p : points) middle += p / double(points.size());
    std::vector<Shape> arms;
    for (const Vec<3>& p : points) arms.push_back({.type = Type::link, .points = {middle, p}});
    return arms;
  }

  const Mechanism& m_;
  std::vector<std::vector<Vec<3>>> places_;  // points by body, the ground first
  double widest_ = 0;                        // largest radius
  Scene scene_;
};
}  // namespace

void SceneTie::fit_barrel(double least, double most) {
  barrel = 0.72 * least;
  telescopic = most - barrel > 0.95 * barrel;  // the rod alone would not fit into the barrel
}

Scene scene_of(const Mechanism& m, const std::map<std::string, Look>& looks) {
  return Drawing(m, looks).take();
}
}  // namespace mubody::io
