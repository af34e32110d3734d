// Mirrored loops that share a table.
#include "mubody/reading/real_time_file.h"
#include "tests/precompute/as_full_model.h"

namespace mubody::testing {
namespace {
TEST(mirrored_table, is_the_other_with_signs) {
  const std::vector<Axis> axes{Axis(-0.2, 0.3, false, std::vector<int>{1, 2}),
                               Axis(-1, 1, false, std::vector<int>{1, 3})};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> some(-1, 1);
  std::vector<double> numbers(3 * 4 * 16 * 2);
  for (double& x : numbers) x = some(random);
  const LookupTable table({0, 1}, axes, 3, 2, numbers);
  const LookupTable other(
      table, {1, 2},
      {Axis(-0.3, 0.2, false, std::vector<int>{2, 1}), Axis(-1, 1, false, std::vector<int>{1, 3})}, {1, -1},
      {-1, 1});
  const LookupTable own = other.unfolded();
  EXPECT_FALSE(own.mirrored());
  std::vector<double> scratch(table.scratch()), a(2), da(4), b(2), db(4), c(2), dc(4);
  for (int k = 0; k < 100; ++k) {
    const double x[] = {0.05 + 0.24 * some(random), 0.99 * some(random)};
    const double there[] = {0, -x[0], x[1]};
    table.evaluate(x, a.data(), da.data(), scratch.data());
    other.evaluate(there, b.data(), db.data(), scratch.data());
    own.evaluate(there, c.data(), dc.data(), scratch.data());
    for (std::size_t q = 0; q < 2; ++q) {
      const double sign = q == 0 ? 1 : -1;
      EXPECT_NEAR(b[q], sign * a[q], 1e-12);
      EXPECT_NEAR(db[q], -sign * da[q], 1e-10);
      EXPECT_NEAR(db[2 + q], sign * da[2 + q], 1e-10);
      EXPECT_NEAR(c[q], b[q], 1e-12);
      EXPECT_NEAR(dc[q], db[q], 1e-10);
      EXPECT_NEAR(dc[2 + q], db[2 + q], 1e-10);
    }
  }
}

/// A chassis that flies in the plane, with a wishbone on the right and the same mirrored on the left.
constexpr const char* two_corners = R"toml(
gravity = [0, -2]
[bodies]
chassis = {mass = 350, inertia = 50, position = [0, 0.6], velocity = [1, 0.5], omega = 0.3}
lower = {mass = 5, inertia = 0.1, position = [0.45, 0.3]}
upper = {mass = 3, inertia = 0.05, position = [0.45, 0.55]}
hub = {mass = 40, inertia = 1, position = [0.72, 0.42]}
left_lower = {mass = 6, inertia = 0.1, position = [-0.45, 0.3]}
left_upper = {mass = 3, inertia = 0.05, position = [-0.45, 0.55]}
left_hub = {mass = 30, inertia = 1, position = [-0.72, 0.42]}
[joints]
l1 = {type = "revolute", bodies = ["chassis", "lower"], at = [0.25, 0.32]}
l2 = {type = "revolute", bodies = ["lower", "hub"], at = [0.65, 0.27]}
u1 = {type = "revolute", bodies = ["chassis", "upper"], at = [0.3, 0.55]}
u2 = {type = "revolute", bodies = ["upper", "hub"], at = [0.62, 0.56]}
left_l1 = {type = "revolute", bodies = ["chassis", "left_lower"], at = [-0.25, 0.32]}
left_l2 = {type = "revolute", bodies = ["left_lower", "left_hub"], at = [-0.65, 0.27]}
left_u1 = {type = "revolute", bodies = ["chassis", "left_upper"], at = [-0.3, 0.55]}
left_u2 = {type = "revolute", bodies = ["left_upper", "left_hub"], at = [-0.62, 0.56]}
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0.35, 0.2], j = [0.05, 0], stiffness = 60000, damping = 4000, free_length = 0.55}
left_strut = {type = "spring", bodies = ["chassis", "left_lower"], i = [-0.35, 0.2], j = [-0.05, 0], stiffness = 50000, damping = 4000, free_length = 0.55}
[analysis]
end = 0.5
rtol = 1e-11
[output]
step = 0.02
)toml";

PrecomputeOptions of_two_corners() {
  PrecomputeOptions o = bounded(1e-9);
  o.ranges = {{"l1", -0.5, 0.4}, {"left_l1", -0.4, 0.5}};
  return o;
}

TEST(mirrored_loops, have_one_table_and_move_as_the_full_model) {
  const Study study = study_of(two_corners);
  const RealTimeModel model = precompute(study, of_two_corners()).model;
  ASSERT_EQ(model.loops.size(), 2U);
  EXPECT_EQ(model.bytes(), model.loops[0].region.bodies[0].table.bytes());
  EXPECT_TRUE(model.loops[1].region.bodies[0].table.mirrored());
  const std::string bytes = io::real_time_bytes(model);
  EXPECT_LT(bytes.size(), 1.3 * double(model.bytes()));
  const RealTimeModel again = io::real_time_from(bytes, "again.rt");
  EXPECT_EQ(apart(run_real_time(model, study), run_real_time(again, study), "left_hub.x"), 0);
  Made made(two_corners, of_two_corners());
  accelerates_as_the_full_model(made);
  moves_as_the_full_model(made);
}

// Another length on one side, by the width of a hair, is another table.
TEST(mirrored_loops, are_told_from_others) {
  std::string text = two_corners;
  text.replace(text.find("at = [-0.65, 0.27]"), 18, "at = [-0.65001, 0.27]");
  const RealTimeModel model = precompute(study_of(text.c_str()), of_two_corners()).model;
  EXPECT_FALSE(model.loops[1].region.bodies[0].table.mirrored());
}

TEST(mirrored_loops, of_the_car_share_tables) {
  PrecomputeOptions o;
  o.bound = 1e-5;
  o.ranges = {{"slide.slide", -0.04, 0.04},
              {"fl_la.angle", -0.2, 0.3},
              {"fr_la.angle", -0.3, 0.2},
              {"rl_la.angle", -0.2, 0.3},
              {"rr_la.angle", -0.3, 0.2}};
  const RealTimeModel model = precompute(example("car"), o).model;
  int shared = 0;
  for (const LoopTable& loop : model.loops)
    for (const BodyTable& t : loop.region.bodies) shared += t.table.mirrored();
  EXPECT_EQ(shared, 3);  // arms in front, knuckle and rod in front, and all of a corner behind
}
}  // namespace
}  // namespace mubody::testing
