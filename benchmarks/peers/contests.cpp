#include "benchmarks/peers/contests.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "benchmarks/problems/large.h"
#include "benchmarks/problems/whole_runs.h"

namespace mubody::bench {
std::vector<Contest> contests() {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  constexpr int windows = 10, rods = 50;
  const std::vector<Problem> all = problems();
  const std::vector<WholeRun> runs = whole_runs();
  const auto small = [&](std::string_view id, std::function<Study()> study) {
    Problem p = *std::ranges::find(all, id, &Problem::id);
    p.study = std::move(study), p.name = p.study().mechanism.name;
    return p;
  };
  const Problem& four_bar = *std::ranges::find(all, "P1", &Problem::id);
  const WholeRun& governor = *std::ranges::find(runs, "P9", &WholeRun::id);
  return {{four_bar, "crank", 10, -0.48089787952216956},
          {small("P2", [] { return ladder(windows); }), fmt::format("vertical{}", windows), 10,
           ladder_angle(windows, 10)},
          {small("P3",
                 [] {
                   Study s = chain(rods);
                   s.analysis.formulation.index = 2;
                   return s;
                 }),
           "rod1", 0.5, unknown},
          {{governor.id, governor.name, governor.study, "", {}, four_bar.yardstick}, "ball_a", 10, unknown}};
}
}  // namespace mubody::bench
