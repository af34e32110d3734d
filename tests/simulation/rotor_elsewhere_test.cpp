// A fast rotor that nothing connects with the rest: what is small beside it is not small beside its own group of bodies.
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"
#include "tests/accuracy.h"

namespace mubody::testing {
namespace {
constexpr char swing[] = R"toml(gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 0.08, position = [0.5, 0]}
rotor = {mass = 1, inertia = 0.01, position = [3.1, 0], omega = 1e5}
[joints]
A = {type = "revolute", bodies = ["ground", "rod"], i = [0, 0], j = [-0.5, 0]}
R = {type = "revolute", bodies = ["ground", "rotor"], i = [3, 0], j = [-0.1, 0]}
[analysis]
integrator = "rk4"
step = 2e-7
end = 0.02
[output]
step = 1e-3)toml";

Results swing_with_digits() {
  Study s = io::read_study_text(swing, "test.toml", {});
  s.analysis.estimate_usual = true;
  return run(s);
}
}  // namespace

TEST(rotor_elsewhere, makes_nothing_of_others_negligible) {
  const Results r = swing_with_digits();
  ASSERT_TRUE(r.accuracy);
  EXPECT_EQ(accuracy_of(r, "rod.ay").kind, ChannelAccuracy::acceleration);
  EXPECT_EQ(accuracy_of(r, "rod.alpha").kind, ChannelAccuracy::acceleration);
  EXPECT_EQ(accuracy_of(r, "A.on_rod.fy").kind, ChannelAccuracy::force);
  EXPECT_GT(accuracy_of(r, "rod.ay").digits(), 6);  // the round-off of its own group, not of the rotor
}

TEST(rotor_elsewhere, has_sizes_of_its_own) {
  Study s = io::read_study_text(swing, "test.toml", {});
  s.analysis.end = 1e-3;
  const Results r = run(s);
  ASSERT_EQ(r.group_scales.size(), 2U);
  EXPECT_DOUBLE_EQ(r.group_scales[0].length, 0.5);
  EXPECT_DOUBLE_EQ(r.group_scales[1].length, 0.1);
  EXPECT_DOUBLE_EQ(r.group_scales[0].mass, 1);
  EXPECT_GT(r.group_scales[0].time, 1e3 * r.group_scales[1].time);
}
}  // namespace mubody::testing
