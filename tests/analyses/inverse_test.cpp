// Inverse dynamics: forces of drivers against the kinematic analysis, the power balance and virtual work.
#include "mubody/io/read_model.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
std::string slider_crank() {
  return std::string(MUBODY_SOURCE_DIR) + "/examples/slider_crank_driven/model.toml";
}

TEST(inverse, slider_crank_takes_the_torque_of_the_kinematic_analysis) {
  const Results kinematic = run(read_study(slider_crank())),
                inverse = run(read_study(slider_crank(), {"analysis.type=inverse"}));
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
  const Results r = run(read_study(slider_crank(), {"analysis.type=inverse", "output.step=1e-3"}));
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
  s.analysis.type.index = 3;
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
  one.gravity = {0, -9.81, 0};
  Mechanism two = one;
  one.add_joint("left_motor", motor(ground, 1, polynomial({pi / 2, 1, 0.5})));
  two.add_joint("left_motor", motor(ground, 1, polynomial({pi / 2, 1, 0.5})));
  two.add_joint("right_motor", motor(ground, 2, polynomial({pi / 2, 1, 0.5})));
  one.prepare(), two.prepare();
  Study s1 = study(one, 0.5), s2 = study(two, 0.5);
  s1.analysis.type.index = s2.analysis.type.index = 3;
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
}  // namespace
}  // namespace mubody::testing
