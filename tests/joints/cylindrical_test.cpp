// A sleeve on a bar.
#include "mubody/joints/cylindrical.h"

#include "mubody/forces/moment.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(cylindrical, sleeve_slides_and_turns_on_an_inclined_bar) {
  const double m = 2, J = 0.05, tilt = 0.3, T = 1.5;
  const Vec<3> bar(std::sin(tilt), 0, std::cos(tilt));
  Model model = in_space();
  const BodyRef sleeve = model.body(
      "sleeve", {.mass = m, .inertia = {0.2, 0.2, J}, .orientation = turn_about(Vec<3>::UnitY(), tilt)});
  model.joint("bar", Cylindrical{}, with_axis(model.ground().at(0, 0), bar), sleeve.at(0, 0));
  Moment motor;
  motor.moment = T;
  model.force("motor", motor, with_axis(model.ground().at(0, 0), bar), sleeve.at(0, 0));
  Motion at(model);
  // −g cos t along the bar and T/J about it, independent of each other; the bar carries the rest of the weight.
  const Vec<3> fall = -g * std::cos(tilt) * bar, load = m * (fall + Vec<3>(0, 0, g));
  EXPECT_TRUE(same(at("sleeve.ax"), fall.x()));
  EXPECT_TRUE(same(at("sleeve.az"), fall.z()));
  EXPECT_TRUE(same(at("sleeve.alphaz"), T / J));
  EXPECT_TRUE(same(at("bar.on_sleeve.fx"), load.x()));
  EXPECT_TRUE(same(at("bar.on_sleeve.fz"), load.z()));
}
}  // namespace
}  // namespace mubody::testing
