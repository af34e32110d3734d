// A disc on a torsion spring.
#include "mubody/forces/torsion_spring.h"

#include "mubody/joints/revolute.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(torsion_spring, moment_of_twist_and_rate) {
  const double I = 0.2, k = 5, c = 0.3, free = 0.25, angle = 1.1, w = 2;
  Model model = in_plane();
  const BodyRef disc = model.body("disc", {.mass = 1, .inertia = I, .angle = angle, .omega = {0, 0, w}});
  model.joint("pin", Revolute{}, model.ground().at(0, 0), disc.at(0, 0));
  TorsionSpring spring;
  spring.stiffness = k, spring.damping = c, spring.free_angle = free;
  model.force("spring", spring, model.ground().at(0, 0), disc.at(0, 0));
  Motion at(model);
  // M = k (θ − θ_0) + c θ̇ turns the disc back.
  const double M = k * (angle - free) + c * w;
  EXPECT_TRUE(same(at("spring.moment"), M));
  EXPECT_TRUE(same(at("disc.alpha"), -M / I));
}
}  // namespace
}  // namespace mubody::testing
