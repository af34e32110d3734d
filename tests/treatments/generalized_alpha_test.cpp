// Implicit steps on the equations of index 3.
#include "mubody/treatments/generalized_alpha.h"

#include "mubody/joints/translational.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(generalized_alpha, steps_of_constant_acceleration_are_exact) {
  const double slope = 0.5, m = 2, t = 0.4;
  Model model = in_plane();
  const BodyRef block = model.body("block", {.mass = m, .inertia = 1, .angle = slope});
  model.joint("guide", Translational{}, turned(model.ground().at(0, 0), slope), block.at(0, 0));
  model.study().analysis.treatment = std::make_unique<TreatmentOf<GeneralizedAlpha>>();
  model.study().analysis.control.step = 0.1;
  Motion at(model);
  at.to(t);
  // g sin a downhill: a quadratic motion, which the method of second order meets; four steps of Newton's iteration.
  const double s = -g * std::sin(slope) * t * t / 2;
  EXPECT_NEAR(at("block.x"), s * std::cos(slope), 1e-12);
  EXPECT_NEAR(at("block.y"), s * std::sin(slope), 1e-12);
  EXPECT_NEAR(at("block.vx"), -g * std::sin(slope) * t * std::cos(slope), 1e-11);
}
}  // namespace
}  // namespace mubody::testing
