// The errors that analyses of single positions report, against closed forms: at most three times too small, and not
// a hundred times too large.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"
#include "tests/accuracy.h"

namespace mubody::testing {
namespace {
using Real = long double;
constexpr double noticed = 1e-13;  // share of the range: smaller errors count as this

Results run_with_digits(Study s) {
  s.analysis.estimate_usual = true;
  return run(s);
}

void compare(const Results& r, const std::string& channel, const std::function<Real(Real t)>& truth) {
  const std::vector<double> t = r.times(), x = r.column(channel);
  Real error = 0;
  for (std::size_t k = 0; k < t.size(); ++k) error = std::max(error, std::abs(x[k] - truth(t[k])));
  const ChannelAccuracy& a = accuracy_of(r, channel);
  EXPECT_GE(a.error, double(error) / 3) << channel;
  EXPECT_LE(a.error, 100 * std::max(double(error), noticed * a.range)) << channel;
}

// Crank 1 m, rod L: the closer L to 1, the worse the condition where the rod stands upright.
Results slider_crank(double rod, double omega) {
  return run_with_digits(io::read_study_text(fmt::format(R"toml(gravity = [0, 0]
[bodies]
crank = {{mass = 1, inertia = 0.1, position = [0.5, 0]}}
rod = {{mass = 1, inertia = 0.1, position = ["= 1 + {0}/2", 0]}}
slider = {{mass = 1, inertia = 0.1, position = ["= 1 + {0}", 0]}}
[joints]
A = {{type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.5, 0]}}
B = {{type = "revolute", bodies = ["crank", "rod"], i = [0.5, 0], j = ["= -{0}/2", 0]}}
C = {{type = "revolute", bodies = ["rod", "slider"], i = ["= {0}/2", 0], j = [0, 0]}}
G = {{type = "translational", bodies = ["ground", "slider"], i = {{at = [0, 0], axis = [1, 0]}}, j = {{at = [0, 0], axis = [1, 0]}}}}
[drivers]
m = {{type = "angle", joint = "A", value = {{type = "polynomial", coefficients = [0, {1}]}}}}
[analysis]
type = "kinematic"
end = 2
[output]
step = 0.01)toml",
                                                         rod, omega),
                                             "test.toml"));
}
}  // namespace

TEST(solution_digits, of_a_slider_crank) {
  for (const double rod : {3.0, 1.25, 1.01, 1.0001}) {
    const Real w = 3;
    const Results r = slider_crank(rod, 3);
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    const auto rate = [&](Real th) {
      return -std::cos(th) / (rod * std::sqrt(1 - std::pow(std::sin(th) / rod, 2)));
    };
    const auto bend = [&](Real th) {
      const Real s = -std::sin(th) / rod, c = std::sqrt(1 - s * s), p = rate(th);
      return (std::sin(th) / rod + p * p * s) / c;
    };
    compare(r, "slider.x",
            [&](Real t) { return std::cos(w * t) + rod * std::sqrt(1 - std::pow(std::sin(w * t) / rod, 2)); });
    compare(r, "rod.omega", [&](Real t) { return w * rate(w * t); });
    compare(r, "rod.alpha", [&](Real t) { return w * w * bend(w * t); });
    compare(r, "slider.vx", [&](Real t) { return -w * std::sin(w * t) + w * rate(w * t) * std::sin(w * t); });
  }
}

// The moment of a parallelogram that turns at a constant speed is that of the weights.  Rows lie in flat positions, right
// beside them, and far away.
TEST(solution_digits, of_a_parallelogram_near_its_flat_positions) {
  for (const double speed : {1.0, 2.0})
    for (const double beside : {0.0, 1e-9, 1e-7, 1e-5, 1e-3, 0.01}) {
      Study s = io::read_study_text(fmt::format(R"toml(gravity = [0, -9.81]
[bodies]
a = {{mass = 1, inertia = "= 1/12", position = [0, 0.5], angle = "90 deg"}}
c = {{mass = 1, inertia = "= 4/12", position = [1, 1]}}
b = {{mass = 1, inertia = "= 1/12", position = [2, 0.5], angle = "90 deg"}}
[joints]
A = {{type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = [-0.5, 0]}}
B = {{type = "revolute", bodies = ["a", "c"], i = [0.5, 0], j = [-1, 0]}}
C = {{type = "revolute", bodies = ["c", "b"], i = [1, 0], j = [0.5, 0]}}
D = {{type = "revolute", bodies = ["ground", "b"], i = [2, 0], j = [-0.5, 0]}}
[drivers]
m = {{type = "angle", joint = "A", value = "= pi/2 + {}*pi*t"}}
[analysis]
type = "inverse"
end = 2)toml",
                                                speed),
                                    "test.toml");
      for (const double t : {0.0, 0.1, 0.37, 0.5 / speed + beside, 0.9, 1.5 / speed + beside, 2.0})
        s.output.times.push_back(t);
      std::ranges::sort(s.output.times);
      const Results r = run_with_digits(std::move(s));
      ASSERT_TRUE(r.outcome) << r.outcome.why;
      const std::vector<double> t = r.times(), m = r.column("m.on_a.m");
      Real error = 0;
      for (std::size_t k = 0; k < t.size(); ++k)
        error = std::max(
            error, std::abs(m[k] - 19.62L * std::cos(std::numbers::pi_v<Real> * (0.5L + speed * Real(t[k])))));
      EXPECT_GE(accuracy_of(r, "m.on_a.m").error, double(error) / 3) << speed << " " << beside;
    }
}

// A rod of 1 kg on its head, which a spring of stiffness k holds and a moment of 1 N m pushes: k θ = 1 + m g l sin θ.  As k
// comes down to m g l, less and less holds it.
TEST(solution_digits, of_an_equilibrium_fall_with_its_stiffness) {
  double before = 16;
  for (const double more : {10.0, 1e-2, 1e-4, 1e-6}) {
    const double weight = 9.81 * 0.5;
    const Results r =
        run_with_digits(io::read_study_text(fmt::format(R"toml(gravity = [0, -9.81]
[bodies]
rod = {{mass = 1, inertia = 0.1, position = [0, 0.5], angle = "90 deg"}}
[joints]
pin = {{type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-0.5, 0]}}
[forces]
hold = {{type = "moment", body = "rod", moment = "= -{:.17g}*(rod.angle - pi/2)"}}
push = {{type = "moment", body = "rod", moment = {:.17g}}}
[analysis]
type = "equilibrium")toml",
                                                        weight * (1 + more), 1e-3 * std::pow(more, 1.5)),
                                            "test.toml"));
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    Real low = 0, high = 1;
    const auto left = [&](Real x) {
      return Real(weight * (1 + more)) * x - Real(1e-3 * std::pow(more, 1.5)) - Real(9.81) * 0.5L * std::sin(x);
    };
    for (int k = 0; k < 200; ++k) (left((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
    const ChannelAccuracy& a = accuracy_of(r, "rod.angle");
    const double error = std::abs(r.column("rod.angle").back() - double(low + std::numbers::pi_v<Real> / 2));
    EXPECT_GE(a.error, error / 3) << more;
    if (more < 1) {
      EXPECT_LT(a.digits(), before - 1) << more;
    }
    before = a.digits();
  }
}
}  // namespace mubody::testing
