// A mass on a spring.
#include "mubody/forces/spring.h"

#include "mubody/forces/laws/polynomial_law.h"
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

TEST(spring, of_zero_length_is_an_isotropic_oscillator) {
  const double m = 2, k = 50, w = std::sqrt(k / m);
  // From rest it goes straight through the point to which it is tied; from that point, and across, it is as exact.
  const double starts[][4] = {{0.3, 0.4, 0, 0}, {0, 0, 1.5, -2}, {0.3, 0, 0, 1}};
  for (const auto& [x, y, vx, vy] : starts) {
    Model model = in_plane({0, 0});
    const BodyRef mass =
        model.body("mass", {.mass = m, .inertia = 1, .position = {x, y}, .velocity = {vx, vy}});
    Spring spring;
    spring.stiffness = k, spring.free_length = 0;
    model.force("spring", spring, model.ground().at(0, 0), mass.at(0, 0));
    Motion at(model, {.rtol = 1e-12, .atol = 1e-14});
    for (const double t : {pi / 2 / w, 1.0, 2.0}) {
      at.to(t);
      EXPECT_NEAR(at("mass.x"), x * std::cos(w * t) + vx / w * std::sin(w * t), 1e-10);
      EXPECT_NEAR(at("mass.y"), y * std::cos(w * t) + vy / w * std::sin(w * t), 1e-10);
      EXPECT_NEAR(at("spring.force"), k * at("spring.length"), 1e-12);
    }
  }
}

TEST(spring, of_ends_that_coincide_has_no_free_length) {
  Model model = in_space({0, 0, 0});
  const BodyRef mass = model.body("mass", {.mass = 1, .inertia = {1, 1, 1}, .velocity = {0, 0, 2}});
  Spring spring;
  spring.stiffness = 100, spring.damping = 4;
  model.force("spring", spring, model.ground().at(0, 0, 0), mass.at(0, 0, 0));
  Motion at(model, {.rtol = 1e-12, .atol = 1e-14});
  // At first the damper acts along the velocity, and then along the line, which is the same.
  EXPECT_TRUE(same(at("mass.az"), -4 * 2));
  EXPECT_TRUE(same(at("spring.rate"), 2));
  const double w = std::sqrt(100 - 4.0), t = 0.7;
  EXPECT_NEAR(at.to(t)("mass.z"), 2 / w * std::exp(-2 * t) * std::sin(w * t), 1e-10);
}

TEST(spring, of_zero_length_needs_a_direction_for_what_has_one) {
  for (const int what : {0, 1, 2}) {
    Model model = in_plane();
    const BodyRef mass = model.body("mass", {.mass = 1, .inertia = 1});
    Spring spring;
    spring.stiffness = what == 2 ? 0 : 10;
    if (what == 0) spring.free_length = 1;
    if (what == 1) spring.actuator = Function(5);
    PolynomialLaw law;
    law.coefficients = {100};
    if (what == 2) spring.law = Law(law);
    EXPECT_THROW(model.force("spring", spring, model.ground().at(0, 0), mass.at(0, 0)), ModelError) << what;
  }
}

TEST(spring, of_zero_length_in_terms_of_coordinates) {
  Spring spring;
  spring.stiffness = 10, spring.damping = 2, spring.free_length = 0;
  const ScalarForm form = *spring.scalars(2);
  ASSERT_EQ(form.acts, 2);
  double F[2];
  const double x[] = {3, 4}, v[] = {1, 2}, none[] = {0, 0};
  form.force(x, v, 0, F);
  // The rate of the length is (3 + 8)/5, along (3, 4)/5.
  EXPECT_TRUE(same(F[0], -(30 + 2 * 2.2 * 0.6)));
  EXPECT_TRUE(same(F[1], -(40 + 2 * 2.2 * 0.8)));
  EXPECT_TRUE(same(form.lost(x, v, 0), 2 * 2.2 * 2.2));
  form.force(none, v, 0, F);
  EXPECT_EQ(F[0], -2);
  EXPECT_EQ(F[1], -4);
}
}  // namespace
}  // namespace mubody::testing
