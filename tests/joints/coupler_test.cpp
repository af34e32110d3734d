// Shafts, cams and threads that a relation between joint coordinates couples.
#include "mubody/joints/coupler.h"

#include "mubody/joints/cylindrical.h"
#include "mubody/joints/fixed.h"
#include "mubody/joints/gear.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/screw.h"
#include "mubody/joints/translational.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
const char* const all_formulations[] = {"body", "cartesian", "joint"};

Function of_x(const std::string& text) { return Function(Written{text, {}, "x"}); }

// Three shafts side by side: a turn of the carrier is the mean of those of the two wheels.
struct Differential {
  double left = 0.02, right = 0.05, carrier = 0.3, torque = 5;
  Model model;
  explicit Differential(Model in) : model(std::move(in)) {
    const bool plane = model.dim() == 2;
    const auto shaft = [&](const std::string& name, double inertia, double y) {
      const Components at = plane ? Components{0, y} : Components{0, y, 0};
      const BodyRef body = model.body(name, {.mass = 1, .inertia = inertia, .position = at});
      model.joint("axle_" + name, Revolute{}, model.ground().at(0, y), body.at(0, 0));
      return body;
    };
    shaft("left", left, 1);
    shaft("right", right, -1);
    const BodyRef cage = shaft("carrier", carrier, 0);
    model.torque("motor", model.ground(), cage, [T = torque](double, const State&) { return T; });
    Coupler wheels;
    wheels.add("axle_left", 1).add("axle_right", 1).add("axle_carrier", -2);
    model.joint("differential", wheels);
  }
  // I_l α_l = −λ, I_r α_r = −λ, I_c α_c = T + 2 λ and α_l + α_r = 2 α_c.
  double lambda() const { return -2 * torque / carrier / (1 / left + 1 / right + 4 / carrier); }
};

TEST(coupler, a_differential_shares_the_torque_equally_in_all_coordinates) {
  for (const char* formulation : all_formulations)
    for (const bool plane : {true, false}) {
      const Differential d(plane ? in_plane() : in_space());
      Motion at(d.model, {.formulation = formulation});
      const std::string alpha = plane ? ".alpha" : ".alphaz";
      EXPECT_TRUE(same(at("left" + alpha), -d.lambda() / d.left, 20)) << formulation;
      EXPECT_TRUE(same(at("right" + alpha), -d.lambda() / d.right, 20)) << formulation;
      EXPECT_TRUE(same(at("carrier" + alpha), (d.torque + 2 * d.lambda()) / d.carrier, 20)) << formulation;
      EXPECT_TRUE(same(at("differential.on_axle_left.m"), -d.lambda(), 20));
      EXPECT_TRUE(same(at("differential.on_axle_right.m"), -d.lambda(), 20));
      EXPECT_TRUE(same(at("differential.on_axle_carrier.m"), 2 * d.lambda(), 20));
      at.to(1);  // more than a turn
      EXPECT_GT(at("axle_left.angle"), 2 * pi);
      EXPECT_NEAR(at("axle_left.angle") + at("axle_right.angle"), 2 * at("axle_carrier.angle"), 1e-9);
      const double power = at("differential.on_axle_left.m") * at("axle_left.angle_rate") +
                           at("differential.on_axle_right.m") * at("axle_right.angle_rate") +
                           at("differential.on_axle_carrier.m") * at("axle_carrier.angle_rate");
      EXPECT_NEAR(power, 0, 1e-9 * d.torque * at("axle_carrier.angle_rate"));
    }
}

// A planet on a turning carrier between a sun and a ring that stands still, by gears and by couplers.
double acceleration_of_sun(bool by_couplers, const char* formulation) {
  const double rs = 0.03, rp = 0.015, rr = rs + 2 * rp;
  Model model = in_plane({0, 0});
  const BodyRef sun = model.body("sun", {.mass = 0.5, .inertia = 2e-4});
  const BodyRef carrier = model.body("carrier", {.mass = 1, .inertia = 1e-3});
  const BodyRef planet = model.body("planet", {.mass = 0.1, .inertia = 1e-5, .position = {rs + rp, 0}});
  model.joint("S", Revolute{}, model.ground().at(0, 0), sun.at(0, 0));
  model.joint("C", Revolute{}, model.ground().at(0, 0), carrier.at(0, 0));
  model.joint("P", Revolute{}, carrier.at(rs + rp, 0), planet.at(0, 0));
  model.torque("motor", model.ground(), sun, [](double, const State&) { return 1.0; });
  if (by_couplers) {
    Coupler inner, outer;
    inner.add("S", rs).add("C", -rs).add("P", rp);
    outer.add("C", rr).add("P", rp);
    model.joint("inner", inner);
    model.joint("outer", outer);
  } else {
    Gear inner, outer;
    inner.radius_i = rs, inner.radius_j = rp;
    outer.radius_i = -rr, outer.radius_j = rp;
    model.joint("inner", inner, sun.at(0, 0), planet.at(0, 0));
    model.joint("outer", outer, model.ground().at(0, 0), planet.at(0, 0));
  }
  Motion at(model, {.formulation = formulation});
  const double first = at("sun.alpha");
  EXPECT_TRUE(same(at("carrier.alpha"), first / (1 + rr / rs), 50));  // Willis
  EXPECT_TRUE(same(at("planet.alpha"), (1 - rr / rp) * at("carrier.alpha"), 50));
  at.to(0.5);
  EXPECT_NEAR(at("sun.angle"), 3 * at("carrier.angle"), 1e-9 * at("sun.angle"));
  return first;
}

TEST(coupler, a_planetary_gear_is_that_of_gears) {
  const double I =
      2e-4 + (1e-3 + 0.1 * 0.045 * 0.045) / 9 + 1e-5;  // seen from the sun; the planet turns as the sun does
  for (const char* formulation : all_formulations) {
    EXPECT_TRUE(same(acceleration_of_sun(true, formulation), 1 / I, 100));
    EXPECT_TRUE(same(acceleration_of_sun(false, formulation), 1 / I, 100));
  }
}

// (I + m f'²) θ̈ + m f' f'' θ̇² = M − m g f'
TEST(coupler, a_tappet_follows_a_function_of_the_angle) {
  const double I = 0.01, m = 0.3, M = 1, omega = 20, angle = 0.7, lift = 0.01;
  for (const char* formulation : all_formulations) {
    Model model = in_plane();
    const BodyRef cam = model.body("cam", {.mass = 1, .inertia = I, .angle = angle, .omega = {0, 0, omega}});
    const double y = lift * (1 - std::cos(angle)), slope = lift * std::sin(angle),
                 bend = lift * std::cos(angle);
    const BodyRef tappet =
        model.body("tappet", {.mass = m, .inertia = 0.001, .position = {0, y}, .velocity = {0, slope * omega}});
    model.joint("A", Revolute{}, model.ground().at(0, 0), cam.at(0, 0));
    model.joint("G", Translational{}, with_line(model.ground().at(0, 0), Vec<3>::UnitY()),
                with_line(tappet.at(0, 0), Vec<3>::UnitY()));
    model.torque("motor", model.ground(), cam, [M](double, const State&) { return M; });
    Coupler law;
    law.couples = {{"A"}, {"G"}};
    law.function = of_x("0.01*(1 - cos(x))");
    law.offset = 0;
    model.joint("law", law);
    Motion at(model, {.formulation = formulation, .rtol = 1e-11, .atol = 1e-13});
    const double alpha = (M - m * g * slope - m * slope * bend * omega * omega) / (I + m * slope * slope);
    EXPECT_TRUE(same(at("cam.alpha"), alpha, 50)) << formulation;
    EXPECT_TRUE(same(at("tappet.ay"), slope * alpha + bend * omega * omega, 50)) << formulation;
    const double push = m * (at("tappet.ay") + g);
    EXPECT_TRUE(same(at("law.on_G.f"), push, 50));
    EXPECT_TRUE(same(at("law.on_A.m"), -slope * push, 50));
    at.to(1);
    EXPECT_NEAR(at("tappet.y"), lift * (1 - std::cos(at("cam.angle"))), 1e-10);
  }
}

// Beside a cylindrical joint a thread is one equation.
TEST(coupler, a_thread_on_a_cylinder_is_a_screw) {
  const double pitch = 0.05;
  const auto fall = [&](bool coupled, const char* formulation) {
    Model model = in_space();
    const BodyRef nut = model.body("nut", {.mass = 2, .inertia = {0.01, 0.01, 0.003}});
    if (coupled) {
      model.joint("C", Cylindrical{}, model.ground().at(0, 0), nut.at(0, 0));
      Coupler thread;
      thread.add("C.slide", 1).add("C.angle", -pitch / (2 * pi));
      model.joint("thread", thread);
    } else {
      Screw screw;
      screw.pitch = pitch;
      model.joint("thread", screw, model.ground().at(0, 0), nut.at(0, 0));
    }
    Motion at(model, {.formulation = formulation, .rtol = 1e-12, .atol = 1e-14});
    at.to(0.3);
    return at("nut.z");
  };
  for (const char* formulation : all_formulations)
    EXPECT_NEAR(fall(true, formulation), fall(false, "body"), 1e-11) << formulation;
}

// The joints of a coupler may hang on one another: two arms in a row, of which the second turns back as far as the first
// turns on, so that its direction stays.
TEST(coupler, arms_in_a_row_keep_a_direction) {
  std::vector<double> seen;
  for (const char* formulation : all_formulations) {
    Model model = in_plane();
    const BodyRef upper = model.body("upper", {.mass = 1, .inertia = 0.1, .position = {0.5, 0}});
    const BodyRef lower = model.body("lower", {.mass = 2, .inertia = 0.2, .position = {1.5, 0}});
    model.joint("A", Revolute{}, model.ground().at(0, 0), upper.at(-0.5, 0));
    model.joint("B", Revolute{}, upper.at(0.5, 0), lower.at(-0.5, 0));
    Coupler level;
    level.add("A", 1).add("B", 1);
    model.joint("level", level);
    Motion at(model, {.formulation = formulation, .rtol = 1e-11, .atol = 1e-13});
    // The lower arm only shifts, with the end of the upper one: a pendulum of its inertia and m_2 at its end.
    EXPECT_TRUE(same(at("upper.alpha"), -(1 * 0.5 + 2 * 1) * g / (0.1 + 0.25 + 2), 50)) << formulation;
    EXPECT_NEAR(at("lower.alpha"), 0, 1e-12);
    at.to(1);
    EXPECT_NEAR(at("lower.angle"), 0, 1e-9);
    seen.push_back(at("upper.angle"));
  }
  EXPECT_NEAR(seen[0], seen[1], 1e-8);
  EXPECT_NEAR(seen[0], seen[2], 1e-8);
}

// In joint coordinates a screw is an equation on a free body, and a shaft beside it a coordinate without any.
TEST(screw, turns_beside_a_shaft_in_any_coordinates) {
  for (const char* formulation : all_formulations) {
    Model model = in_space({0, 0, 0});
    const BodyRef nut = model.body("nut", {.mass = 1,
                                           .inertia = {0.1, 0.1, 0.05},
                                           .position = {3, 0, 0},
                                           .velocity = {0, 0, 0.25 / pi},
                                           .omega = {0, 0, 10}});
    const BodyRef shaft = model.body("shaft", {.mass = 1, .inertia = {0.1, 0.1, 0.1}, .omega = {0, 0, 2}});
    model.joint("axle", Revolute{}, model.ground().at(0, 0), shaft.at(0, 0));
    Screw thread;
    thread.pitch = 0.05;
    model.joint("thread", thread, model.ground().at(3, 0), nut.at(0, 0));
    Motion at(model, {.formulation = formulation});
    at.to(0.5);
    EXPECT_NEAR(at("nut.z"), 0.125 / pi, 1e-9) << formulation;
    EXPECT_NEAR(at("axle.angle"), 1, 1e-9) << formulation;
  }
}

// Half a turn has two signs in space; a coupler starts there as anywhere else, and counts on when the shafts pass it.
TEST(coupler, shafts_in_space_may_start_at_half_a_turn) {
  for (const char* formulation : all_formulations)
    for (const double angle : {pi, -pi, 3.1, -3.1}) {
      Model model = in_space({0, 0, 0});
      const Quaternion turned(Eigen::AngleAxisd(angle, Vec<3>::UnitZ()));
      const BodyRef left = model.body("left", {.mass = 1, .inertia = 0.02, .orientation = turned});
      const BodyRef right = model.body("right", {.mass = 1, .inertia = 0.05, .position = {1, 0, 0}});
      model.joint("L", Revolute{}, model.ground().at(0, 0), left.at(0, 0));
      model.joint("R", Revolute{}, model.ground().at(1, 0), right.at(0, 0));
      model.joint("belt", Coupler().add("L", 2).add("R", -1));
      model.torque("motor", model.ground(), left, [](double, const State&) { return 1.0; });
      Motion at(model, {.formulation = formulation, .rtol = 1e-10, .atol = 1e-12});
      const double first = at("L.angle"), alpha = 1 / (0.02 + 4 * 0.05);
      EXPECT_NEAR(at("R.angle"), 0, 1e-12) << formulation << angle;
      EXPECT_TRUE(same(at("left.alphaz"), alpha, 20)) << formulation << angle;
      at.to(2);  // more than a turn
      EXPECT_NEAR(at("L.angle") - first, 2 * alpha, 1e-8) << formulation << angle;
      EXPECT_NEAR(at("R.angle"), 4 * alpha, 1e-8) << formulation << angle;
    }
}

void expect_refused(const Coupler& coupler, const std::string& words) {
  Model model = in_space();
  const BodyRef nut = model.body("nut", {.mass = 2, .inertia = {0.01, 0.01, 0.003}});
  const BodyRef plate = model.body("plate", {.mass = 2, .inertia = {0.01, 0.01, 0.003}});
  model.joint("C", Cylindrical{}, model.ground().at(0, 0), nut.at(0, 0));
  model.joint("weld", Fixed{}, model.ground().at(0, 0), plate.at(0, 0));
  try {
    model.joint("thread", coupler);
    ADD_FAILURE() << words;
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

TEST(coupler, names_must_be_those_of_joints_that_move) {
  expect_refused(Coupler().add("D.slide", 1).add("C.angle", 1), "no joint named 'D'");
  expect_refused(Coupler().add("thread", 1).add("C.angle", 1), "no joint named 'thread'");
  expect_refused(Coupler().add("C", 1).add("C.angle", 1),
                 "'C' leaves several motions: name one of C.angle, C.slide");
  expect_refused(Coupler().add("C.turn", 1).add("C.angle", 1), "'C' has no coordinate 'turn'");
  expect_refused(Coupler().add("weld", 1).add("C.angle", 1), "'weld' leaves no turn and no slide");
  expect_refused(Coupler().add("C.angle", 1), "two coordinates or more");
  expect_refused(Coupler().add("C.angle", 1).add("C.angle", 2), "'C.angle' is there twice");
  expect_refused(Coupler().add("C.angle", 1).add("C.slide", 0), "must not be zero");
}
}  // namespace
}  // namespace mubody::testing
