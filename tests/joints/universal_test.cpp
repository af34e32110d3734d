// Two shafts joined by a cross.
#include "mubody/joints/universal.h"

#include "mubody/functions/polynomial.h"
#include "mubody/joints/angle.h"
#include "mubody/joints/parallel.h"
#include "mubody/joints/revolute.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// Two shafts that meet in the origin; the first, along x, is driven, the second is held parallel to its bent axis.
TEST(universal, speeds_of_two_bent_shafts) {
  const double bend = 0.6, speed = 3;
  const Vec<3> axis(std::cos(bend), std::sin(bend), 0);
  Model model = in_space();
  const BodyRef one = model.body("one", {.mass = 1, .inertia = 0.1}),
                two = model.body("two", {.mass = 1, .inertia = 0.1});
  model.joint("bearing", Revolute{}, with_axis(model.ground().at(0, 0), Vec<3>::UnitX()),
              with_axis(one.at(0, 0), Vec<3>::UnitX()));
  model.joint("hold", Parallel{}, with_axis(model.ground().at(0, 0), axis), with_axis(two.at(0, 0), axis));
  model.joint("cross", Universal{}, with_axis(one.at(0, 0), Vec<3>::UnitY()),
              with_line(two.at(0, 0), Vec<3>::UnitZ()));
  Angle motor;
  motor.value = Function(Polynomial{{0, speed}});
  model.joint("motor", motor, with_axis(model.ground().at(0, 0), Vec<3>::UnitX()),
              with_axis(one.at(0, 0), Vec<3>::UnitX()));
  Motion at(model);
  for (const double turn : {0., pi / 6, pi / 2}) {
    at.to(turn / speed);
    // With the first pin at the angle θ from the plane of the shafts, ω_2/ω_1 = cos b / (1 − sin² b cos² θ).
    const double s = std::sin(bend) * std::cos(turn), wanted = speed * std::cos(bend) / (1 - s * s);
    EXPECT_TRUE(same(at("two.wx") * axis.x() + at("two.wy") * axis.y(), wanted, 100));
  }
}
}  // namespace
}  // namespace mubody::testing
