// Spatial mechanisms with known answers, through the reader, the assembly and the analyses.
#include "mubody/reading/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
Results solve(const std::string& toml) { return run(io::read_study_text(toml, "model.toml")); }

// A nut on a spindle: pushed by its weight it turns, (m l² + J) θ̈ = −m g l with l = pitch / 2π.
TEST(space, a_nut_runs_down_its_spindle) {
  const Results r = solve(R"toml(
    gravity = [0, 0, -9.81]
    [bodies]
    nut = {mass = 2, inertia = [0.02, 0.02, 0.03], position = [0, 0, 1]}
    [joints]
    S = {type = "screw", bodies = ["ground", "nut"], at = [0, 0, 1], axis = [0, 0, 1], pitch = 0.5}
    [analysis]
    end = 3
  )toml");
  ASSERT_TRUE(r.trusted) << r.verdict;
  const double l = 0.5 / (2 * pi), acceleration = -2 * g * l / (2 * l * l + 0.03);
  EXPECT_NEAR(r.column("S.angle").back(), acceleration * 4.5, 1e-7);  // many turns
  EXPECT_NEAR(r.column("nut.z").back(), 1 + l * acceleration * 4.5, 1e-8);
  EXPECT_LT(r.column("S.angle").back(), -20 * pi);
}

// Bevel gears at a right angle, the first driven until a time.
Results bevel_gears(const std::string& end) {
  return solve(R"toml(
    gravity = [0, 0, 0]
    [bodies]
    a = {mass = 1, inertia = [0.01, 0.01, 0.01], position = [0, 0, -0.2]}
    b = {mass = 1, inertia = [0.01, 0.01, 0.01], position = [0.1, 0, 0]}
    [joints]
    A = {type = "revolute", bodies = ["ground", "a"], at = [0, 0, -0.2], axis = [0, 0, 1]}
    B = {type = "revolute", bodies = ["ground", "b"], at = [0.1, 0, 0], axis = [1, 0, 0]}
    G = {type = "gear", bodies = ["a", "b"], i = {at = [0, 0, 0], axis = [0, 0, 1]}, j = {at = [0, 0, 0], axis = [1, 0, 0]}, radius_i = 0.1, radius_j = 0.2}
    [points]
    on_a = {body = "a", at = [0.1, 0, 0]}
    on_b = {body = "b", at = [0, 0, -0.2]}
    [drivers]
    motor = {type = "angle", joint = "A", value = "= 20*t"}
    [analysis]
    type = "kinematic"
    end = )toml" +
               end);
}

// The driven one turns at r_i / r_j of the speed, for many turns.
TEST(space, bevel_gears_keep_their_ratio) {
  const Results r = bevel_gears("3");
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("A.angle").back(), 60, 1e-9);
  EXPECT_NEAR(std::abs(r.column("B.angle").back()), 30, 1e-9);
  EXPECT_NEAR(std::abs(r.column("G.angle_i").back()), 60, 1e-9);
}

// At the touching point both have the same velocity.
TEST(space, bevel_gears_do_not_slip) {
  const Results r = bevel_gears("0");
  for (const char* v : {"vx", "vy", "vz"})
    EXPECT_NEAR(r.column(std::string("on_a.") + v).front(), r.column(std::string("on_b.") + v).front(), 1e-12);
  EXPECT_NEAR(r.column("on_a.vy").front(), 2, 1e-12);
}

// A torque M on the first gear: α_1 = M/(I_1 + I_2 (r_1/r_2)²), and the tooth force I_2 α_2/r_2 acts at the point of
// contact, so that each bearing takes it and no moment.
TEST(space, bevel_gears_push_each_other_where_they_touch) {
  const Results r = solve(R"toml(
    gravity = [0, 0, 0]
    [bodies]
    a = {mass = 1, inertia = [0.01, 0.01, 0.02], position = [0, 0, 0]}
    b = {mass = 1, inertia = [0.003, 0.002, 0.002], position = [0.2, 0, 0.1]}
    [joints]
    A = {type = "revolute", bodies = ["ground", "a"], at = [0, 0, 0], axis = [0, 0, 1]}
    B = {type = "revolute", bodies = ["ground", "b"], at = [0.2, 0, 0.1], axis = [1, 0, 0]}
    mesh = {type = "gear", bodies = ["a", "b"], i = {at = [0, 0, 0], axis = [0, 0, 1]}, j = {at = [0, 0, 0], axis = [1, 0, 0]}, radius_i = 0.2, radius_j = 0.1}
    [forces]
    motor = {type = "moment", joint = "A", moment = 3}
    [analysis]
    end = 0.1)toml");
  ASSERT_TRUE(r.trusted) << r.verdict;
  const double force = 0.003 * 2 * 3 / (0.02 + 0.003 * 4) / 0.1;
  EXPECT_NEAR(std::abs(r.column("A.on_a.fy").front()), force, 1e-9);
  EXPECT_NEAR(std::abs(r.column("B.on_b.fy").front()), force, 1e-9);
  for (const char* moment : {"A.on_a.mx", "A.on_a.my", "B.on_b.my", "B.on_b.mz"})
    for (const double m : r.column(moment)) EXPECT_NEAR(m, 0, 1e-9) << moment;
}

TEST(space, bevel_gears_whose_rims_do_not_touch_are_refused) {
  EXPECT_THROW(solve(R"toml(
    gravity = [0, 0, 0]
    [bodies]
    a = {mass = 1, inertia = [0.01, 0.01, 0.02], position = [0, 0, 0]}
    b = {mass = 1, inertia = [0.003, 0.002, 0.002], position = [0.2, 0, 0.1]}
    [joints]
    A = {type = "revolute", bodies = ["ground", "a"], at = [0, 0, 0], axis = [0, 0, 1]}
    B = {type = "revolute", bodies = ["ground", "b"], at = [0.2, 0, 0.1], axis = [1, 0, 0]}
    mesh = {type = "gear", bodies = ["a", "b"], i = {at = [0, 0, 0], axis = [0, 0, 1]}, j = {at = [0, 0, 0], axis = [1, 0, 0]}, radius_i = 0.2, radius_j = 0.15})toml"),
               ModelError);
}

// A constant velocity joint at a bend of 40 degrees: both shafts turn alike at every instant.
TEST(space, a_constant_velocity_joint_keeps_the_speed) {
  const Results r = solve(R"toml(
    gravity = [0, 0, 0]
    [parameters]
    bend = "40 deg"
    [bodies]
    a = {mass = 1, inertia = [0.01, 0.01, 0.01], position = [0, 0, -0.2]}
    b = {mass = 1, inertia = [0.01, 0.01, 0.01], position = ["= 0.2*sin(bend)", 0, "= 0.2*cos(bend)"], orientation = {axis = [0, 1, 0], angle = "= bend"}}
    [joints]
    A = {type = "revolute", bodies = ["ground", "a"], at = [0, 0, -0.2], axis = [0, 0, 1]}
    B = {type = "cylindrical", bodies = ["ground", "b"], at = ["= 0.2*sin(bend)", 0, "= 0.2*cos(bend)"], axis = ["= sin(bend)", 0, "= cos(bend)"]}
    C = {type = "constant_velocity", bodies = ["a", "b"], i = {at = [0, 0, 0.2], axis = [0, 0, 1]}, j = {at = [0, 0, -0.2], axis = [0, 0, 1]}}
    [drivers]
    motor = {type = "angle", joint = "A", value = "= 10*t"}
    [analysis]
    type = "kinematic"
    end = 2
  )toml");
  ASSERT_TRUE(r.trusted) << r.verdict;
  for (const double rate : r.column("B.angle_rate")) EXPECT_NEAR(rate, 10, 1e-10);
  EXPECT_NEAR(r.column("B.angle").back(), 20, 1e-10);
}

// An orientation driver goes through the gimbal lock of its own report without a stumble.
TEST(space, an_orientation_follows_its_functions) {
  const Results r = solve(R"toml(
    gravity = [0, 0, 0]
    [bodies]
    head = {mass = 1, inertia = [0.1, 0.2, 0.25], position = [0, 0, 0]}
    [joints]
    O = {type = "spherical", bodies = ["ground", "head"], at = [0, 0, 0]}
    [drivers]
    D = {type = "orientation", bodies = ["ground", "head"], sequence = "zyx", angles = ["= t", "= 0.5*t", "= 2*t"]}
    [analysis]
    type = "kinematic"
    end = 4
  )toml");
  ASSERT_TRUE(r.trusted) << r.verdict;
  const double t = 4;
  const Quaternion p = Quaternion(Eigen::AngleAxisd(t, Vec<3>::UnitZ())) *
                       Quaternion(Eigen::AngleAxisd(0.5 * t, Vec<3>::UnitY())) *
                       Quaternion(Eigen::AngleAxisd(2 * t, Vec<3>::UnitX()));
  const double sign = p.w() * r.column("head.e0").back() > 0 ? 1 : -1;
  EXPECT_NEAR(r.column("head.e1").back(), sign * p.x(), 1e-10);
  EXPECT_NEAR(r.column("head.e3").back(), sign * p.z(), 1e-10);
}

// A weld that starts far off closes the right way round; a pin that cannot is reported.
TEST(space, joints_are_not_assembled_half_a_turn_off) {
  const std::string start = R"toml(
    gravity = [0, 0, 0]
    [bodies]
    b = {mass = 1, inertia = [1, 1, 1], position = [0, 0, 0], orientation = {axis = [1, 2, 3], angle = 2.2}}
    [analysis]
    type = "assembly"
    [joints]
  )toml";
  const std::string local =
      "i = {axis = [0, 0, 1], across = [1, 0, 0]}, j = {axis = [0, 0, 1], across = [1, 0, 0]}}";
  const Results weld = solve(start + "W = {type = \"fixed\", bodies = [\"ground\", \"b\"], " + local);
  EXPECT_TRUE(weld.outcome) << weld.verdict;
  EXPECT_NEAR(std::abs(weld.column("b.e0").front()), 1, 1e-12);
  const Results pin = solve(start +
                            "P = {type = \"revolute\", bodies = [\"ground\", \"b\"], i = {axis = [0, 0, "
                            "1], across = [1, 0, 0]}, j = {axis = [0, 0, -1], across = [1, 0, 0]}}");
  EXPECT_TRUE(!pin.outcome || std::abs(pin.column("b.e0").front()) < 0.999) << pin.verdict;
}

// Steps that are coarse relative to the rotation do not confuse the count.
TEST(space, turns_are_counted_over_coarse_steps) {
  const Results r = solve(R"toml(
    gravity = [0, 0, 0]
    [bodies]
    wheel = {mass = 1, inertia = [0.1, 0.1, 0.2], position = [0, 0, 0], omega = [0, 0, 35]}
    [joints]
    A = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0, 0], axis = [0, 0, 1]}
    [analysis]
    end = 20
    rtol = 1e-2
    atol = 1e-2
  )toml");
  EXPECT_NEAR(r.column("A.angle").back(), 700, pi);  // as accurate as the tolerance, and no turn is lost
}

// A torsional spring on a shaft counts the turns by which it is wound up.
TEST(space, a_torsion_spring_counts_turns) {
  const Results r = solve(R"toml(
    gravity = [0, 0, 0]
    [bodies]
    wheel = {mass = 1, inertia = [0.1, 0.1, 0.2], position = [0, 0, 0], omega = [0, 0, 40]}
    [joints]
    A = {type = "revolute", bodies = ["ground", "wheel"], at = [0, 0, 0], axis = [0, 0, 1]}
    [forces]
    S = {type = "torsion_spring", joint = "A", stiffness = 0.2}
    [analysis]
    end = 6.283185307179586
    [output]
    times = [0, 1.5707963267948966, 6.283185307179586]
  )toml");
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("A.angle")[1], 40, 1e-6);  // a quarter of the period, 6.4 turns
  EXPECT_NEAR(r.column("S.moment")[1], 8, 1e-6);
  EXPECT_NEAR(r.column("A.angle")[2], 0, 1e-5);
}

// Two bodies on a bushing, small motions: the natural frequency of the relative motion.
TEST(space, a_bushing_swings_at_its_frequency) {
  const Results r = solve(R"toml(
    gravity = [0, 0, 0]
    [bodies]
    a = {mass = 2, inertia = [0.1, 0.1, 0.1], position = [0, 0, 0]}
    b = {mass = 3, inertia = [0.1, 0.1, 0.1], position = [0.01, 0, 0]}
    [forces]
    B = {type = "bushing", bodies = ["a", "b"], i = [0, 0, 0], j = [0, 0, 0], stiffness = [480, 900, 900, 10, 10, 10]}
    [analysis]
    end = 0.31415926535897931
    [output]
    times = [0, 0.15707963267948966, 0.31415926535897931]
  )toml");
  ASSERT_TRUE(r.trusted) << r.verdict;  // ω² = k (1/2 + 1/3) = 400: half a period is 0.157 s
  EXPECT_NEAR(r.column("B.x")[1], -0.01, 1e-9);
  EXPECT_NEAR(r.column("B.x")[2], 0.01, 1e-9);
}

// A preloaded bushing on the ground is in balance where K s = -F0; started there, it rests.
TEST(space, a_preload_moves_the_rest_position_of_a_bushing) {
  const Results r = solve(R"toml(
    gravity = [0, 0, 0]
    [bodies]
    b = {mass = 3, inertia = [0.1, 0.1, 0.1], position = [-0.02, 0, 0]}
    [forces]
    B = {type = "bushing", bodies = ["ground", "b"], i = [0, 0, 0], j = [0, 0, 0], stiffness = [500, 500, 500, 10, 10, 10], preload = [10, 0, 0, 0, 0, 0]}
    [analysis]
    end = 1
  )toml");
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("b.x").back(), -0.02, 1e-12);
}

// A sleigh on a knife edge, pushed off with a turn: it never slips sideways, and energy stays.
TEST(space, a_knife_edge_does_not_slip) {
  const Results r = solve(R"toml(
    gravity = [0, 0, -9.81]
    [bodies]
    sleigh = {mass = 2, inertia = [0.2, 0.2, 0.3], position = [0.2, 0, 0], velocity = [1, 0.4, 0], omega = [0, 0, 2]}
    [joints]
    P = {type = "planar", bodies = ["ground", "sleigh"], at = [0.2, 0, 0], axis = [0, 0, 1]}
    K = {type = "knife_edge", bodies = ["ground", "sleigh"], i = {at = [0, 0, 0], axis = [1, 0, 0], across = [0, 1, 0]}, j = {at = [-0.2, 0, 0], axis = [1, 0, 0], across = [0, 1, 0]}}
    [points]
    edge = {body = "sleigh", at = [-0.2, 0, 0]}
    [analysis]
    end = 3
  )toml");
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto vx = r.column("edge.vx"), vy = r.column("edge.vy"), angle = r.column("K.angle");
  for (std::size_t k = 0; k < vx.size(); ++k)
    EXPECT_NEAR(-std::sin(angle[k]) * vx[k] + std::cos(angle[k]) * vy[k], 0, 1e-12);
  EXPECT_LT(r.statistics.energy_residual, 1e-8);
  EXPECT_EQ(r.freedom.actual, 2);
}

// Conditions on velocities alone cannot be satisfied by positions alone.
TEST(space, kinematic_analysis_refuses_rolling) {
  EXPECT_THROW(solve(R"toml(
    gravity = [0, 0, 0]
    [bodies]
    disc = {mass = 1, inertia = [1, 1, 2], position = [0, 0, 0.5]}
    [joints]
    R = {type = "rolling", bodies = ["ground", "disc"], i = {at = [0, 0, 0], axis = [0, 0, 1]}, j = {at = [0, 0, 0], axis = [0, 1, 0]}, radius = 0.5}
    [drivers]
    x = {type = "coordinate", body = "disc", coordinate = "x", value = "= t"}
    o = {type = "orientation", bodies = ["ground", "disc"], angles = [0, 0, 0]}
    [analysis]
    type = "kinematic"
  )toml"),
               ModelError);
}

// A thin rod has no inertia about itself; that must not change how it swings.
TEST(space, a_thin_rod_swings_like_a_compound_pendulum) {
  const std::string common = R"toml(
    gravity = [0, 0, -9.81]
    [joints]
    O = {type = "spherical", bodies = ["ground", "rod"], at = [0, 0, 0]}
    [analysis]
    end = 1
    [bodies]
  )toml";
  const std::string place = "mass = 1, position = [0.5, 0, 0]";
  const Results thin =
      solve(common + "rod = {" + place + ", inertia = [0, 0.08333333333333333, 0.08333333333333333]}");
  const Results thick =
      solve(common + "rod = {" + place + ", inertia = [1e-7, 0.08333333333333333, 0.08333333333333333]}");
  ASSERT_TRUE(thin.trusted) << thin.verdict;
  EXPECT_NEAR(thin.column("rod.x").back(), thick.column("rod.x").back(), 1e-7);
  EXPECT_NEAR(thin.column("rod.z").back(), thick.column("rod.z").back(), 1e-7);
  // The same rod, with its axis askew in the body.
  const Results askew =
      solve(common + "rod = {" + place +
            ", inertia = [0, 0.08333333333333333, 0.08333333333333333], inertia_frame = {axis = "
            "[0, 1, 0], angle = 0.3}, orientation = {axis = [0, 1, 0], angle = -0.3}}");
  ASSERT_TRUE(askew.trusted) << askew.verdict;
  EXPECT_NEAR(askew.column("rod.z").back(), thick.column("rod.z").back(), 1e-7);
}

// A driver that follows a joint drives the coordinate that the joint leaves free.
TEST(space, a_slide_driver_follows_a_cylindrical_joint) {
  const std::string model = R"toml(
    gravity = [0, 0, 0]
    [bodies]
    b = {mass = 1, inertia = [1, 1, 1], position = [0, 0, 0]}
    [joints]
    C = {type = "cylindrical", bodies = ["ground", "b"], at = [0, 0, 0], axis = [0, 1, 0]}
    [drivers]
    s = {type = "slide", joint = "C", value = "= 0.1*t"}
    a = {type = "angle", joint = "C", value = "= 7*t"}
    [analysis]
    type = "kinematic"
    end = 2
  )toml";
  const Results r = solve(model);
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(r.column("b.y").back(), 0.2, 1e-12);
  EXPECT_NEAR(r.column("C.angle").back(), 14, 1e-9);
}

// Three equal cranks on a bar: one equation too many at all times, and two more when they lie flat.
TEST(redundancy, that_comes_and_goes_is_reported_with_its_time) {
  const Results r = solve(R"toml(
    gravity = [0, 0]
    [bodies]
    left = {mass = 1, inertia = 0.1, position = [0, 0.5], angle = "90 deg", omega = 3}
    middle = {mass = 1, inertia = 0.1, position = [1, 0.5], angle = "90 deg"}
    right = {mass = 1, inertia = 0.1, position = [2, 0.5], angle = "90 deg"}
    bar = {mass = 2, inertia = 0.5, position = [1, 1]}
    [joints]
    A = {type = "revolute", bodies = ["ground", "left"], at = [0, 0]}
    B = {type = "revolute", bodies = ["ground", "middle"], at = [1, 0]}
    C = {type = "revolute", bodies = ["ground", "right"], at = [2, 0]}
    D = {type = "revolute", bodies = ["left", "bar"], at = [0, 1]}
    E = {type = "revolute", bodies = ["middle", "bar"], at = [1, 1]}
    F = {type = "revolute", bodies = ["right", "bar"], at = [2, 1]}
    [analysis]
    end = 2
    hold = ["left.omega"]
  )toml");
  EXPECT_EQ(r.freedom.redundant.size(), 1U);
  EXPECT_EQ(r.freedom.actual, 1);
  bool told = false;
  for (const Event& e : r.events)
    told = told || (e.kind == Event::redundancy && std::abs(e.t - pi / 6) < 0.02);  // flat after a quarter turn
  EXPECT_TRUE(told);
}
}  // namespace
}  // namespace mubody::testing
