// A mass on a spring.
#include "mubody/forces/spring.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(spring, force_of_deflection_rate_and_actuator) {
  const double m = 2, k = 300, c = 4, free = 0.8, l = 1.1, v = 0.5, push = 6;
  Model model = in_plane();
  const BodyRef mass = model.body("mass", {.mass = m, .inertia = 1, .position = {0, -l}, .velocity = {0, -v}});
  Spring spring;
  spring.stiffness = k, spring.damping = c, spring.free_length = free, spring.actuator = Function(push);
  model.force("spring", spring, model.ground().at(0, 0), mass.at(0, 0));
  Motion at(model);
  // F = k (l − l_0) + c l̇ + f pulls the mass up.
  const double F = k * (l - free) + c * v + push;
  EXPECT_TRUE(same(at("spring.force"), F));
  EXPECT_TRUE(same(at("mass.ay"), F / m - g));
}

TEST(spring, half_a_swing) {
  const double m = 2, k = 50, x = 0.1;
  Model model = in_plane({0, 0});
  const BodyRef mass = model.body("mass", {.mass = m, .inertia = 1, .position = {1 + x, 0}});
  Spring spring;
  spring.stiffness = k, spring.free_length = 1;
  model.force("spring", spring, model.ground().at(0, 0), mass.at(0, 0));
  Motion at(model, {.rtol = 1e-12, .atol = 1e-14});
  // x cos wt with w² = k/m: a quarter has the speed x w, half a period the opposite deflection; errors are of steps.
  const double w = std::sqrt(k / m);
  EXPECT_NEAR(at.to(pi / 2 / w)("mass.vx"), -x * w, 1e-11);
  EXPECT_NEAR(at.to(pi / w)("mass.x"), 1 - x, 1e-11);
}
}  // namespace
}  // namespace mubody::testing
