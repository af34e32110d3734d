// The meaning of the numbers of a MUBODYNA file, against closed forms.
#include <cmath>

#include "tests/mubodyna/models.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
Results solve(const Parts& p) { return run(io::read_study_text(p.text(), "model.mub")); }

/// The ground and one more body; the fourteen numbers of (a) follow from the arguments.
Parts with_ground(const std::string& motion, const std::string& inertia, const std::string& forces) {
  Parts p;
  p.motion = "0 0 0 0 0 0\n" + motion;
  p.inertia = "1 1\n" + inertia;
  p.forces = "0 0 0\n" + forces;
  return p;
}

// (d), (j), (m): m x'' = Fx + Fa − k (l − l0) − d x' with the spring along x; it is underdamped.
TEST(mubodyna_model, spring_damper_and_actuator_pull) {
  Parts p = with_ground("2 0 0 0 0 0\n", "2 1\n", "3 0 0\n");
  p.counts = "2\n0\n0\n0\n1\n2\n0\n0\n0\n1\n0\n0\n0\n0\n";
  p.more =
      "GROUND_CONSTRAINTS\n1\nSIMPLE_CONSTRAINTS\n2 2\n2 3\nTRANSLATIONAL_SPRINGS\n1 2 0 0 0 0 50 1.5 -4.0 "
      "1.8\n";
  const Results r = solve(p);
  // A negative actuator force pushes: rest at l0 + (3 + 4) / k.
  const double rest = 1.8 + 7.0 / 50, decay = 1.5 / (2 * 2), w = std::sqrt(50.0 / 2 - decay * decay),
               a = 2 - rest;
  const double x = rest + a * std::exp(-decay) * (std::cos(w) + decay / w * std::sin(w));
  EXPECT_NEAR(r.column("body_2.x").back(), x, 1e-10);  // RK4: (w h)^4 w t / 120 = 3e-11
}

// (n): I φ'' = −k φ with φ = 0 where both bodies have the same angle.
TEST(mubodyna_model, rotational_spring_is_relaxed_at_equal_angles) {
  Parts p = with_ground("0 0 0.3 0 0 0\n", "1 0.5\n", "0 0 0\n");
  p.counts = "2\n1\n0\n0\n1\n0\n0\n0\n0\n0\n1\n0\n0\n0\n";
  p.more = "IDEAL_REVOLUTE_JOINTS\n1 2 0 0 0 0\nGROUND_CONSTRAINTS\n1\nROTATIONAL_SPRINGS\n1 2 8.0 0\n";
  EXPECT_NEAR(solve(p).column("body_2.angle").back(), 0.3 * std::cos(4.0), 1e-10);
}

// (n): I ω' = −d ω.
TEST(mubodyna_model, rotational_damper_brakes) {
  Parts p = with_ground("0 0 0.3 0 0 2\n", "1 0.5\n", "0 0 0\n");
  p.counts = "2\n0\n0\n0\n1\n0\n0\n0\n0\n0\n1\n0\n0\n0\n";
  p.more = "GROUND_CONSTRAINTS\n1\nROTATIONAL_SPRINGS\n1 2 0 0.4\n";
  EXPECT_NEAR(solve(p).column("body_2.omega").back(), 2 * std::exp(-0.8), 1e-10);
}

// (k): x = x0 + v t + a t² / 2, in the time of the file, which may begin later.
TEST(mubodyna_model, driving_constraint_is_a_parabola_in_time) {
  Parts p;
  p.counts = "1\n0\n0\n0\n0\n0\n1\n0\n0\n0\n0\n0\n0\n0\n";
  p.motion = "0.875 0 0 1.75 0 0\n";
  p.more = "DRIVING_CONSTRAINTS\n1 1 0.25 0.75 2.0\n";
  p.times = "0.5 1.5 1D-3 1 5 5\n";
  const Results r = solve(p);
  EXPECT_NEAR(r.column("body_1.x").back(), 0.25 + 0.75 * 1.5 + 1.5 * 1.5, 1e-12);
  EXPECT_NEAR(r.column("driver_1.on_body_1.fx").back(), 2 * 2.0, 1e-9);  // stages miss the parabola by h⁴
}

// (o): a force at a global point turns the body by its arm from the centre of mass.
TEST(mubodyna_model, external_force_acts_at_a_global_point) {
  Parts p;
  p.counts = "1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n1\n2\n0\n";
  p.motion = "1 2 0.7 0 0 0\n";
  p.more = "EXTERNAL_APPLIED_FORCES\n1\n0 3.0 -1.0 1.5 2.25\n1 3.0 -1.0 1.5 2.25\n";
  p.times = "0 1D-3 1D-3 1 0 0\n";
  const Results r = solve(p);
  EXPECT_DOUBLE_EQ(r.column("body_1.ax").front(), 3.0 / 2);
  EXPECT_DOUBLE_EQ(r.column("body_1.ay").front(), -1.0 / 2);
  EXPECT_DOUBLE_EQ(r.column("body_1.alpha").front(), (0.5 * -1.0 - 0.25 * 3.0) / 0.5);
}

// (h): a slider falls along a line at 30 degrees; the line is that through P and Q of body i.
TEST(mubodyna_model, slider_runs_along_the_line_of_p_and_q) {
  Parts p = with_ground("1 1 0.4 0 0 0\n", "2 1\n", "0 -19.62 0\n");
  p.counts = "2\n0\n0\n1\n1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n";
  p.more = "TRANSLATIONAL_JOINTS\n1 2 1 1 1.8660254037844386 1.5 0 0\nGROUND_CONSTRAINTS\n1\n";
  const Results r = solve(p);
  const double along = -0.5 * g * 0.5;  // g sin 30° t² / 2
  EXPECT_NEAR(r.column("body_2.x").back(), 1 + along * std::cos(EIGEN_PI / 6), 1e-10);
  EXPECT_NEAR(r.column("body_2.y").back(), 1 + along * std::sin(EIGEN_PI / 6), 1e-10);
  EXPECT_NEAR(r.column("body_2.angle").back(), 0.4, 1e-12);
}

// (i): a body fixed away from the origin stays there and carries a pendulum; the ground holds it with its weight.
TEST(mubodyna_model, ground_constraint_holds_a_body_where_it_starts) {
  Parts p;
  p.counts = "2\n1\n0\n0\n1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n";
  p.motion = "3 4 0.5 0 0 0\n3 3 0 0 0 0\n";
  p.inertia = "5 1\n2 0\n";
  p.forces = "0 -49.05 0\n0 -19.62 0\n";
  p.more = "IDEAL_REVOLUTE_JOINTS\n1 2 0 0 0 1\nGROUND_CONSTRAINTS\n1\n";
  const Results r = solve(p);
  EXPECT_EQ(r.column("body_1.x").back(), 3);
  EXPECT_EQ(r.column("body_1.angle").back(), 0.5);
  EXPECT_NEAR(r.column("weld_1.on_body_1.fy").back(), 7 * g, 1e-10);
}

// The starting values of a file are not changed, even where they do not fit.
TEST(mubodyna_model, starts_as_given) {
  Parts p = with_ground("1.01 0 0 0.3 0 0\n", "1 1\n", "0 0 0\n");
  p.counts = "2\n1\n0\n0\n1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n";
  p.more = "IDEAL_REVOLUTE_JOINTS\n1 2 0 0 -1 0\nGROUND_CONSTRAINTS\n1\n";
  const Results r = solve(p);
  EXPECT_EQ(r.column("body_2.x").front(), 1.01);
  EXPECT_EQ(r.column("body_2.vx").front(), 0.3);
  EXPECT_TRUE(same(r.assembly.violation_after, 0.01, 1));
  EXPECT_FALSE(r.trusted);
}
}  // namespace
}  // namespace mubody::testing
