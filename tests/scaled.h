#pragma once
// A study of the same motion in another size: every length is multiplied, and with it all that has a length in its unit.
//
//   gravity s, forces s, torques and inertias s², stiffnesses, masses and times as they are     docs/theory/scales.md
#include <cmath>
#include <stdexcept>
#include <utility>

#include "mubody/mechanism/each_field.h"
#include "mubody/model/units.h"
#include "mubody/study/options.h"

namespace mubody::testing {
/// What a quantity in a unit is multiplied by where lengths are multiplied by s.
inline double scale_of(std::string_view unit, double s) {
  return unit.empty() ? 1 : std::pow(s, parse_unit(unit).dim.m);
}

/// A function of time or of a length, multiplied.
struct ScaledFunction {
  static constexpr Info info{"scaled", "a function whose values and arguments are multiplied"};
  Function f;
  double by = 1, over = 1;

  void fields(Fields&) {}
  void check() const {}
  Jet operator()(double x) const {
    const Jet now = f(x / over);
    return {by * now.x, by / over * now.v, by / (over * over) * now.a};
  }
  Breakpoints breakpoints(double from, double to) const { return f.kind().breakpoints(from, to); }
};

/// A law of a spring in another size; angles stay as they are.
struct ScaledLaw {
  static constexpr Info info{"scaled", "a law whose forces and deflections are multiplied"};
  static constexpr bool stores_energy = true;
  Law law;
  double by = 1, over = 1;  // of forces, of deflections

  void fields(Fields&) {}
  void check() const {}
  double force(const Deflection& d) const {
    return by * law.force({d.deflection / over, d.rate / over, d.length / over, d.t});
  }
  double potential(double deflection) const { return by * over * law.potential(deflection / over); }
};

/// Multiplies the fields of an element by what their units say.
class ScaleFields : public EachField<ScaleFields> {
 public:
  explicit ScaleFields(double s) : s_(s) {}

  template <class T> void each(const Field&, T&) {}
  void each(const Field& f, double& v) { v *= scale_of(f.unit, s_); }
  void each(const Field& f, std::optional<double>& v) {
    if (v) *v *= scale_of(f.unit, s_);
  }
  void each(const Field& f, Vec<3>& v) { v *= scale_of(f.unit, s_); }
  void each(const Field& f, std::vector<double>& v) {
    if (f.unit.find(',') != std::string_view::npos) return each_entry(f, v);
    for (double& x : v) x *= scale_of(f.unit, s_);
  }
  void each(const Field&, Marker& v) { v.at *= s_; }
  void each(const Field&, std::vector<Coupled>&) {
    throw std::invalid_argument("ratios cannot be scaled: their units depend on the joints");
  }
  void each(const Field&, BodyCurve&) { throw std::invalid_argument("curves cannot be scaled"); }
  void each(const Field& f, Function& v) {
    const double by = scale_of(f.unit, s_), over = scale_of(f.over, s_);
    if (!v.varies())
      v = Function(by * v(0).x);
    else if (by != 1 || over != 1)
      v = Function(ScaledFunction{v, by, over});
  }
  void each(const Field& f, std::vector<Function>& all) {
    for (Function& v : all) each(f, v);
  }
  void each(const Field& f, std::optional<Function>& v) {
    if (v) each(f, *v);
  }
  void each(const Field& f, Signal& v) {
    if (v.depends_on_state()) throw std::invalid_argument("a formula of the state cannot be scaled");
    Function of_time = v.function_of_time();
    each(f, of_time);
    v = Signal(std::move(of_time));
  }
  void each(const Field& f, std::vector<Signal>& all) {
    for (Signal& v : all) each(f, v);
  }
  void each(const Field& f, std::optional<Law>& v) {
    const bool turns = parse_unit(f.unit).dim.m == 2;  // a moment
    if (v) *v = Law(ScaledLaw{*v, scale_of(f.unit, s_), turns ? 1 : s_});
  }
  void each(const Field&, ContactLaw& v) {
    ElasticPart& e = v->elastic_part();
    if (e.stiffness) *e.stiffness *= std::pow(s_, 1 - e.exponent);
    v->fields(*this);
  }
  void each(const Field&, std::optional<Friction>& v) {
    if (v) (*v)->fields(*this);
  }
  void each(const Field&, Data&) { throw std::invalid_argument("data cannot be scaled"); }

 private:
  // Values along the axes and about them, or a matrix of such rows and columns: a turn of a row or a column multiplies by
  // the length, and the diagonal stands for both.
  void each_entry(const Field& f, std::vector<double>& v) {
    const double slide = scale_of(f.unit.substr(0, f.unit.find(',')), s_);
    const int of_diagonal = f.name == "preload" ? 1 : 2;
    const bool square = v.size() == 9 || v.size() == 36;
    const std::size_t n = v.size() == 3 || v.size() == 9 ? 3 : 6, slides = n == 3 ? 2 : 3;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const int turns = square ? int(k / n >= slides) + int(k % n >= slides) : (k >= slides ? of_diagonal : 0);
      v[k] *= slide * std::pow(s_, turns);
    }
  }

  double s_;
};

/// Throws std::invalid_argument if the model has parts whose units are not known.
inline Study scaled(Study study, double s) {
  ScaleFields by(s);
  Mechanism& m = study.mechanism;
  m.gravity *= s;
  for (RigidBody& b : m.bodies) b.inertia *= s * s, b.start.at *= s, b.velocity *= s;
  for (auto& joint : m.joints) joint.what->fields(by);
  for (auto& force : m.forces) force.what->fields(by);
  for (Point& p : m.points) p.marker.at *= s;
  m.prepare();
  study.with = {};
  return study;
}
}  // namespace mubody::testing
