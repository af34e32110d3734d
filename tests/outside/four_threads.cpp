// Four threads with one mechanism each: simulations share nothing.
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include <mubody/mubody.h>

using namespace mubody;

// A double pendulum; the mass of its lower rod differs from thread to thread.
double angle_after(double mass, double end) {
  Model m({.gravity = {0, -9.81}});
  const BodyRef upper = m.body("upper", {.mass = 1, .inertia = 1. / 12, .position = {0.5, 0}});
  const BodyRef lower = m.body("lower", {.mass = mass, .inertia = mass / 12, .position = {1.5, 0}});
  m.joint("O", Revolute{}, m.ground().at(0, 0), upper.at(-0.5, 0));
  m.joint("A", Revolute{}, upper.at(0.5, 0), lower.at(-0.5, 0));
  Simulation sim(m, {.integrator = "rk4", .step = 1e-3});
  while (sim.time() < end)
    if (!sim.advance(1e-2)) return NAN;
  return sim[sim.output("lower.angle")];
}

int main() {
  const std::vector<double> masses{0.5, 1, 1.5, 2};
  std::vector<double> together(masses.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < masses.size(); ++k)
    threads.emplace_back([&, k] { together[k] = angle_after(masses[k], 3); });
  for (std::thread& t : threads) t.join();
  bool same = true;
  for (std::size_t k = 0; k < masses.size(); ++k) {
    const double alone = angle_after(masses[k], 3);
    std::printf("mass %.1f kg: %.12f rad\n", masses[k], together[k]);
    same = same && together[k] == alone;
  }
  return same ? 0 : 1;
}
