#include <mubody/mubody.h>
using namespace mubody;

int main() {
  Model m({.gravity = {0, -9.81}});
  const BodyRef rod = m.body("rod", {.mass = 1, .inertia = 1. / 12, .position = {0.5, 0}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  const Input motor = m.torque("motor", m.ground(), rod);

  Simulation sim(m, {.rtol = 1e-9});
  const Output angle = sim.output("rod.angle"), omega = sim.output("rod.omega");
  while (sim.time() < 5) {
    sim[motor] = -60 * (sim[angle] - 0.52) - 8 * sim[omega];  // a sampled controller
    if (!sim.advance(1e-3)) return 1;
  }
  return sim.finish().trusted ? 0 : 1;  // energy balance, violations, verdict
}
