// The same mechanisms in other programs, in one run: the cost of a motion, and its accuracy.
//
//   mubody_peers           a table
//   mubody_peers --json    the mechanisms, for benchmarks/peers/python
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "benchmarks/peers/contests.h"
#include "benchmarks/peers/peer.h"
#include "benchmarks/peers/take_pins.h"
#include "benchmarks/peers/write_contests.h"
#include "benchmarks/problems/clock.h"
#include "benchmarks/problems/measure.h"
#include "mubody/analyses/run.h"

namespace mubody::bench {
namespace {
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

int main(int count, char** words) {
  using namespace mubody::bench;
  // For the programs that are used from Python.
  if (count == 2 && std::string_view(words[1]) == "--json") {
    fmt::print("{}\n", contests_as_json());
    return 0;
  }
  if (simbody_peers().empty() && mujoco_peers().empty())
    fmt::print("no other program was there when this was built: install libsimbody-dev and libmujoco-dev\n");
  fmt::print(
      "costs in evaluations of the closed-form four-bar: of one right-hand side, and of one second of motion;\n"
      "beside them the largest gap in a pin, and the error at the end\n");
  for (const Contest& c : contests())
    if (c.problem.study().mechanism.dim == 2) compare(c);  // these programs get pins only
}
