// Markers as elements see them.
#include "mubody/kinematics/frame.h"

#include "mubody/formulations/body.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(frame, marker_on_a_turning_body) {
  const double angle = 0.8, w = 2;
  const double q[] = {1, 2, angle}, u[] = {0.3, -0.4, w};
  Body<2>::BodyState body;
  Body<2>::unpack(q, u, body);
  const Mount<2> mount(Marker{1, Vec<3>(0.5, 0, 0), turn_about_z(0.3)});
  const Turns turns;
  const Frame<Body<2>, Side::j> frame(body, mount, turns);
  const auto o = frame.o(), x = frame.x();
  // o = r + s (cos φ, sin φ); its velocity adds w s (−sin φ, cos φ) to that of the centre.
  EXPECT_TRUE(same(o.x.x(), 1 + 0.5 * std::cos(angle)));
  EXPECT_TRUE(same(o.v.y(), -0.4 + w * 0.5 * std::cos(angle)));
  EXPECT_TRUE(same(o.a.x(), -w * w * 0.5 * std::cos(angle)));
  // The x axis stands at φ + 0.3 and turns with the body; a direction does not move with the centre.
  EXPECT_TRUE(same(x.x.x(), std::cos(angle + 0.3)));
  EXPECT_TRUE(same(x.v.x(), -w * std::sin(angle + 0.3)));
  EXPECT_TRUE(same(x.Jj.weight, 0));
  EXPECT_TRUE(same(frame.angle().x, angle + 0.3));
}

TEST(frame, turns_are_counted_from_the_last_accepted_state) {
  Turns turns;
  // Half a turn and a little more at 10 rad/s; 0.1 s later one rad more is expected, which atan2 shows as −2.1.
  turns.aim(0);
  turns.count(0, Scalar<0, 0>{3.1, 10, 0, {}, {}});
  turns.accept(0);
  turns.aim(0.1);
  EXPECT_TRUE(same(turns.count(0, Scalar<0, 0>{4.1 - 2 * pi, 10, 0, {}, {}}).x, 4.1));
}
}  // namespace
}  // namespace mubody::testing
