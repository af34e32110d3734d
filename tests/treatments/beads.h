#pragma once
// Two beads on a line and a massless link between them, off its length: what every treatment makes of it is known.
//
//   D = (−1, 1) on the two velocities along x,   Φ = x_2 − x_1 − L,   γ = 0 for motions along the link
#include "mubody/joints/distance.h"
#include "mubody/system/build.h"
#include "mubody/system/dynamics.h"
#include "tests/mechanics.h"

namespace mubody::testing {
struct Beads {
  double m1 = 2, m2 = 3, pull = 7;       // [kg], [N] on the second bead
  double gap = 1e-3, speed = 0.02;       // Φ [m] and Φ̇ [m/s]
  double reduced = m1 * m2 / (m1 + m2);  // the inertia of a change of length [kg]
  Model model = in_plane({0, 0});
  std::unique_ptr<System> system;
  VecX q, u;

  explicit Beads(int links = 1) {
    const BodyRef one = model.body("one", {.mass = m1, .inertia = 1});
    const BodyRef two =
        model.body("two", {.mass = m2, .inertia = 1, .position = {1 + gap, 0}, .velocity = {speed, 0}});
    Distance link;
    link.length = Function(1.);
    for (int k = 0; k < links; ++k) model.joint("link" + std::to_string(k), link, one.at(0, 0), two.at(0, 0));
    model.force("pull", two.at(0, 0), [F = pull](double, const State&) { return Components{F, 0}; });
    system = build_system(model.study().mechanism);
    q.resize(system->nq), u.resize(system->nu);
    system->start(q, u);
  }

  /// The accelerations and multipliers of a treatment.
  template <class T> void accelerate(T& treatment, Dynamics& d) {
    if constexpr (requires { treatment.accepted(d, 0, q, u); }) treatment.accepted(d, 0, q, u);
    d.evaluate(0, q, u);
    treatment.accelerations(d);
  }
  /// Puts the beads back on the constraints, as after a step.
  template <class T> void settle(T& treatment, Dynamics& d) {
    if constexpr (requires { treatment.accepted(d, 0, q, u); }) treatment.accepted(d, 0, q, u);
    treatment.after_step(d, 0, q, u);
  }
  double x1() const { return q[0]; }
  double x2() const { return q[3]; }
};
}  // namespace mubody::testing
