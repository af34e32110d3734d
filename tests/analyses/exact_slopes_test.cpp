// Exact derivatives in linearisation and statics: against a closed form to round-off, and against differences for all examples.
#include <algorithm>

#include <fmt/format.h>

#include "mubody/code/recorded_slopes.h"
#include "mubody/math/dense.h"
#include "mubody/reading/read_model.h"
#include "mubody/solvers/linear.h"
#include "mubody/solvers/statics.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
// Twenty masses on a taut string of 21 springs, a apart.  Along it ω = 2 √(k/m) sin(n π/42), across it k gives way to T/a, with
// T = k (a − l) the tension.
TEST(exact_slopes, a_string_of_twenty_masses_to_round_off) {
  constexpr double mass = 0.3, stiffness = 700, apart = 0.7, free = 0.55;
  std::string model = "[bodies]\n", forces = "[forces]\n";
  for (int k = 1; k <= 20; ++k)
    model += fmt::format("b{} = {{mass = {}, position = [{}, 0]}}\n", k, mass, k * apart);
  for (int k = 0; k <= 20; ++k)
    forces += fmt::format(
        "s{} = {{type = \"spring\", bodies = [\"{}\", \"{}\"], i = [0, 0], j = [{}, 0], stiffness = {}, "
        "free_length = {}}}\n",
        k, k == 0 ? "ground" : fmt::format("b{}", k), k == 20 ? "ground" : fmt::format("b{}", k + 1),
        k == 20 ? 21 * apart : 0, stiffness, free);
  for (const char* about : {"start", "equilibrium"}) {
    const Results r = run(io::read_study_text(
        model + forces + "[analysis]\ntype = \"modes\"\nabout = \"" + about + "\"\n", "string.toml"));
    ASSERT_TRUE(r.trusted) << r.verdict;
    EXPECT_NE(r.verdict.find("linearised exactly"), std::string::npos) << r.verdict;
    std::vector<double> expected, found;
    for (int n = 1; n <= 20; ++n)
      for (const double by : {stiffness, stiffness * (apart - free) / apart})
        expected.push_back(2 * std::sqrt(by / mass) * std::sin(n * pi / 42) / (2 * pi));
    std::ranges::sort(expected);
    for (const double f : r.find("modes")->column("frequency"))
      if (f > 0) found.push_back(f);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k] / expected[k], 1, 1e-12) << k;
  }
}

// Channels that are compared: positions, velocities and accelerations, whatever redundant equations leave open.
std::vector<int> motions(const System& s) {
  std::vector<int> found;
  for (std::size_t k = 0; k < s.channels.size(); ++k)
    if (!s.channels[k].reaction && s.channels[k].group != Channel::signals) found.push_back(int(k));
  return found;
}

// Where differences are good, both linear models are the same: about a motion, in plane and space, with drivers and rolling.
TEST(exact_slopes, agree_with_differences_for_all_examples) {
  int compared = 0, differ = 0;
  for (const auto& entry : std::filesystem::directory_iterator(examples())) {
    const std::string name = entry.path().filename().string();
    if (!std::filesystem::exists(model_of(name))) continue;
    Begun b;
    std::string why_not;
    std::unique_ptr<ExactSlopes> exact;
    try {
      b = begin(example(name), "modes", Gaps::closed);
      if (!b.results.outcome) continue;
      exact = exact_slopes(b, 0, why_not);
      if (!exact) continue;
      System& s = *b.system;
      const bool redundant = b.results.freedom.always_redundant();
      s.remember(0, b.q, b.u);
      const LinearModel direct = linearise(s, b.mechanism, redundant, 0, b.q, b.u, {}, motions(s), exact.get());
      const LinearModel differences = linearise(s, b.mechanism, redundant, 0, b.q, b.u, {}, motions(s));
      if (!direct.exact || differences.error > 1e-7 || direct.A.size() == 0) continue;
      ++compared;
      for (const auto& [x, y] : {std::pair(&direct.A, &differences.A), std::pair(&direct.C, &differences.C)}) {
        const double apart = (*x - *y).cwiseAbs().maxCoeff(), size = y->cwiseAbs().maxCoeff();
        EXPECT_LE(apart, 1e-6 * size) << name;
        if (apart > 0) ++differ;
      }
    } catch (const ModelError&) {  // of models that have no modes
    }
  }
  EXPECT_GE(compared, 15);
  EXPECT_GE(differ, 15);  // otherwise both would be the same thing
}

// A pendulum that hangs at an angle, held by a torsion spring: K = (k + m g l cos θ) / I, with θ from the vertical.
TEST(exact_slopes, stiffness_of_a_pendulum_on_a_spring) {
  const Results r = run(io::read_study_text(R"toml(
gravity = [0, -9.81]
[bodies]
rod = {mass = 1.5, inertia = 0.2, position = [1, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-1, 0]}
[forces]
coil = {type = "torsion_spring", bodies = ["ground", "rod"], stiffness = 20}
[analysis]
type = "equilibrium"
)toml",
                                            "test.toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const double angle = r.column("rod.angle").at(0), expected = (20 - 1.5 * g * std::sin(angle)) / (0.2 + 1.5);
  EXPECT_NEAR(20 * angle, -1.5 * g * std::cos(angle), 1e-13 * 20);
  EXPECT_NEAR(r.find("stability")->column("eigenvalue").at(0) / expected, 1, 1e-14);
}
}  // namespace
}  // namespace mubody::testing
