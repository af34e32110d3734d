// Inverse dynamics: forces of drivers against the kinematic analysis, the power balance and virtual work.
#include "mubody/analyses/inverse.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "mubody/reading/read_model.h"
#include "mubody/writing/write_results.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
Study slider_crank(const std::vector<std::string>& settings = {}) {
  return example("slider_crank_driven", settings);
}

TEST(inverse, slider_crank_takes_the_torque_of_the_kinematic_analysis) {
  const Results kinematic = run(slider_crank()), inverse = run(slider_crank({"analysis.type=inverse"}));
  ASSERT_TRUE(inverse.trusted) << inverse.verdict;
  EXPECT_EQ(inverse.analysis, "inverse");
  const auto torque = kinematic.column("motor.on_crank.m"), drive = inverse.column("motor.drive"),
             power = inverse.column("motor.power"), kinetic = inverse.column("kinetic");
  ASSERT_EQ(torque.size(), drive.size());
  for (std::size_t k = 0; k < torque.size(); ++k) {
    EXPECT_NEAR(drive[k], torque[k], 1e-12 * 50);
    EXPECT_NEAR(power[k], 10 * drive[k], 1e-12 * 500);  // 10 rad/s
  }
  const Table* drives = inverse.find("drives");
  ASSERT_NE(drives, nullptr);
  EXPECT_EQ(drives->columns[1].unit, "N m");
}

// P = dT/dt + dV/dt + 50 N v: energies by central differences of the results, 1e-3 s apart.
TEST(inverse, the_power_of_the_driver_is_what_the_energies_and_the_load_take) {
  const Results r = run(slider_crank({"analysis.type=inverse", "output.step=1e-3"}));
  const auto power = r.column("motor.power"), total = r.column("total"), v = r.column("slider.vx");
  const double h = 1e-3;
  for (std::size_t k = 2; k + 2 < power.size(); k += 7) {
    const double rate = (8 * (total[k + 1] - total[k - 1]) - (total[k + 2] - total[k - 2])) / (12 * h);
    EXPECT_NEAR(power[k], rate + 50 * v[k], 2e-6);  // h⁴/30 times the fifth derivative, 2 J x (20 rad/s)⁵
  }
}

TEST(inverse, too_few_drivers_name_what_is_left_free) {
  Mechanism m;
  m.bodies = {body("upper", 1, 0.1, 0, -0.5, -pi / 2), body("lower", 1, 0.1, 0, -1.5, -pi / 2)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  m.add_joint("B", revolute(marker(1, 0.5, 0), marker(2, -0.5, 0)));
  m.add_joint("motor", motor(ground, 1, polynomial({-pi / 2, 1})));
  m.prepare();
  Study s = study(m);
  s.analysis.type = analysis_of(Inverse{});
  try {
    run(s);
    FAIL() << "must be refused";
  } catch (const ModelError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("under-actuated: 1 driver for 2 freedoms"), std::string::npos) << text;
    EXPECT_NE(text.find("lower."), std::string::npos) << text;
  }
}

// Two motors turn a parallelogram together.  By virtual work only the sum of their moments counts.
TEST(inverse, too_many_drivers_share_the_moment_of_one) {
  Mechanism one = parallelogram();
  one.gravity = {0, -g, 0};
  Mechanism two = one;
  one.add_joint("left_motor", motor(ground, 1, polynomial({pi / 2, 1, 0.5})));
  two.add_joint("left_motor", motor(ground, 1, polynomial({pi / 2, 1, 0.5})));
  two.add_joint("right_motor", motor(ground, 2, polynomial({pi / 2, 1, 0.5})));
  one.prepare(), two.prepare();
  Study s1 = study(one, 0.5), s2 = study(two, 0.5);
  s1.analysis.type = s2.analysis.type = analysis_of(Inverse{});
  const Results r1 = run(s1), r2 = run(s2);
  ASSERT_TRUE(r2.trusted) << r2.verdict;
  const auto alone = r1.column("left_motor.drive"), left = r2.column("left_motor.drive"),
             right = r2.column("right_motor.drive");
  for (std::size_t k = 0; k < alone.size(); k += 50) EXPECT_NEAR(left[k] + right[k], alone[k], 1e-9);
  bool told = false;
  for (const std::string& remark : r2.remarks)
    told = told || remark.find("over-actuated: 2 drivers for 1 freedom") != std::string::npos;
  EXPECT_TRUE(told);
}
// The motor of a slider-crank does the same as an actuator in its pin would.
TEST(inverse, an_actuator_in_a_joint_takes_what_the_driver_takes) {
  const Results r = run(slider_crank({"analysis.type=inverse", "analysis.actuators=[\"A.angle\"]"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto drive = r.column("motor.drive"), effort = r.find("efforts")->column("A.angle.effort"),
             power = r.find("efforts")->column("A.angle.power");
  for (std::size_t k = 0; k < drive.size(); ++k) {
    EXPECT_NEAR(effort[k], drive[k], 1e-10 * 50);
    EXPECT_NEAR(power[k], 10 * drive[k], 1e-10 * 500);
  }
}

// A force on the slider in place of the motor: virtual work, F v = T ω.  At a dead point no force is enough.
TEST(inverse, an_actuator_elsewhere_does_the_same_work) {
  const Results r = run(slider_crank({"analysis.type=inverse", "analysis.actuators=[\"guide.slide\"]",
                                      "analysis.start=0.05", "analysis.end=0.25"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_EQ(r.find("efforts")->columns[1].unit, "N");
  const auto power = r.column("motor.power"), same = r.find("efforts")->column("guide.slide.power");
  for (std::size_t k = 0; k < power.size(); ++k) EXPECT_NEAR(same[k], power[k], 1e-9 * 500);
}

std::string message_of(const std::vector<std::string>& settings) {
  try {
    run(slider_crank(settings));
  } catch (const ModelError& e) {
    return e.what();
  }
  return "";
}
TEST(inverse, actuators_are_checked) {
  const std::string unknown = message_of({"analysis.type=inverse", "analysis.actuators=[\"A.angel\"]"});
  EXPECT_NE(unknown.find("actuators: no variable of a joint 'A.angel'; did you mean 'A.angle'?"),
            std::string::npos)
      << unknown;
}

TEST(inverse, too_many_actuators_share_and_too_few_are_refused) {
  Mechanism m = parallelogram();
  m.gravity = {0, -g, 0};
  m.add_joint("motor", motor(ground, 1, polynomial({pi / 2, 1, 0.5})));
  m.prepare();
  Study s = study(m, 0.5);
  s.analysis.type = analysis_of(Inverse{.actuators = {"A.angle", "B.angle"}});
  const Results r = run(s);
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto drive = r.column("motor.drive"), left = r.column("A.angle.effort"),
             right = r.column("B.angle.effort");
  for (std::size_t k = 0; k < drive.size(); k += 50) {
    EXPECT_NEAR(left[k] + right[k], drive[k], 1e-9);
    EXPECT_NEAR(left[k], right[k], 1e-9) << "of least size";
  }
  EXPECT_TRUE(std::ranges::any_of(r.remarks, [](const std::string& remark) {
    return remark.find("over-actuated: 2 actuators for 1 freedom") != std::string::npos;
  }));

  Mechanism pair;
  pair.bodies = {body("upper", 1, 0.1, 0, -0.5, -pi / 2), body("lower", 1, 0.1, 0, -1.5, -pi / 2)};
  pair.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  pair.add_joint("B", revolute(marker(1, 0.5, 0), marker(2, -0.5, 0)));
  pair.add_joint("one", motor(ground, 1, polynomial({-pi / 2, 1})));
  pair.add_joint("two", motor(1, 2, polynomial({0, 1})));
  pair.prepare();
  s = study(pair);
  s.analysis.type = analysis_of(Inverse{.actuators = {"A.angle"}});
  try {
    run(s);
    FAIL() << "must be refused";
  } catch (const ModelError& e) {
    const std::string text = e.what();
    EXPECT_NE(
        text.find(
            "under-actuated: A.angle cannot bring about every motion of 2 freedoms; nothing pushes lower."),
        std::string::npos)
        << text;
  }
}

// The file's positions have gaps of 6.8e-6 m, which MUBODYNA would keep.  Drivers determine positions here.
TEST(inverse, a_start_that_gapes_is_closed) {
  const Results r = run(example("half_hat_leg", {"analysis.type=inverse"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  EXPECT_LT(r.statistics.largest_violation, 1e-12);
  const Results same = run(example("human_leg", {"analysis.type=inverse"}));
  const auto a = r.column("foot_angle.drive"), b = same.column("turn_foot.drive");
  for (std::size_t k = 0; k < a.size(); k += 30) EXPECT_NEAR(a[k], b[k], 1e-8) << k;
}

// Moments of segments against the ground become moments of joints: the leg exerts the foot's, and so on.
TEST(inverse, joint_moments_of_a_leg_are_sums_of_what_turns_its_segments) {
  const Results r = run(example("human_leg", {"analysis.type=inverse"}));
  ASSERT_TRUE(r.trusted) << r.verdict;
  const auto hat = r.column("turn_hat.drive"), thigh = r.column("turn_thigh.drive"),
             leg = r.column("turn_leg.drive"), foot = r.column("turn_foot.drive");
  const auto hip = r.column("hip.angle.effort"), knee = r.column("knee.angle.effort"),
             ankle = r.column("ankle.angle.effort"), trunk = r.column("hat.angle.effort");
  ASSERT_EQ(hip.size(), 661U);
  double largest = 0;
  for (std::size_t k = 0; k < hip.size(); ++k) {
    EXPECT_NEAR(ankle[k], foot[k], 1e-9);
    EXPECT_NEAR(knee[k], foot[k] + leg[k], 1e-9);
    EXPECT_NEAR(hip[k], foot[k] + leg[k] + thigh[k], 1e-9);
    EXPECT_NEAR(trunk[k], foot[k] + leg[k] + thigh[k] + hat[k], 1e-9);
    largest = std::max(largest, std::abs(ankle[k]));
  }
  EXPECT_GT(largest, 50) << "an ankle pushes a person off";
}

// The workflow of docs/user/analyses.md: moments of the joints, read from efforts.csv, in place of drivers.
// Returns the largest difference from the given motion within 0.1 s [m, rad].
double apart_after_replacing_drivers(const char* step) {
  const Results given = run(example(
      "human_leg", {"analysis.type=inverse", "analysis.end=0.116", std::string("output.step=") + step}));
  EXPECT_TRUE(given.trusted) << given.verdict;
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / (std::string("mubody_inverse_leg_") + step);
  io::write_results(given, folder);

  const auto start = [&](const std::string& channel) {
    return fmt::format("{:.17g}", given.column(channel)[0]);
  };
  const auto segment = [&](const std::string& name, const char* mass, const char* inertia) {
    return fmt::format(
        "{0} = {{mass = {1}, inertia = {2}, position = [{3}, {4}], angle = {5}, velocity = [{6}, {7}], "
        "omega = {8}}}\n",
        name, mass, inertia, start(name + ".x"), start(name + ".y"), start(name + ".angle"),
        start(name + ".vx"), start(name + ".vy"), start(name + ".omega"));
  };
  const auto effort = [&](const char* column) {
    return fmt::format("{{type = \"spline\", data = {{file = \"{}\", columns = [\"time\", \"{}.effort\"]}}}}",
                       (folder / "efforts.csv").string(), column);
  };
  const std::string model =
      "gravity = [0, -9.81]\n[bodies]\n" + segment("hat", "19.2213", "1.03923") +
      segment("thigh", "5.67", "0.05836") + segment("leg", "2.6365", "0.04005") +
      segment("foot", "0.8222", "0.00273") + R"toml(
[joints]
hip   = {type = "revolute", bodies = ["hat", "thigh"], i = [-0.294065, 0], j = [0.136005, 0]}
knee  = {type = "revolute", bodies = ["thigh", "leg"], i = [-0.178095, 0], j = [0.176707, 0]}
ankle = {type = "revolute", bodies = ["leg", "foot"],  i = [-0.231393, 0], j = [0.061050, 0]}
[forces]
)toml" +
      fmt::format("floor = {{type = \"time_series\", body = \"foot\", data = \"{}\", point = \"global\"}}\n",
                  (examples() / "human_leg/ground_reaction.csv").string()) +
      "hip_muscles = {type = \"moment\", bodies = [\"hat\", \"thigh\"], moment = " + effort("hip.angle") +
      "}\nknee_muscles = {type = \"moment\", bodies = [\"thigh\", \"leg\"], moment = " + effort("knee.angle") +
      "}\nankle_muscles = {type = \"moment\", bodies = [\"leg\", \"foot\"], moment = " + effort("ankle.angle") +
      "}\nrest_of_body = {type = \"force\", body = \"hat\", axes = \"global\", force = [" + effort("hat.x") +
      ", " + effort("hat.y") +
      "]}\nrest_of_trunk = {type = \"moment\", body = \"hat\", moment = " + effort("hat.angle") +
      "}\n[analysis]\nend = 0.1\nrtol = 1e-10\nmax_step = 0.00145\n[output]\nstep = 0.029\n";
  const Results free = run(io::read_study_text(model, "leg.toml"));
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(free.outcome) << free.outcome.why;
  EXPECT_EQ(free.freedom.actual, 6) << "nothing is driven";

  const Results there =
      run(example("human_leg", {"analysis.type=kinematic", "analysis.end=0.1", "output.step=0.029"}));
  double apart = 0;
  for (const char* name : {"hat", "thigh", "leg", "foot"})
    for (const char* coordinate : {".x", ".y", ".angle"}) {
      const auto a = free.column(std::string(name) + coordinate),
                 b = there.column(std::string(name) + coordinate);
      EXPECT_EQ(a.size(), b.size());
      for (std::size_t k = 0; k < a.size(); ++k) apart = std::max(apart, std::abs(a[k] - b[k]));
    }
  return apart;
}

// Accelerations of measured data have kinks every 0.029 s.  A spline through moments h apart rounds them off, at the cost of
// h²/12 of the change of slope in velocities: with the foot's 1e4 rad/s³, 1e-4 rad within 0.1 s from h = 1.45 ms, and 625 times
// less from a 25th of it.
TEST(inverse, the_moments_of_a_leg_bring_about_its_motion) {
  EXPECT_LT(apart_after_replacing_drivers("0.00145"), 2e-4);
  EXPECT_LT(apart_after_replacing_drivers("0.000058"), 1e-6);
}
}  // namespace
}  // namespace mubody::testing
