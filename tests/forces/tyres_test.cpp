// What all tyres have in common.
#include "mubody/forces/brake.h"
#include "mubody/joints/orientation.h"
#include "mubody/joints/planar.h"
#include "mubody/joints/revolute.h"
#include "tests/forces/wheel.h"

namespace mubody::testing {
namespace {
template <class Call> void each_tyre(const Call& call) { call(fiala()), call(brush()), call(magic()); }

// Nothing is divided by zero where nothing moves, and nothing acts but the load.
TEST(tyres, stand_still) {
  each_tyre([](const auto& tyre) {
    Motion motion(wheel_on_road(tyre, {}));
    EXPECT_NEAR(motion("tyre.force"), 4000, 1e-8);
    for (const char* name :
         {"tyre.longitudinal", "tyre.lateral", "tyre.slip", "tyre.slip_angle", "tyre.bend_x"})
      EXPECT_NEAR(motion(name), 0, 1e-25) << name;
    EXPECT_TRUE(std::isfinite(motion("tyre.aligning")));
    motion.to(0.1);
    EXPECT_NEAR(motion("tyre.force"), 4000, 1e-8);
  });
}

// A wheel that trembles is held whatever the direction: the patch slides no faster than it slips against most of its
// friction, or rolls.  Steps stay long.
TEST(tyres, hold_what_trembles_in_all_directions) {
  each_tyre([](const auto& tyre) {
    constexpr double v = 1e-4;
    for (double a = 0; a < 6.3; a += 0.3)
      for (double b = 0; b < 6.3; b += 0.3) {
        const double vx = v * std::cos(b), sx = v * std::sin(b) * std::cos(a),
                     sy = v * std::sin(b) * std::sin(a);
        Footprint<double> at = footprint(4000, vx, 0, 0);
        at.slip = {sx, sy}, at.spin = (vx - sx) / at.rolling_radius;
        const auto slide = tyre.slide(at);
        for (const double ease : slide.ease) {
          EXPECT_GE(ease, 0);
          EXPECT_LT(ease, std::hypot(sx, sy) / (0.75 * 4000) + 3 * std::abs(vx) / 40000);
        }
      }
  });
}

auto other_side(auto tyre) {
  if constexpr (requires { tyre.mirrored; }) tyre.mirrored = true;
  return tyre;
}
// Left and right change places: forces along the wheel and the load stay, those across it turn round.
TEST(tyres, mirror_images) {
  each_tyre([](const auto& tyre) {
    const WheelMotion m{.vx = 15, .vy = 0.6, .spin = 52, .steer = 0.02, .lean = 0.05};
    WheelMotion mirrored = m;
    mirrored.vy = -m.vy, mirrored.steer = -m.steer, mirrored.lean = -m.lean;
    Motion one(wheel_on_road(tyre, m)), two(wheel_on_road(other_side(tyre), mirrored));
    one.to(0.2), two.to(0.2);
    for (const char* name : {"tyre.force", "tyre.longitudinal", "tyre.fx", "tyre.slip"})
      EXPECT_NEAR(one(name), two(name), 1e-7) << name;
    for (const char* name : {"tyre.lateral", "tyre.fy", "tyre.slip_angle", "tyre.camber", "tyre.aligning"})
      EXPECT_NEAR(one(name), -two(name), 1e-7) << name;
  });
}

// The axle may as well be that of a wheel that was turned round: the same forces act.
TEST(tyres, wheels_go_backward_as_forward) {
  const auto both = [](const auto& tyre) {
    Motion one(wheel_on_road(tyre, {.vx = 15, .vy = 0.6, .spin = 52})),
        two(wheel_on_road(tyre, {.vx = -15, .vy = -0.6, .spin = -52}));
    one.to(0.2), two.to(0.2);
    EXPECT_NEAR(one("tyre.fx"), -two("tyre.fx"), 1e-7);
    EXPECT_NEAR(one("tyre.fy"), -two("tyre.fy"), 1e-7);
    EXPECT_NEAR(one("tyre.aligning"), two("tyre.aligning"), 1e-7);
  };
  both(fiala()), both(brush());
}

// A wheel on a slope of 0.1 whose spin is locked to its body: it sinks, bends its patch and stays there.
TEST(tyres, parked_on_a_slope_they_do_not_creep) {
  each_tyre([](auto tyre) {
    const double slope = 0.1, m = 400;
    Model model = wheel_on_road(tyre, {.height = 0.29, .mass = m},
                                {g * std::sin(slope), g * std::sin(slope) / 2, -g * std::cos(slope)});
    Orientation upright;
    upright.angles = {0.0, 0.0, 0.0};
    model.joint("brake", upright, model.ground().at(0, 0), BodyRef(1).at(0, 0));
    Motion motion(model, {.rtol = 1e-9, .atol = 1e-12});
    motion.to(20);
    const double x = motion("wheel.x"), y = motion("wheel.y");
    motion.to(120);
    EXPECT_NEAR(motion("wheel.x"), x, 1e-9);
    EXPECT_NEAR(motion("wheel.y"), y, 1e-9);
    EXPECT_NEAR(motion("tyre.longitudinal"), -m * g * std::sin(slope), 1e-5 * m * g);
    EXPECT_LT(std::abs(x), 0.02);
  });
}

// The same with a hub and a brake that holds it: both are elastic, and neither creeps.
TEST(tyres, braked_on_a_slope_it_does_not_creep) {
  const double slope = 0.1, m = 400;
  const Vec<3> down(g * std::sin(slope), 0, -g * std::cos(slope));
  Model model = wheel_on_road(fiala(), {.mass = 20}, {down.x(), 0, down.z()});
  const BodyRef wheel(1), car = model.body("car", {.mass = m - 20, .inertia = 50, .position = {0, 0, 0.29}});
  const Quaternion axle = turn_between(Vec<3>::UnitZ(), Vec<3>::UnitY());
  Orientation level;
  level.angles = {0.0, 0.0, 0.0};
  model.joint("level", level, model.ground().at(0, 0), car.at(0, 0));
  model.joint("hub", Revolute{}, car.at(Vec<3>::Zero(), axle), wheel.at(Vec<3>::Zero(), axle));
  Brake brake;
  brake.effort = Signal(1000.0), brake.stiffness = 3e4;
  model.force("brake", brake, car.at(Vec<3>::Zero(), axle), wheel.at(Vec<3>::Zero(), axle));
  Motion motion(model, {.rtol = 1e-12, .atol = 1e-14});
  motion.to(30);
  const double x = motion("car.x"), turned = motion("hub.angle");
  motion.to(130);
  EXPECT_NEAR(motion("car.x"), x, 1e-9);
  EXPECT_NEAR(motion("hub.angle"), turned, 1e-9);
  EXPECT_NEAR(motion("tyre.longitudinal"), -m * down.x(), 1e-5 * m * g);
}

// A wheel that is held across by more than the friction of a lighter load slides once it is lifted.
TEST(tyres, standing_wheel_that_loses_its_load_lets_go) {
  TyreBrush tyre = brush();
  const double stiffness = tyre.carcass().stiffness[1], z[] = {0, 0.8 * 0.9 * 4000 / stiffness};
  Footprint<double> at = footprint(1000, 0, 0, 0);
  const auto bend = tyre.carcass().bend(at, tyre.slide(at), z);
  EXPECT_EQ(bend.rate[0], 0);
  EXPECT_NEAR(bend.rate[1], -(z[1] - 0.9 * 1000 / stiffness) / tyre.bend_time, 1e-12);
  at.load = 3500;
  EXPECT_EQ(tyre.carcass().bend(at, tyre.slide(at), z).rate[1], 0);
}

// A wheel falls on its road without spin, bounces, spins up and rolls on; it stays upright and in its plane.
Model landing(const auto& tyre, double height = 0.4) {
  Model model = wheel_on_road(tyre, {.height = height, .vx = 10, .mass = 30}, {0, 0, -g});
  const Quaternion across = turn_between(Vec<3>::UnitZ(), Vec<3>::UnitY());
  model.joint("upright", Planar{}, model.ground().at(Vec<3>::Zero(), across),
              BodyRef(1).at(Vec<3>::Zero(), across));
  return model;
}

TEST(tyres, landing_wheel_closes_the_energy_balance) {
  each_tyre([](const auto& tyre) {
    Simulation s(landing(tyre), {.rtol = 1e-9, .atol = 1e-11});
    ASSERT_TRUE(s.advance_to(2));
    const double speed = s[s.output("wheel.vx")], spin = s[s.output("tyre.slip")];
    EXPECT_GT(speed, 4);
    EXPECT_LT(speed, 10);
    EXPECT_LT(std::abs(spin), 0.02);
    const Results r = s.finish();
    EXPECT_TRUE(r.trusted) << r.verdict;
    EXPECT_LT(r.statistics.energy_residual, 1e-6 * r.statistics.energy_scale);
  });
}

// Rolling resistance takes f N R/R_e from a wheel that rolls freely, up to what its spin needs.
TEST(tyres, rolling_resistance_slows_a_wheel_down) {
  TyreFiala tyre = fiala();
  tyre.rolling_resistance = 0.015;
  const double m = 30, sink = m * g / 2e5, Re = 0.31 - sink / 3;
  Model model = landing(tyre, 0.31 - sink);
  Motion motion(model, {.rtol = 1e-10, .atol = 1e-12});
  motion.to(3);
  const double before = motion("wheel.vx");
  motion.to(4);
  // m v' = −F, I Ω' = F R_e − f N R, v = Ω R_e but for the slip.
  const double I = 0.05 * m, slowing = 0.015 * m * g * 0.31 / Re / (m + I / (Re * Re));
  EXPECT_NEAR(before - motion("wheel.vx"), slowing, 1e-4 * slowing);
}

TEST(tyres, no_force_without_the_road) {
  each_tyre([](const auto& tyre) {
    Motion motion(wheel_on_road(tyre, {.height = 0.5, .vx = 10, .spin = 3}));
    motion.to(0.01);
    for (const char* name : {"tyre.force", "tyre.longitudinal", "tyre.lateral", "tyre.aligning", "tyre.bend_x"})
      EXPECT_EQ(motion(name), 0) << name;
  });
}
}  // namespace
}  // namespace mubody::testing
