// The cost of reading and checking a model grows with the number of its bodies, not with their square.
#include <algorithm>
#include <ctime>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"
#include "mubody/simulation/begin.h"
#include "mubody/solvers/freedom.h"

namespace mubody::testing {
namespace {
constexpr int bodies = 3000;

// Rods pinned to one another.
std::string chain_of(int n) {
  std::string text = "gravity = [0, -9.81]\n[bodies]\n";
  for (int k = 0; k < n; ++k)
    text += fmt::format("b{} = {{mass = 1, inertia = 0.1, position = [{}.5, 0]}}\n", k, k);
  text += "[joints]\n";
  for (int k = 0; k < n; ++k)
    text += fmt::format("j{} = {{type = \"revolute\", bodies = [\"{}\", \"b{}\"], at = [{}, 0]}}\n", k,
                        k == 0 ? "ground" : fmt::format("b{}", k - 1), k, k);
  return text;
}

// Masses on a spring each; without inertia they are particles.
std::string masses_on_springs(int n) {
  std::string text = "gravity = [0, -9.81]\n[bodies]\n";
  for (int k = 0; k < n; ++k) text += fmt::format("b{} = {{mass = 1, position = [{}, 0]}}\n", k, k);
  text += "[forces]\n";
  for (int k = 0; k < n; ++k)
    text += fmt::format(
        "f{} = {{type = \"spring\", bodies = [\"ground\", \"b{}\"], i = [{}, 1], stiffness = 100}}\n", k, k, k);
  return text;
}

constexpr double linear = 2.6;

// The factor by which twice as many bodies cost more: about 2 if the cost is linear, 4 if it is quadratic.  The least
// time of several tries is the one that other programs disturbed least; on a busy machine more tries are needed.
template <class F> double growth(const F& work) {
  double few = std::numeric_limits<double>::infinity(), many = few;
  const auto keep_least = [&](double& least, int n) {
    const std::clock_t start = std::clock();
    work(n);
    least = std::min(least, double(std::clock() - start));
  };
  for (int round = 0; round < 3 || (round < 12 && many > linear * few); ++round)
    keep_least(few, bodies), keep_least(many, 2 * bodies);
  return many / few;
}

void check(const std::string& text) {
  const Study study = io::read_study_text(text, "model.toml");
  Begun b = begin(study, "check");
  EXPECT_TRUE(b.results.outcome);
  EXPECT_TRUE(undetermined(*b.system, 0, b.q, b.u).empty());
}

TEST(growth, reading_is_linear) {
  EXPECT_LT(growth([](int n) { io::read_study_text(chain_of(n), "model.toml"); }), linear);
}
TEST(growth, checking_a_chain_is_linear) {
  EXPECT_LT(growth([](int n) { check(chain_of(n)); }), linear);
}
TEST(growth, checking_separate_particles_is_linear) {
  EXPECT_LT(growth([](int n) { check(masses_on_springs(n)); }), linear);
}

// All joints of a body act on each other, so that their cost grows with the third power of their number.
TEST(growth, thousands_of_joints_on_one_body_are_refused_with_its_name) {
  std::string text = "[bodies]\nhub = {mass = 1, inertia = 1}\n";
  for (int k = 0; k < 2000; ++k) text += fmt::format("b{} = {{mass = 1, inertia = 1}}\n", k);
  text += "[joints]\n";
  for (int k = 0; k < 2000; ++k)
    text += fmt::format("j{} = {{type = \"revolute\", bodies = [\"hub\", \"b{}\"], at = [0, 0]}}\n", k, k);
  const Study study = io::read_study_text(text, "star.toml");
  try {
    begin(study, "check");
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("'hub', which has 2000"), std::string::npos) << e.what();
  }
}
}  // namespace
}  // namespace mubody::testing
