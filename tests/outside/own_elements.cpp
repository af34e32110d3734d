// A joint and a force that the library does not have, used like its own in all coordinates.
#include <cmath>
#include <cstdio>

#include <mubody/mubody.h>
#include <mubody/own_elements.h>

using namespace mubody;

// Oldham coupling: two bodies turn together while their centres may shift.
struct Oldham {
  static constexpr Info info{"oldham", "two bodies turn together while their centres may shift"};
  static constexpr Use use = Use::joint;
  static constexpr int forbids(int D) { return D == 2 ? 1 : 3; }
  static constexpr int allows(int D) { return D == 2 ? 2 : 3; }
  Marker i, j;

  void fields(Fields& f) {
    f.required("i", i, "m", "centre of the first half");
    f.required("j", j, "m", "centre of the second half");
  }
  template <class F, class G, class E> void forbid(const F& i, const G& j, E& eq) const {
    eq.zero(wrapped(angle_between(i, j)));
    if constexpr (F::dim == 3) {
      const auto z = i.z();
      eq.zero(dot(z, j.x()));
      eq.zero(dot(z, j.y()));
    }
  }
  template <class F, class G, class R> void measure(const F& i, const G& j, R& report) const {
    const auto d = j.o() - i.o();
    report("x", "m", dot(i.x(), d));
    report("y", "m", dot(i.y(), d));
  }
};

// A drag that grows with the square of the speed.
struct Drag {
  static constexpr Info info{"drag", "a force against the motion of a point, with the square of its speed"};
  Marker i, j;
  double coefficient = 0;  // [N s²/m²]

  void fields(Fields& f) {
    f.required("j", j, "m", "the body, and the point on it");
    f.required("coefficient", coefficient, "N s2/m2", "force over speed squared");
  }
  template <class F, class G, class N, class S> void apply(const F&, const G& j, const N&, S& sink) const {
    const auto o = j.o();
    const double speed = o.v.norm();
    sink.push(j, -coefficient * speed * o.v, Vec<mubody::spins<F::dim>>::Zero());
    sink.dissipates([&] { return coefficient * speed * speed * speed; });
    sink.reports("force", "N", coefficient * speed * speed);
  }
};

bool close(const char* what, double value, double expected, double tolerance) {
  std::printf("%s: %.12g, expected %.12g\n", what, value, expected);
  return std::abs(value - expected) <= tolerance;
}

// Two discs that turn together: a moment of 1 N m on 0.5 + 1.5 kg m² turns both by t²/4.
bool joint_of_ones_own() {
  Model m({.gravity = {0, 0}});
  const BodyRef a = m.body("a", {.mass = 1, .inertia = 0.5}), b = m.body("b", {.mass = 1, .inertia = 1.5, .position = {0, 0.1}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), a.at(0, 0));
  m.joint("shaft", Revolute{}, m.ground().at(0, 0.1), b.at(0, 0));
  m.joint("coupling", Oldham{}, a.at(0, 0), b.at(0, 0));
  const Input motor = m.torque("motor", m.ground(), a);
  bool good = true;
  for (const char* formulation : {"body", "cartesian", "joint"}) {
    Simulation sim(m, {.formulation = formulation});
    sim[motor] = 1;
    if (!sim.advance_to(2)) return false;
    good = close(formulation, sim[sim.output("b.angle")], 1, 1e-8) && good;
  }
  return good;
}

// A body that falls against the drag reaches v = √(m g / c) tanh(t √(g c / m)).
bool force_of_ones_own() {
  Model m({.gravity = {0, 0, -9.81}});
  const BodyRef stone = m.body("stone", {.mass = 2, .inertia = 0.1});
  m.force("air", Drag{.coefficient = 0.5}, m.ground().at(0, 0), stone.at(0, 0));
  Simulation sim(m);
  if (!sim.advance_to(1)) return false;
  const Results r = sim.finish();
  const double expected = -std::sqrt(2 * 9.81 / 0.5) * std::tanh(std::sqrt(9.81 * 0.5 / 2));
  return close("speed", sim[sim.output("stone.vz")], expected, 1e-8) && r.trusted;
}

int main() { return joint_of_ones_own() && force_of_ones_own() ? 0 : 1; }
