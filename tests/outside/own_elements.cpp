// A joint, a force, a law, an integrator, a treatment and an analysis that the library does not have, used like its own.
#include <cmath>
#include <cstdio>

#include <mubody/integrators/runge_kutta.h>
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
  static constexpr bool any_scalar = true;  // it may be part of generated code
  Marker i, j;
  double coefficient = 0;  // [N s²/m²]

  void fields(Fields& f) {
    f.required("j", j, "m", "the body, and the point on it");
    f.required("coefficient", coefficient, "N s2/m2", "force over speed squared");
  }
  template <class F, class G, class N, class S> void apply(const F&, const G& j, const N&, S& sink) const {
    using R = typename F::Real;
    const auto o = j.o();
    const R speed = o.v.norm();
    sink.push(j, -coefficient * speed * o.v, Vec<mubody::spins<F::dim>, R>::Zero());
    sink.dissipates([&] { return coefficient * speed * speed * speed; });
    sink.reports("force", "N", coefficient * speed * speed);
  }
};

// A spring that hardens: F = k x + h x³.
struct Hardening {
  static constexpr Info info{"hardening", "a spring that becomes stiffer"};
  static constexpr bool stores_energy = true;
  double k = 0, h = 0;  // [N/m, N/m³]

  void fields(Fields& f) {
    f.required("k", k, "N/m", "stiffness at rest");
    f.required("h", h, "N/m3", "how it grows");
  }
  void check() const {}
  template <class R> R force(const DeflectionOf<R>& d) const {
    const R x = d.deflection;
    return k * x + h * x * x * x;
  }
  template <class R> R potential(const R& x) const { return k * x * x / 2 + h * x * x * x * x / 4; }
};

// The midpoint rule with fixed steps.
struct Midpoint {
  static constexpr Info info{"midpoint", "the explicit midpoint rule"};
  static constexpr int order = 2;
  static constexpr bool adaptive = false;
  static const Tableau& table() {
    static const Tableau table{2, {0, 0.5}, {{}, {0.5}}, {0, 1}, {}, {}};
    return table;
  }
  static std::unique_ptr<Integrator> make(const StepControl& c) { return make_runge_kutta(table(), c); }
  static StabilityPolynomial stability() { return stability_of(table()); }
};

// Only velocities are put back on the constraints.
struct VelocitiesOnly {
  static constexpr Info info{"velocities-only", "velocities are put back on the constraints after every step"};
  void fields(Fields&) {}
  void accelerations(Dynamics& d) const { d.solve(d.terms.Q, d.terms.gamma); }
  void after_step(Dynamics& d, double t, Out q, Out u) const {
    d.constrain(t, q, u);
    d.project_velocities(u);
  }
};

// The mass of all bodies, as a verdict.
struct Weigh {
  static constexpr Info info{"weigh", "the mass of all bodies"};
  Results run(const Study& study, const Progress&) const {
    Results r;
    r.analysis = info.name;
    double mass = 0;
    for (const RigidBody& b : study.mechanism.bodies) mass += b.mass;
    r.verdict = std::to_string(mass) + " kg";
    r.trusted = true;
    return r;
  }
};

bool close(const char* what, double value, double expected, double tolerance) {
  std::printf("%s: %.12g, expected %.12g\n", what, value, expected);
  return std::abs(value - expected) <= tolerance;
}

// Two discs that turn together: a moment of 1 N m on 0.5 + 1.5 kg m² turns both by t²/4.
bool joint_of_ones_own() {
  Model m({.gravity = {0, 0}});
  const BodyRef a = m.body("a", {.mass = 1, .inertia = 0.5}),
                b = m.body("b", {.mass = 1, .inertia = 1.5, .position = {0, 0.1}});
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

// A mass on a spring swings with its energy kept: at rest at x = a, the speed at x = 0 is √(2 V(a) / m).
bool law_integrator_treatment_and_analysis_of_ones_own() {
  Model m({.gravity = {0, 0}});
  const double a = 0.2;
  const Hardening law{100, 5000};
  const BodyRef mass = m.body("mass", {.mass = 2, .inertia = 1, .position = {1 + a, 0}});
  m.joint("guide", Translational{}, m.ground().at(0, 0), mass.at(0, 0));
  Spring spring;
  spring.free_length = 1;
  spring.law = Law(law);
  m.force("spring", spring, m.ground().at(0, 0), mass.at(0, 0));
  m.study().analysis.treatment = std::make_unique<TreatmentOf<VelocitiesOnly>>();
  static const IntegratorEntry midpoint = IntegratorEntry::of<Midpoint>();
  Simulation sim(m, {.own_integrator = &midpoint, .step = 1e-4});
  const Output x = sim.output("mass.x"), v = sim.output("mass.vx");
  while (sim[x] > 1)
    if (!sim.advance(1e-4)) return false;
  bool good = close("speed at rest length", -sim[v], std::sqrt(2 * law.potential(a) / 2), 1e-3);
  const Results r = sim.finish();
  good = close("steps", double(r.statistics.steps), std::round(sim.time() / 1e-4), 0) && good;
  m.study().analysis.type = analysis_of(Weigh{});
  const Results weighed = run(m.study());
  std::printf("%s, %s with %s, %s\n", weighed.verdict.c_str(), r.integrator.c_str(), r.treatment.c_str(),
              r.verdict.c_str());
  return good && weighed.verdict == "2.000000 kg" && r.integrator == "midpoint" &&
         r.treatment == "velocities-only";
}

int main() {
  const bool good =
      joint_of_ones_own() && force_of_ones_own() && law_integrator_treatment_and_analysis_of_ones_own();
  return good ? 0 : 1;
}
