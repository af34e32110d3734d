// A capsule on a plane is two spheres on it.
#include "mubody/forces/capsule_contact.h"

#include "mubody/forces/plane_contact.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(capsule_contact, moves_as_two_spheres_on_one_body) {
  const double r = 0.05, length = 0.3;
  const auto motion = [&](bool capsule) {
    Model model = in_space();
    const BodyRef body = model.body(
        "pill",
        {.mass = 1, .inertia = 0.01, .position = {0, 0, 0.2}, .velocity = {0.2, 0, 0}, .omega = {0.5, 1, 0}});
    CapsuleContact whole;
    whole.pair.sphere = r, whole.pair.length = length, whole.pair.along = {2, 0, 0};
    PlaneContact end;
    end.pair.radius = r;
    if (capsule) {
      model.force("floor", whole, model.ground().at(0, 0), body.at(0, 0));
    } else {
      model.force("left", end, model.ground().at(0, 0), body.at(-length / 2, 0));
      model.force("right", end, model.ground().at(0, 0), body.at(length / 2, 0));
    }
    Motion m(model, {.rtol = 1e-9});
    m.to(0.5);
    return std::array{m("pill.x"), m("pill.y"), m("pill.z"), m("pill.wx"), m("pill.wy"), m("pill.wz")};
  };
  // Impacts magnify round-off.
  const auto a = motion(true), b = motion(false);
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-6) << k;
}
}  // namespace
}  // namespace mubody::testing
