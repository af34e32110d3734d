// A pendulum that a sampled controller holds at an angle: a model in code, an input, outputs, steps, results.
#include <cmath>
#include <cstdio>

#include <mubody/mubody.h>

using namespace mubody;

int main() {
  Model m({.gravity = {0, -9.81}});
  const BodyRef rod = m.body("rod", {.mass = 1, .inertia = 1. / 12, .position = {0.5, 0}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  const Input motor = m.torque("motor", m.ground(), rod);  // 0 until it is set
  m.force("wind", rod.at(0.5, 0), [](double t, const State&) { return Components{0.1 * std::sin(t), 0}; });

  Simulation sim(m, {.rtol = 1e-9});
  const Output angle = sim.output("rod.angle"), omega = sim.output("rod.omega"),
               fx = sim.output("pin.on_rod.fx");
  while (sim.time() < 5) {
    sim[motor] = -60 * (sim[angle] - 0.52) - 8 * sim[omega];
    if (const Outcome end = sim.advance(1e-3); !end) {
      std::printf("%s\n", end.why.c_str());
      return 1;
    }
  }
  // At rest the motor carries the weight: 60 (0.52 - angle) = m g cos(angle) / 2 less the small moment of the wind.
  const double rest = sim[angle], moment = 60 * (0.52 - rest), weight = 9.81 / 2 * std::cos(rest);
  const Results r = sim.finish();
  std::printf("angle %.6f rad, pin %.3f N, %s\n", rest, sim[fx], r.verdict.c_str());
  return std::abs(moment - weight) < 0.12 && r.trusted ? 0 : 1;
}
