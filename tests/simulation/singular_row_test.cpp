// Rows that fall exactly into a singular position: a kite whose crank and frame fold together, driven through that.
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
constexpr double two_pi = 6.283185307179586, start = 1, speed = 3;
constexpr double folded = (two_pi - start) / speed;  // [s]
constexpr double apart = 0.02;                       // [s] between rows

// Crank and frame of 1 m, coupler and rocker of `side`; the crank turns with 3 rad/s.
Study kite(double side, const char* formulation, double rtol, double end) {
  const double bx = std::cos(start), by = std::sin(start), d = std::hypot(1 - bx, by);
  const double h = std::sqrt(side * side - d * d / 4);
  const double cx = (bx + 1) / 2 + h * by / d, cy = by / 2 + h * (1 - bx) / d;
  std::string times = "0";
  for (int k = -4; k <= 4; ++k) times += fmt::format(", {:.17g}", folded + k * apart);
  return io::read_study_text(
      fmt::format(R"toml(gravity = [0, -9.81]
[bodies]
crank = {{mass = 1, inertia = 0.1, position = [{0}, {1}], angle = 1, omega = 3}}
coupler = {{mass = 1, inertia = 0.4, position = [{2}, {3}], angle = {4}}}
rocker = {{mass = 1, inertia = 0.4, position = [{5}, {6}], angle = {7}}}
[joints]
A = {{type = "revolute", bodies = ["ground", "crank"], i = [0, 0], j = [-0.5, 0]}}
B = {{type = "revolute", bodies = ["crank", "coupler"], i = [0.5, 0], j = [{9}, 0]}}
C = {{type = "revolute", bodies = ["coupler", "rocker"], i = [{8}, 0], j = [{8}, 0]}}
D = {{type = "revolute", bodies = ["ground", "rocker"], i = [1, 0], j = [{9}, 0]}}
[drivers]
motor = {{type = "angle", joint = "A", value = "= 1 + 3*t"}}
[analysis]
formulation = "{10}"
rtol = {11}
end = {12}
hold = ["crank.angle", "crank.omega"]
[output]
times = [{13}, {12}])toml",
                  bx / 2, by / 2, (bx + cx) / 2, (by + cy) / 2, std::atan2(cy - by, cx - bx), (1 + cx) / 2,
                  cy / 2, std::atan2(cy, cx - 1), side / 2, -side / 2, formulation, rtol, end, times),
      "test.toml", {});
}

// The value in the middle of nine rows, from the eight others: they are far from the position, where the equations
// determine everything.  What is odd in the time is left out, an infinite part too.
double continued(const std::vector<double>& x) {
  constexpr std::size_t middle = 5;  // after the start
  constexpr std::array weights{56.0 / 35, -28.0 / 35, 8.0 / 35, -1.0 / 35};
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k)
    sum += weights[k] * (x[middle - k - 1] + x[middle + k + 1]) / 2;
  return sum;
}
}  // namespace

TEST(singular_row, is_continued_from_both_sides) {
  for (const double side : {2.0, 5.0})
    for (const char* formulation : {"body", "joint", "cartesian"})
      for (const double rtol : {1e-6, 1e-7, 1e-9})
        for (const double end : {3.0, 5.0}) {
          const Results r = run(kite(side, formulation, rtol, end));
          const std::string what = fmt::format("{} m, {} coordinates, rtol = {:.0e}, end = {}: {}", side,
                                               formulation, rtol, end, r.verdict);
          ASSERT_TRUE(r.outcome) << what;
          for (const char* channel : {"motor.on_crank.m", "A.on_crank.fx", "A.on_crank.fy", "D.on_rocker.fy",
                                      "rocker.alpha", "coupler.ay"}) {
            const std::vector<double> x = r.column(channel);
            EXPECT_NEAR(x[5], continued(x), 1e-3) << channel << " of " << what;
          }
        }
}

TEST(singular_row, a_reaction_without_bound_is_remarked) {
  const Results r = run(kite(5, "body", 1e-9, 3));
  const auto remarked = [](const std::string& line) {
    return line.find("grows without bound") != std::string::npos;
  };
  EXPECT_TRUE(std::ranges::any_of(r.remarks, remarked));
  // Without weight nothing grows there; accelerations that are round-off may look as if they did.
  for (const double side : {2.0, 5.0}) {
    Study s = kite(side, "body", 1e-9, 3);
    s.mechanism.gravity.setZero();
    EXPECT_TRUE(std::ranges::none_of(run(s).remarks, remarked)) << side;
  }
}

// A parallelogram that starts to fall from its flat position: rows beside it are found on no way that bends.
TEST(singular_row, is_not_continued_where_the_motion_only_begins) {
  Study s = io::read_study_text(R"toml(gravity = [0, -9.81]
[bodies]
a = {mass = 1, inertia = "= 1/12", position = [0.5, 0]}
b = {mass = 1, inertia = "= 1/3", position = [2, 0]}
c = {mass = 1, inertia = "= 1/12", position = [2.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["a", "b"], i = [0.5, 0], j = [-1, 0]}
C = {type = "revolute", bodies = ["b", "c"], i = [1, 0], j = [0.5, 0]}
D = {type = "revolute", bodies = ["ground", "c"], i = [2, 0], j = [-0.5, 0]}
[analysis]
end = 0.2
[output]
step = 0.001)toml",
                                "test.toml", {});
  for (const double omega : {0.0, 1e-9, 1e-3}) {
    for (const int body : {0, 2}) s.mechanism.bodies[std::size_t(body)].omega.z() = omega;
    const Results r = run(s);
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    for (const char* channel : {"A.on_ground.fx", "D.on_ground.fx", "D.on_ground.fy"})
      for (const double x : r.column(channel)) EXPECT_LT(std::abs(x), 20) << channel << ", " << omega;
  }
}
}  // namespace mubody::testing
