// A top whose precession and spin are given.
#include "mubody/joints/orientation.h"

#include "mubody/functions/polynomial.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(orientation, gyroscopic_moment_of_a_given_precession) {
  const double I1 = 0.3, I2 = 0.2, I3 = 0.25, turn = 2, spin = 7;
  Model model = in_space();
  const BodyRef top = model.body("top", {.mass = 1, .inertia = {I1, I2, I3}});
  Orientation given;
  given.angles = {Function(Polynomial{{0, turn}}), Function(0.), Function(Polynomial{{0, spin}})};
  model.joint("given", given, model.ground().at(0, 0), top.at(0, 0));
  Motion at(model);
  // ω = (s, 0, Ω), ω̇ = (0, Ω s, 0) in body axes: M = I ω̇ + ω × I ω = Ω s (I_1 + I_2 − I_3) about y.
  EXPECT_TRUE(same(at("top.wx"), spin));
  EXPECT_TRUE(same(at("top.wz"), turn));
  EXPECT_TRUE(same(at("top.alphay"), turn * spin));
  EXPECT_TRUE(same(at("given.on_top.my"), turn * spin * (I1 + I2 - I3)));
  EXPECT_TRUE(same(at("given.on_top.mx"), 0));
}
}  // namespace
}  // namespace mubody::testing
