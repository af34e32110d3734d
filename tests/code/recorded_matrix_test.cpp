// The matrix of implicit methods from recorded equations: against differences for all examples, and in stiff motions.
#include "mubody/code/recorded_matrix.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/analyses/forward.h"
#include "mubody/code/columns_together.h"
#include "mubody/math/dense.h"
#include "mubody/simulation/equation_engine.h"
#include "mubody/simulation/simulation.h"
#include "tests/example.h"

namespace mubody::testing {
namespace {
constexpr double always = 1e9;  // evaluations, for which any recording pays

// ∂f/∂y by central differences of two sizes, continued to none; columns of quadratures are zero.
struct Differences {
  MatX J;
  Differences(Ode& f, double t, const VecX& y, const Eigen::ArrayXd& sizes)
      : J(MatX::Zero(y.size(), y.size())) {
    for (Eigen::Index k = 0; k < y.size() - f.quadratures(); ++k) {
      const double h = 2e-4 * sizes[k];
      const VecX one = slope(f, t, y, k, h), two = slope(f, t, y, k, h / 2);
      J.col(k) = two + (two - one) / 3;
    }
  }
  static VecX slope(Ode& f, double t, VecX y, Eigen::Index k, double h) {
    VecX up = y, down = y;
    y[k] += h;
    f.rates(t, y, up);
    y[k] -= 2 * h;
    f.rates(t, y, down);
    return (up - down) / (2 * h);
  }
};

// A state of the motion a little after its start, where nothing is at rest.
VecX moved(EquationEngine& e, double t, const Sizes& sizes) {
  VecX y = e.start(), rate = y;
  e.rates(t, y, rate);
  const double fast = (rate.array() / sizes.size).abs().maxCoeff();
  y += 1e-3 / std::max(1.0, fast) * rate;
  return y;
}

bool has_light_bodies(const Mechanism& m) {
  return std::ranges::any_of(m.bodies, [](const RigidBody& b) { return b.mass == 0 || b.inertia(2, 2) == 0; });
}

TEST(recorded_matrix, agrees_with_differences_for_all_examples) {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(examples())) {
    const std::string name = entry.path().filename().string();
    if (!std::filesystem::exists(model_of(name))) continue;
    try {
      Study study = example(name);
      study.analysis.formulation.index = 0;
      const double t = study.analysis.start;
      Begun b = begin(study, "forward");
      if (!b.results.outcome) continue;
      EquationEngine e(study, b);
      e.offer(constrained_slopes(b, t));
      ImplicitEquations* const exact = e.implicit();
      if (!exact || !exact->pays(always)) continue;
      const VecX y = moved(e, t, *e.sizes());
      ASSERT_TRUE(exact->stand_at(t, y)) << name;
      const Differences d(e, t, y, e.sizes()->size);
      const VecX right = VecX::LinSpaced(y.size(), 1, 2).array() * e.sizes()->size;
      for (const double c : {1e-4, 1e-2}) {
        if (!exact->factor(c)) {  // its groups of velocities need a mass of their own
          EXPECT_TRUE(has_light_bodies(b.mechanism)) << name;
          continue;
        }
        VecX x = y;
        exact->solve(right, x);
        // What is left of the equations, beside the largest of their terms.
        const VecX left = x - c * (d.J * x) - right;
        const double size = (c * d.J).cwiseAbs().maxCoeff() * x.lpNorm<Eigen::Infinity>() + right.maxCoeff();
        EXPECT_LE(left.lpNorm<Eigen::Infinity>(), 1e-6 * size) << name << ' ' << c;
      }
      ++compared;
    } catch (const ModelError&) {  // of models that are not for this analysis
    }
  }
  EXPECT_GE(compared, 15);
}

// A chain of bars with stiff springs and dampers at its pins.
Study chain(int bars, const std::string& method) {
  std::string text = "gravity = [0, -9.81]\n[bodies]\n", joints = "[joints]\n", forces = "[forces]\n";
  for (int k = 0; k < bars; ++k) {
    text += fmt::format("b{} = {{mass = 1, inertia = 0.1, position = [{}, 0]}}\n", k, k + 0.5);
    const std::string before = k == 0 ? "ground" : fmt::format("b{}", k - 1);
    joints +=
        fmt::format("j{0} = {{type = \"revolute\", bodies = [\"{1}\", \"b{0}\"], at = [{0}, 0]}}\n", k, before);
    forces += fmt::format(
        "s{0} = {{type = \"torsion_spring\", bodies = [\"{1}\", \"b{0}\"], stiffness = 1e4, damping = 100}}\n",
        k, before);
  }
  return io::read_study_text(text + joints + forces + "[analysis]\ntype = \"forward\"\nend = 1\n" + method +
                                 "\n[output]\nstep = 0.1\n",
                             "chain.toml");
}

// Bars in space with stiff bushes between them.
Study stiff_bushes(int bars, const std::string& method) {
  std::string text = "gravity = [0, 0, -9.81]\n[bodies]\n", forces;
  for (int k = 0; k < bars; ++k) {
    text += fmt::format(
        "b{0} = {{mass = 1, inertia = [0.002, 0.084, 0.084], position = [{1}, 0, 0], omega = [0, 0, 1], "
        "velocity = "
        "[0, {1}, 0]}}\n",
        k, k + 0.5);
    if (k > 0)
      forces += fmt::format(
          "[forces.f{1}]\ntype = \"bushing\"\nbodies = [\"b{0}\", \"b{1}\"]\nat = [{1}, 0, 0]\n"
          "stiffness = [1e8, 1e8, 1e8, 0, 0, 0]\ndamping = [1e4, 1e4, 1e4, 0, 0, 0]\n",
          k - 1, k);
  }
  text += "[joints]\npin = {type = \"spherical\", bodies = [\"ground\", \"b0\"], at = [0, 0, 0]}\n" + forces;
  return io::read_study_text(
      text + "[analysis]\ntype = \"forward\"\nend = 1\n" + method + "\n[output]\nstep = 0.1\n", "bush.toml");
}

// Newton's method ends where it would end with differences: the matrix changes the way alone.  Steps of controlled size change a
// little.
void compare(const Study& study, const char* channel, double within) {
  const Results exact = Forward{}.run(study);
  ASSERT_TRUE(exact.outcome) << exact.verdict;
  SimulationOptions options;
  options.record = 0.1;
  Simulation by_differences(study, options);
  ASSERT_TRUE(by_differences.advance_to(1));
  const Results other = by_differences.finish();
  EXPECT_LT(exact.statistics.evaluations, 0.95 * double(other.statistics.evaluations));
  const auto a = exact.find("bodies")->column(channel), b = other.find("bodies")->column(channel);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], within) << k;
}
TEST(recorded_matrix, leaves_motions_as_they_are) {
  compare(chain(60, "integrator = \"bdf\"\nrtol = 1e-7"), "b59.y", 1e-5);
  compare(stiff_bushes(2, "integrator = \"trapezoidal\"\nstep = 5e-4"), "b1.z", 1e-9);
  compare(stiff_bushes(3, "step = 5e-4\ntreatment = {type = \"generalized-alpha\", radius = 0.8}"), "b1.z",
          1e-9);
  compare(chain(20, "step = 2e-3\ntreatment = {type = \"generalized-alpha\", radius = 0.8}"), "b19.y", 1e-9);
}

// Bars in space; two hinges of the first have one axis, so that five equations say nothing new.
Study on_two_hinges(int bars, const std::string& method) {
  std::string text = "gravity = [0, -9.81, 0]\n[bodies]\n", joints = "[joints]\n", forces = "[forces]\n";
  for (int k = 0; k < bars; ++k) {
    text += fmt::format("b{} = {{mass = 1, inertia = [0.01, 0.1, 0.1], position = [{}, 0, 0]}}\n", k, k + 0.5);
    const std::string before = k == 0 ? "ground" : fmt::format("b{}", k - 1);
    joints += fmt::format(
        "j{0} = {{type = \"revolute\", bodies = [\"{1}\", \"b{0}\"], at = [{0}, 0, 0], axis = [0, 0, 1]}}\n", k,
        before);
    forces += fmt::format(
        "s{0} = {{type = \"torsion_spring\", joint = \"j{0}\", stiffness = 1e4, damping = 100}}\n", k);
  }
  joints +=
      "again = {type = \"revolute\", bodies = [\"ground\", \"b0\"], at = [0, 0, 0.5], axis = [0, 0, 1]}\n";
  return io::read_study_text(text + joints + forces + "[analysis]\ntype = \"forward\"\nend = 1\n" + method +
                                 "\n[output]\nstep = 0.1\n",
                             "hinges.toml");
}
TEST(recorded_matrix, leaves_out_what_follows_from_other_constraints) {
  const std::string method = "step = 1e-3\ntreatment = {type = \"generalized-alpha\", radius = 0.8}";
  const Study study = on_two_hinges(8, method);
  const Begun b = begin(study, "forward");
  const auto slopes = constrained_slopes(b, 0, SlopesOf::positions);
  EXPECT_TRUE(slopes->left_out().empty());
  ASSERT_TRUE(slopes->pays(always));
  EXPECT_EQ(std::ranges::count(slopes->left_out(), true), 5);
  compare(study, "b7.y", 1e-9);
}

// A rotor in space that begins at rest has turned several times before derivatives are made; its spring counts the turns.
TEST(recorded_matrix, counts_turns_from_the_start_of_the_motion) {
  const Study study = io::read_study_text(R"toml(
gravity = [0, 0, 0]
[bodies]
rotor = {mass = 1, inertia = [0.1, 0.1, 0.1], position = [0, 0, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rotor"], at = [0, 0, 0], axis = [0, 0, 1]}
[forces]
spring = {type = "torsion_spring", bodies = ["ground", "rotor"], axis = [0, 0, 1], stiffness = 0.01}
motor = {type = "torque", body = "rotor", torque = [0, 0, 1]}
[analysis]
type = "forward"
end = 3
)toml",
                                          "test.toml");
  Begun b = begin(study, "forward");
  EquationEngine e(study, b);
  e.offer(constrained_slopes(b, 0));
  VecX y = e.start(), k1 = y, k2 = y, k3 = y, k4 = y;
  double t = 0;
  constexpr double h = 0.01;
  e.remember(t, y);
  for (int n = 1; n <= 250; ++n) {
    e.rates(t, y, k1);
    e.rates(t + h / 2, y + h / 2 * k1, k2);
    e.rates(t + h / 2, y + h / 2 * k2, k3);
    e.rates(t + h, y + h * k3, k4);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t = n * h;
    e.after_step(t, y);
    e.remember(t, y);
  }
  ImplicitEquations* const exact = e.implicit();
  ASSERT_TRUE(exact && exact->pays(always));
  EXPECT_TRUE(exact->stand_at(t, y));
}

TEST(columns_together, are_few_in_a_chain) {
  Computation g;
  std::vector<int> by, of;
  for (int k = 0; k < 50; ++k) by.push_back(g.input(k));
  for (int k = 0; k + 1 < 50; ++k)
    of.push_back(g.add(Step::multiply, by[std::size_t(k)], by[std::size_t(k) + 1]));
  const ColumnsTogether c(g, of, by);
  EXPECT_EQ(c.sets, 2);
  EXPECT_EQ(c.entries.size(), 98u);
  for (int k = 0; k < 50; ++k) EXPECT_EQ(c.set[std::size_t(k)], k % 2);
}
}  // namespace
}  // namespace mubody::testing
