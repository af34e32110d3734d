// Stops of joints: collisions with a given restitution, rest on a stop, all coordinates and formulations.
#include "mubody/forces/joint_stop.h"

#include "mubody/joints/cylindrical.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/translational.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
constexpr double pi = std::numbers::pi;

// A disc that turns freely about an axis through its centre; without weight.
struct Disc {
  double I = 0.3, w = 2;
  Model model;
  BodyRef disc;
  explicit Disc(int dim)
      : model(dim == 2 ? in_plane({0, 0}) : in_space({0, 0, 0})),
        disc(model.body("disc", {.mass = 1,
                                 .inertia = I,
                                 .position = dim == 2 ? Components{0, 0} : Components{0, 0, 0},
                                 .angle = 0,
                                 .omega = {0, 0, w}})) {
    model.joint("pin", Revolute{}, model.ground().at(0, 0), disc.at(0, 0));
  }
};

void expect_bounces(int dim, const std::string& formulation) {
  const double e = 0.6;
  Disc d(dim);
  d.model.limits("pin", {.low = -0.5, .high = 1, .bumper = {.stiffness = 1e5, .restitution = e}});
  Simulation sim(d.model, {.formulation = formulation, .rtol = 1e-11, .atol = 1e-12});
  ASSERT_TRUE(sim.advance_to(3));
  const Results r = sim.finish();
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_EQ(r.contacts.size(), 2u);
  // It meets the high stop at t = 1/ω, flies back over 1.5 rad with e ω, and leaves the low one with e² ω.
  EXPECT_EQ(r.contacts[0].contact, "pin.limits.high");
  EXPECT_EQ(r.contacts[1].contact, "pin.limits.low");
  EXPECT_NEAR(r.contacts[0].onset, 1 / d.w, 1e-10);
  EXPECT_NEAR(r.contacts[0].speed_in, d.w, 1e-9);
  EXPECT_NEAR(r.contacts[0].speed_out, e * d.w, 1e-7);
  EXPECT_NEAR(r.contacts[1].onset - *r.contacts[0].end, 1.5 / (e * d.w), 1e-6);
  EXPECT_NEAR(r.contacts[1].speed_out, e * e * d.w, 1e-7);
  EXPECT_NEAR(sim[sim.output(dim == 2 ? "disc.omega" : "disc.wz")], e * e * d.w, 1e-7);
  EXPECT_NEAR(r.contacts[0].energy_lost, 0.5 * d.I * d.w * d.w * (1 - e * e), 1e-6);
}

TEST(joint_stop, returns_a_disc_with_the_restitution_asked_for) { expect_bounces(2, "body"); }
TEST(joint_stop, does_so_in_space) { expect_bounces(3, "body"); }
TEST(joint_stop, does_so_in_joint_coordinates) {
  expect_bounces(2, "joint");
  expect_bounces(3, "joint");
}
TEST(joint_stop, does_so_in_cartesian_coordinates) {
  expect_bounces(2, "cartesian");
  expect_bounces(3, "cartesian");
}

// A pendulum falls from an angle and meets a hard stop where it hangs: m g l (1 − cos θ0) = I ω²/2, and it rises to
// 1 − cos θ = e² (1 − cos θ0).  At the stop its weight has no moment, so that the law alone decides.
TEST(joint_stop, pendulum_rises_as_restitution_says) {
  const double m = 2, l = 0.5, I = m * l * l / 3, from = 1.2, e = 0.7, inertia = I + m * l * l;
  Model model = in_plane();
  const BodyRef rod = model.body(
      "rod",
      {.mass = m, .inertia = I, .position = {l * std::sin(from), -l * std::cos(from)}, .angle = from - pi / 2});
  model.joint("pin", Revolute{}, model.ground().at(0, 0), rod.at(-l, 0));
  model.limits("pin", {.low = -pi / 2, .bumper = {.stiffness = 1e7, .restitution = e}});
  Simulation sim(model, {.rtol = 1e-11, .atol = 1e-12});
  ASSERT_TRUE(sim.advance_to(0.5));
  double highest = 0;
  const Output angle = sim.output("rod.angle");
  while (sim.time() < 1.15) {
    ASSERT_TRUE(sim.advance(1e-3));
    highest = std::max(highest, sim[angle] + pi / 2);
  }
  const Results r = sim.finish();
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_FALSE(r.contacts.empty());
  const double speed = std::sqrt(2 * m * g * l * (1 - std::cos(from)) / inertia);
  EXPECT_NEAR(r.contacts[0].speed_in, speed, 1e-8);
  EXPECT_NEAR(r.contacts[0].speed_out, e * speed, 1e-5);
  EXPECT_NEAR(highest, std::acos(1 - e * e * (1 - std::cos(from))), 1e-5);
}

// On a stop with a damper a rod comes to rest where K δ = m g l cos δ.
TEST(joint_stop, carries_a_weight_with_the_deflection_of_its_law) {
  const double m = 3, l = 0.4, I = 0.2, K = 2000, M = m * g * l, inertia = I + m * l * l;
  Model model = in_plane();
  const BodyRef rod = model.body("rod", {.mass = m, .inertia = I, .position = {l, 0}});
  model.joint("pin", Revolute{}, model.ground().at(0, 0), rod.at(-l, 0));
  model.limits("pin", {.low = 0, .high = 1, .bumper = {.stiffness = K, .damping = std::sqrt(K * inertia)}});
  Motion at(model);
  at.to(3);
  double deflection = M / K;
  for (int k = 0; k < 50; ++k) deflection = M * std::cos(deflection) / K;
  EXPECT_NEAR(at("rod.angle"), -deflection, 1e-7);
  EXPECT_NEAR(at("pin.limits.low.moment"), K * deflection, 1e-4);
  EXPECT_NEAR(at("pin.limits.low.gap"), -deflection, 1e-7);
  EXPECT_EQ(at("pin.limits.high.moment"), 0);
}

// With restitution it comes to rest too, after bounces that get ever smaller.
TEST(joint_stop, comes_to_rest_after_bounces) {
  const double m = 1, K = 1e5;
  Model model = in_plane({-g, 0});
  const BodyRef block = model.body("block", {.mass = m, .inertia = 0.1, .position = {0.2, 0}});
  model.joint("rail", Translational{}, model.ground().at(0, 0), block.at(0, 0));
  model.limits("rail", {.low = 0, .bumper = {.stiffness = K, .restitution = 0.4}});
  Simulation sim(model);
  ASSERT_TRUE(sim.advance_to(3)) << sim.outcome().why;
  EXPECT_NEAR(sim[sim.output("block.x")], -m * g / K, 1e-7);
  EXPECT_NEAR(sim[sim.output("rail.limits.low.force")], m * g, 1e-2);
  EXPECT_TRUE(sim.finish().trusted);
}

// Without a stiffness the bodies swing on their stop at 100 Hz: K = I (2π 100/s)², with both bodies for a slide.
TEST(joint_stop, takes_its_stiffness_from_the_inertia) {
  const double w = 200 * pi, m1 = 2, m2 = 3;
  Model model = in_space({0, 0, 0});
  const BodyRef one = model.body("one", {.mass = m1, .inertia = 1}),
                two = model.body("two", {.mass = m2, .inertia = {0.1, 0.2, 0.3}, .position = {0.5, 0, 0}});
  model.joint("axle", Cylindrical{}, one.at(0, 0), two.at(-0.5, 0));
  model.limits("axle", {.low = -1, .high = 1}, "slide");
  model.limits("axle", {.high = 2}, "angle");
  const auto& forces = model.study().mechanism.forces;
  ASSERT_EQ(forces.size(), 3u);
  EXPECT_EQ(forces[0].name, "axle.slide.limits.low");
  EXPECT_EQ(forces[2].name, "axle.angle.limits.high");
  const auto stiffness = [&](std::size_t k) {
    return dynamic_cast<const ForceOf<JointStop>&>(*forces[k].what).force.stiffness();
  };
  EXPECT_NEAR(stiffness(0), m1 * m2 / (m1 + m2) * w * w, 1e-6);
  const double of_two = 0.3 + m2 * 0.25;
  EXPECT_NEAR(stiffness(2), of_two / (1 + of_two) * w * w, 1e-6);
}

// A snapshot within a contact remembers that it is on, and how fast it was met.
TEST(joint_stop, is_remembered_by_snapshots) {
  Disc d(2);
  d.model.limits("pin", {.high = 1, .bumper = {.stiffness = 500, .restitution = 0.5}});
  Simulation sim(d.model);
  ASSERT_TRUE(sim.advance_to(0.52));
  const Output moment = sim.output("pin.limits.high.moment"), omega = sim.output("disc.omega");
  EXPECT_LT(sim[moment], 0);
  const Snapshot within = sim.save();
  ASSERT_TRUE(sim.advance_to(1));
  const double first = sim[omega];
  sim.restore(within);
  EXPECT_LT(sim[moment], 0);
  ASSERT_TRUE(sim.advance_to(1));
  EXPECT_EQ(sim[omega], first);
  EXPECT_NEAR(first, -0.5 * d.w, 1e-4);
}

// Where nobody has written the start, assembly finds it, and the motion is refused.
TEST(joint_stop, refuses_a_start_that_assembly_finds) {
  Model model = in_plane();
  const BodyRef rod = model.body("rod", {.mass = 1, .inertia = 0.1});
  model.joint("pin", Revolute{}, model.ground().at(0, 0), rod.at(-0.5, 0));
  model.limits("pin", {.low = 0.5});
  try {
    Simulation sim(model);
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_STREQ(e.what(),
                 "'pin.limits.low': the joint is at 0 deg at the start, below its limit of 28.6479 deg: "
                 "move the start or the limit");
  }
}

std::string refusal_of(const JointLimits& limits, std::string_view coordinate = "") {
  Disc d(2);
  try {
    d.model.limits("pin", limits, coordinate);
  } catch (const ModelError& e) {
    EXPECT_TRUE(d.model.study().mechanism.forces.empty());
    return e.what();
  }
  return "";
}

TEST(joint_stop, refuses_what_makes_no_sense) {
  EXPECT_EQ(
      refusal_of({.low = 0.5, .high = 1}),
      "joint 'pin': limits: low: the joint is at 0 deg at the start, below its limit of 28.6479 deg: move "
      "the start or the limit");
  EXPECT_EQ(refusal_of({.low = 1, .high = -1}),
            "joint 'pin': limits: high: must be more than the low limit, 57.2958 deg");
  EXPECT_EQ(refusal_of({}), "joint 'pin': limits: has neither 'low' nor 'high'");
  EXPECT_EQ(refusal_of({.high = 1}, "slide"), "joint 'pin': limits: of which coordinate? 'pin' has angle");
  EXPECT_EQ(refusal_of({.high = 1, .bumper = {.restitution = 0}}),
            "joint 'pin': limits: restitution: must lie above 0 and not above 1");
}
}  // namespace
}  // namespace mubody::testing
