// A plate that cannot tilt.
#include "mubody/joints/parallel.h"

#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(parallel, pushed_plate_turns_but_does_not_tilt) {
  const double m = 2, I = 0.4, c = 0.5, across = 3, up = 7;
  Model model = in_space({0, 0, 0});
  const BodyRef plate = model.body("plate", {.mass = m, .inertia = {0.2, 0.2, I}});
  model.joint("level", Parallel{}, model.ground().at(1, 2, 3), plate.at(0, 0));
  model.force("push", plate.at(c, 0), [=](double, const State&) { return Components{0, across, up}; });
  Motion at(model);
  // About z the push at the arm c turns it freely, c F_y / I; about y its moment −c F_z is held.
  EXPECT_TRUE(same(at("plate.alphaz"), c * across / I));
  EXPECT_TRUE(same(at("plate.alphay"), 0));
  EXPECT_TRUE(same(at("plate.az"), up / m));
  EXPECT_TRUE(same(at("level.on_plate.my"), c * up));
}
}  // namespace
}  // namespace mubody::testing
