// Steps of simulations with one input and two outputs in C++, which benchmarks/python/steps.py compares with its own:
//
//   mubody_steps MODEL    prints microseconds per step: of one simulation, and of 64 in turn
#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "mubody/reading/read_model.h"
#include "mubody/simulation/simulation.h"

namespace mubody {
namespace {
constexpr double dt = 1e-3;  // [s]

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Fed {
  Simulation simulation;
  Input motor;
  Output angle, omega;

  explicit Fed(Simulation s)
      : simulation(std::move(s)), motor(simulation.input("motor")), angle(simulation.output("crank.angle")),
        omega(simulation.output("crank.omega")) {}
  bool step() {
    const double u = -0.1 * (simulation[angle] - 1) - 0.1 * simulation[omega];
    simulation[motor] = u;
    return bool(simulation.advance(dt));
  }
};

/// The least of many rounds, per step [us].
double time_of(std::vector<Fed>& all, int steps, int rounds) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double begin = now();
    for (int k = 0; k < steps; ++k)
      for (Fed& one : all)
        if (!one.step()) return -1;
    best = std::min(best, (now() - begin) / (double(steps) * double(all.size())));
  }
  return 1e6 * best;
}
}  // namespace
}  // namespace mubody

int main(int count, char** words) {
  using namespace mubody;
  if (count != 2) return 2;
  Simulation first(io::read_study(words[1]));
  std::vector<Fed> one, many;
  for (int k = 0; k < 64; ++k) many.emplace_back(first.copy());
  one.emplace_back(std::move(first));
  fmt::print("{:.4f} {:.4f}\n", time_of(one, 1000, 40), time_of(many, 100, 20));
}
