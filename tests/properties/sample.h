#pragma once
// Random elements and random states: every kind in a registry is tested without knowing what it is.

#include <gtest/gtest.h>

#include "mubody/contact/friction/modified_coulomb.h"
#include "mubody/contact/laws/hunt_crossley.h"
#include "mubody/forces/laws/polynomial_law.h"
#include "mubody/functions/harmonic.h"
#include "mubody/functions/signal.h"
#include "mubody/joints/curves/circular_arc.h"
#include "mubody/joints/curves/spline_curve.h"
#include "mubody/math/dense.h"
#include "mubody/system/build.h"
#include "mubody/system/registry.h"
#include "tests/random.h"

namespace mubody::testing {
inline constexpr int trials = 20;     // random cases for each kind of element
inline constexpr double h = 1e-6;     // central differences err by about h², round-off by 1e-16 / h
inline constexpr double near = 2e-8;  // tolerance, times the size of what is differentiated

/// The factor by which differences of rows with these derivatives are less accurate.
inline double uncertain(const MatX& D) { return std::pow(std::max(1.0, D.lpNorm<Eigen::Infinity>()), 3); }

/// Any orientation; in the plane a turn about z.
inline Quaternion random_turn(Random& random, int dim) {
  if (dim == 2) return turn_about_z(random(-3, 3));
  return Quaternion(random(), random(), random(), random()).normalized();
}

/// Fills the parameters of any element with random values; markers sit on bodies 1 and 2.
class RandomFields final : public Fields {
 public:
  RandomFields(Random& random, int variant, int dim) : random_(random), variant_(variant), dim_(dim) {}
  int dim() const override { return dim_; }

  void visit(const Field& f, double& x) override {
    x = random_(0.4, 1.6);
    if (f.name == "journal_radius" || f.meaning == "of the disc within it")
      x *= 0.25;  // less than the outer radius
    if (f.meaning.starts_with("of the roller"))
      x = dim_ == 2 || variant_ != 2 ? 0.2 * x : 0;  // not on a curve of space
    if (f.name == "rounding") x *= outline_ == 3 ? 0 : 0.1;
    if (f.name.starts_with("radius_")) centres += x;
    if (f.name == "PKY1") x = -x;  // a lateral force is against its slip angle
    if (f.name.ends_with("_angle") && f.unit == "rad") x = dim_ == 2 && f.name == "helix_angle" ? 0 : 0.15 * x;
  }
  void visit(const Field&, int&) override {}
  void visit(const Field& f, bool& x) override {
    if (f.name != "open" && f.name != "hollow") x = variant_ % 2 == 1;
  }
  void visit(const Field&, std::string&) override {}
  void visit(const Field& f, Choice& c) override {
    c.index = variant_ % int(c.words.size());
    if (f.name == "about" && dim_ == 2) c.index = 0;  // some words exist in one dimension only
    if (f.name == "along" && dim_ == 2) c.index %= 2;
    if (f.name == "motion" && dim_ == 3) c.index = variant_ + (random_() > 0 ? 3 : 0);  // all six of them
    if (f.name == "coordinate" && c.word() == (dim_ == 2 ? "z" : "angle")) c.index = dim_ == 2 ? 3 : 1;
  }
  void visit(const Field& f, Vec<3>& v) override {
    v = vector();
    several_ = several_ || f.name == "size" || f.name == "along";
    if (f.name == "size") v = v.cwiseAbs() + Vec<3>::Constant(0.4);  // of a box
  }
  void visit(const Field& f, std::vector<double>& v) override {  // a diagonal, or a positive matrix
    const int n = f.name == "ratios" ? coupled_ : dim_ == 2 ? 3 : 6;
    v.clear();
    if (f.name == "ratios" && by_function()) return;
    for (int k = 0; k < n; ++k) v.push_back(random_(0.5, 2));
    if (f.name == "ratios")
      v.back() *= 0.1;  // slides outweigh the turn, which has no meaning in some positions
    if (variant_ != 1 || f.name == "preload" || f.name == "ratios") return;
    const MatX A = MatX::NullaryExpr(n, n, [&] { return random_(); }), K = product(A, A.transpose());
    v.assign(K.data(), K.data() + n * n);
  }
  void visit(const Field&, std::vector<std::string>&) override {}
  void visit(const Field& f, Data& d) override {  // time and as many columns as the element takes
    if (f.name == "points") return outline(d);
    d.columns.assign(std::size_t(variant_ % 3 == 0 ? 1 + dim_ : 1 + 2 * dim_), {});
    for (int row = 0; row < 8; ++row)
      for (std::size_t k = 0; k < d.columns.size(); ++k) d.columns[k].push_back(k == 0 ? row - 3.0 : random_());
  }
  void visit(const Field& f, Marker& m) override {
    m.body = f.name == "i" ? 1 : 2;
    m.at = vector();
    m.turn = random_turn(random_, dim_);
  }
  // Two slides and a turn between the two bodies; with a function one slide follows the other.
  void visit(const Field&, std::vector<Coupled>& couples) override {
    const Elementary turn = variant_ == 1 && dim_ == 3 ? turn_x : turn_z;
    couples.clear();
    for (const Elementary m : {slide_x, slide_y, turn}) {
      Coupled c{std::string(name_of(m))};
      visit(Field{.name = "i"}, c.i);
      visit(Field{.name = "j"}, c.j);
      c.motion = m, c.found = true;
      couples.push_back(c);
    }
    if (by_function()) couples.pop_back();
    coupled_ = int(couples.size());
  }
  void visit(const Field&, Function& f) override { f = wave(); }
  void visit(const Field&, std::vector<Function>& f) override { f = {wave(), wave(), wave()}; }
  void visit(const Field&, Signal& s) override { s = formula(); }
  void visit(const Field&, std::vector<Signal>& s) override { s.assign(std::size_t(dim_), formula()); }
  void visit(const Field&, Law&) override {}
  void visit(const Field& f, std::optional<double>& x) override {
    if (f.name == "disc" && outline_ != 3) return;
    if (f.name == "mu_sliding") return;                               // not above another field
    x = f.name == "offset" ? random_(-0.4, 0.4) : random_(0.5, 1.5);  // a link is longer than its offset
  }
  void visit(const Field& field, std::optional<Function>& f) override {
    if (field.of_time || by_function()) f = wave();
  }
  void visit(const Field&, std::optional<Law>&) override {}
  void visit(const Field&, ContactLaw& law) override {
    HuntCrossley soft;
    soft.stiffness = (several_ ? 0.1 : 1) * random_(5, 20);  // differences of a large potential have few digits
    soft.restitution = random_(0.3, 0.9);
    law = ContactLaw(soft);
  }
  void visit(const Field&, std::optional<Friction>& friction) override {
    if (variant_ % 2 == 1)
      friction = Friction(ModifiedCoulomb{.mu = random_(0.1, 0.5), .none = 0.01, .full = 0.1});
  }
  void visit(const Field& f, BodyCurve& curve) override {
    CircularArc arc;
    arc.centre = vector();
    arc.radius = random_(0.5, 2);
    if (variant_ == 2 || f.meaning.starts_with("the curve, closed"))
      curve = closed_spline();
    else
      curve = BodyCurve(arc);
  }
  void visit(const Field& f, Nested& n) override {
    if (f.name == "coefficients") n.fields(*this);  // of a formula
    if (!f.name.starts_with("outline_")) return;
    several_ = true;
    outline_ = variant_ + (f.name.ends_with("j") ? 1 : 0);
    n.fields(*this);
  }

  double centres = 0;  // distance that the radii of a gear pair ask for

 private:
  Function wave() {
    Harmonic h;
    h.amplitude = random_(0.1, 0.2);
    h.omega = random_(1, 4);
    h.phase = random_(-3, 3);
    h.offset = random_(0.4, 1.2);  // a possible length, and less than a right angle
    return Function(h);
  }
  Signal formula() {
    const std::string names[] = {"t", "b.x", "b.w"};
    return Signal(Expression::parse("3*sin(t) + b.x^2 - 2*b.w", names),
                  {{Marker{2, Vec<3>::Zero(), Quaternion::Identity()}, StateVariable::x},
                   {Marker{2, Vec<3>::Zero(), Quaternion::Identity()},
                    dim_ == 2 ? StateVariable::omega : StateVariable::wz}});
  }
  // Through points of an ellipse, which is round everywhere; in space it waves across its plane.
  BodyCurve closed_spline() {
    SplineCurve spline;
    spline.closed = true;
    spline.points.columns.assign(std::size_t(dim_), {});
    const double a = random_(1, 1.4), b = random_(0.8, 1), c = random_(0.1, 0.3);
    for (int k = 0; k < 12; ++k) {
      const double angle = k * double(EIGEN_PI) / 6;
      const double x[] = {a * std::cos(angle), b * std::sin(angle), c * std::sin(2 * angle)};
      for (std::size_t n = 0; n < std::size_t(dim_); ++n) spline.points.columns[n].push_back(x[n]);
    }
    return BodyCurve(spline);
  }
  bool by_function() const { return variant_ == 2; }
  // A triangle, a quadrangle with arcs, hollow and bulging, or a notched one; else it is a disc.
  void outline(Data& d) {
    const auto x = [&] { return random_(0.8, 1.6); };
    if (outline_ == 0) d.columns = {{-x(), x(), 0}, {-x(), -x(), x()}};
    if (outline_ == 1) d.columns = {{-x(), x(), x(), -x()}, {-x(), -x(), x(), x()}, {2.5, 0, -3, 0}};
    if (outline_ == 2) d.columns = {{-x(), 0, x(), x(), -x()}, {-x(), 0.1, -x(), x(), x()}};
  }
  Vec<3> vector() { return {random_(), random_(), dim_ == 2 ? 0 : random_()}; }

  Random& random_;
  int variant_, dim_, coupled_ = 0;
  int outline_ = 0;       // the kind of an outline
  bool several_ = false;  // bodies touch in several places
};

/// A positive definite inertia that a body can have.
inline Eigen::Matrix3d random_inertia(Random& random) {
  const Eigen::Matrix3d R = random_turn(random, 3).toRotationMatrix();
  const Vec<3> spread(random(0.2, 1), random(0.2, 1), random(0.2, 1));
  const Vec<3> moments(spread.y() + spread.z(), spread.z() + spread.x(), spread.x() + spread.y());
  return R * moments.asDiagonal() * R.transpose();
}

/// Two free bodies with random mass and place.
inline Mechanism two_bodies(Random& random, int dim) {
  Mechanism m;
  m.dim = dim;
  for (const char* name : {"a", "b"}) {
    RigidBody b;
    b.name = name;
    b.mass = random(0.5, 2);
    b.inertia = random_inertia(random);
    const double angle = dim == 2 ? random(-2, 2) : 0;
    b.start = {Vec<3>(random(-2, 2), random(-2, 2), dim == 2 ? 0 : random(-2, 2)),
               dim == 2 ? turn_about_z(angle) : random_turn(random, 3), angle};
    m.bodies.push_back(b);
  }
  return m;
}

inline int variants() { return 3; }  // enough for every word of a choice

/// The start of the model, moved at random.
inline VecX somewhere(const System& s, Random& random) {
  VecX q = VecX::Zero(s.nq), u = VecX::Zero(s.nu);
  s.start(q, u);
  s.move(q, 2 * random.vector(s.nu));
  return q;
}

/// Velocities of all bodies moving as one with v at the global origin and angular velocity w; in the plane,
/// their planar components.
inline VecX together(const System& s, const VecX& q, const Vec<3>& v, const Vec<3>& w) {
  VecX u(s.nu);
  const bool plane = s.nq == s.nu;
  for (int b = 0; b < 2; ++b) {
    if (plane) {
      const auto x = q.segment<3>(3 * b);
      u.segment<3>(3 * b) << v.x() - w.z() * x[1], v.y() + w.z() * x[0], w.z();
    } else {
      const auto x = q.segment<7>(7 * b);
      u.segment<3>(6 * b) = v + w.cross(Vec<3>(x.head<3>()));
      u.segment<3>(6 * b + 3) = Quaternion(x[3], x[4], x[5], x[6]).conjugate() * w;
    }
  }
  return u;
}

/// An element of a registry in the plane or in space.
template <class Entry> struct Kind {
  const Entry* kind;
  int dim;
};
/// The name that GoogleTest shows.
template <class Entry> void PrintTo(const Kind<Entry>& x, std::ostream* out) {
  *out << x.kind->info.name << (x.dim == 2 ? " in the plane" : " in space");
}
template <class Entry> std::vector<Kind<Entry>> all_in_both(Kinds<Entry> kinds) {
  std::vector<Kind<Entry>> all;
  for (const Entry& e : kinds)
    for (const int dim : {2, 3})
      if (e.in(dim)) all.push_back({&e, dim});
  return all;
}
template <class Entry> std::string name_of(const Kind<Entry>& x) {
  return std::string(x.kind->info.name) + (x.dim == 2 ? "_in_the_plane" : "_in_space");
}

/// Returns the distance of the two markers that the parameters ask for; 0 if any will do.
template <class Element> double randomize(Element& element, Random& random, int variant, int dim) {
  RandomFields fields(random, variant, dim);
  element.fields(fields);
  return fields.centres;
}

/// Moves the second body of a mechanism so that the markers of wheels are a distance apart, as their radii ask for.
/// Their axes are parallel or meet; here, across the line of centres, they are made parallel.
template <class Element> void mesh(Mechanism& m, Element& joint, double apart) {
  if (apart == 0) return;
  const Vec<3> d = (m.start_of(joint.j()).at - m.start_of(joint.i()).at).normalized();
  if (m.dim == 3)
    for (Marker* marker : {&joint.i(), &joint.j()}) {
      const Quaternion body = m.start_of({marker->body, Vec<3>::Zero(), Quaternion::Identity()}).turn;
      const Vec<3> z = d.unitOrthogonal();
      Eigen::Matrix3d axes;
      axes << d, z.cross(d), z;
      marker->turn = body.conjugate() * Quaternion(axes);
    }
  m.bodies[1].start.at += m.start_of(joint.i()).at + apart * d - m.start_of(joint.j()).at;
}

/// The pose after an elementary motion.
inline Pose moved_by(Elementary m, double x) {
  const Vec<3> axis = Vec<3>::Unit(int(m) % 3);
  if (is_turn(m)) return {Vec<3>::Zero(), Quaternion(Eigen::AngleAxisd(x, axis)), m == turn_z ? x : 0};
  return {x * axis, Quaternion::Identity(), 0};
}
}  // namespace mubody::testing
