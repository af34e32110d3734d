// The same mechanisms in other programs, in one run: the cost of a motion, and its accuracy.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "benchmarks/peers/peer.h"
#include "benchmarks/peers/take_pins.h"
#include "benchmarks/problems/clock.h"
#include "benchmarks/problems/large.h"
#include "benchmarks/problems/measure.h"
#include "mubody/analyses/run.h"

namespace mubody::bench {
namespace {
struct Contest {
  const Problem& problem;
  std::string watched;
  double end;
  double angle;  // the exact angle; not a number if only the energy is compared
};

const Problem& problem(const std::vector<Problem>& all, std::string_view id) {
  return *std::find_if(all.begin(), all.end(), [&](const Problem& p) { return p.id == id; });
}

void print(const std::string& program, const std::string& method, const PeerRun& r, const Contest& c,
           double unit) {
  const bool known = std::isfinite(c.angle);
  fmt::print("  {:<9} {:<27} {:>10.1f} {:>12.0f} {:>10.1e} {:>12.1e}\n", program, method,
             r.right_hand_side / unit, r.seconds / c.end / unit, r.gap,
             known ? std::abs(r.angle - c.angle) : r.energy);
}

void compare(const Contest& c) {
  Study study = c.problem.study();
  study.analysis.end = c.end;
  fmt::print("\n{} {}, {} s\n  {:<9} {:<27} {:>10} {:>12} {:>10} {:>12}\n", c.problem.id, study.mechanism.name,
             c.end, "", "", "rhs", "1 s", "gap [m]", std::isfinite(c.angle) ? "angle [rad]" : "energy [J]");
  Problem ours = c.problem;
  ours.study = [&] { return study; };
  ours.runs = false;
  const Measured m = measure(ours, 0.05, 15);
  const double unit = m.yardstick.least;  // the closed-form four-bar, for all three problems
  Results r;
  PeerRun own;
  own.seconds = seconds_of([&] { r = run(study); });
  own.right_hand_side = m.right_hand_side.least;
  own.gap = r.statistics.largest_violation;
  own.energy = r.statistics.energy_residual;
  own.angle = r.column((c.watched + ".angle").c_str()).back();
  print("mubody", fmt::format("{}, {}", study.analysis.integrator, r.treatment), own, c, unit);

  const Pins pins = pins_of(study, c.watched);
  for (const auto& peers : {simbody_peers(), mujoco_peers()})
    for (const Peer& peer : peers) {
      try {
        print(peer.program, peer.method, peer.run(pins, c.end), c, unit);
      } catch (const std::exception& e) {
        std::string why = e.what();
        std::replace(why.begin(), why.end(), '\n', ' ');
        fmt::print("  {:<9} {:<27} gives up: {:.150}\n", peer.program, peer.method, why);
      }
    }
}
}  // namespace
}  // namespace mubody::bench

int main() {
  using namespace mubody::bench;
  if (simbody_peers().empty() && mujoco_peers().empty())
    fmt::print("no other program was there when this was built: install libsimbody-dev and libmujoco-dev\n");
  fmt::print(
      "costs in evaluations of the closed-form four-bar: of one right-hand side, and of one second of motion;\n"
      "beside them the largest gap in a pin, and the error at the end\n");
  const std::vector<Problem> all = problems();
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  constexpr int windows = 10, rods = 50;  // one of the programs cannot read larger models
  Problem small_ladder = problem(all, "P2"), short_chain = problem(all, "P3");
  small_ladder.study = [] { return ladder(windows); };
  short_chain.study = [] {
    mubody::Study s = chain(rods);
    s.analysis.formulation.index = 2;
    return s;
  };
  compare({problem(all, "P1"), "crank", 10, -0.48089787952216956});
  compare({small_ladder, fmt::format("vertical{}", windows), 10, ladder_angle(windows, 10)});
  compare({short_chain, "rod1", 0.5, unknown});
}
