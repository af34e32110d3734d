// Teeth with play: the gap is crossed freely, then the teeth transmit what they would without it.
#include "mubody/forces/gear_backlash.h"
#include "mubody/forces/rack_backlash.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/translational.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
constexpr double gap = 2e-4, K = 1e6, damping = 400;

// A wheel of radius r_1 that a torque turns, and another of radius r_2 to its right.
struct LooseGears {
  double r1 = 0.1, r2 = 0.25, I1 = 0.02, I2 = 0.3, T = 5, reversed = 1e9;
  Model model;
  explicit LooseGears(int dim = 2, double until = 1e9, double pressure_angle = 0)
      : reversed(until), model(dim == 2 ? in_plane() : in_space()) {
    const auto place = [dim](double x) { return dim == 2 ? Components{x, 0} : Components{x, 0, 0}; };
    const BodyRef one = model.body("one", {.mass = 1, .inertia = I1, .position = place(0)});
    const BodyRef two = model.body("two", {.mass = 4, .inertia = I2, .position = place(r1 + r2)});
    model.joint("left", Revolute{}, model.ground().at(0, 0), one.at(0, 0));
    model.joint("right", Revolute{}, model.ground().at(r1 + r2, 0), two.at(0, 0));
    Gear gear;
    gear.radius_i = r1, gear.radius_j = r2;
    gear.pressure_angle = pressure_angle;
    model.joint("teeth", gear, one.at(0, 0), two.at(0, 0));
    model.backlash("teeth", {.gap = gap, .teeth = {.stiffness = K, .damping = damping}});
    model.torque("motor", model.ground(), one,
                 [T = T, until](double t, const State&) { return t < until ? T : -T; });
  }
};

// The driving wheel turns alone until r_1 φ_1 = b/2: t² = b I_1/(r_1 T).
void expect_crossing(int dim, const std::string& formulation) {
  LooseGears p(dim);
  Simulation sim(p.model, {.formulation = formulation, .rtol = 1e-10, .atol = 1e-12});
  const double touch = std::sqrt(gap * p.I1 / (p.r1 * p.T));
  ASSERT_TRUE(sim.advance_to(0.9 * touch));
  const std::string omega = dim == 2 ? ".omega" : ".wz", alpha = dim == 2 ? ".alpha" : ".alphaz";
  EXPECT_EQ(sim[sim.output("two" + omega)], 0);
  EXPECT_NEAR(sim[sim.output("one" + alpha)], p.T / p.I1, 1e-9);
  ASSERT_TRUE(sim.advance_to(0.2));
  // From then on the wheels accelerate as without play; the teeth are pressed by what moves the second wheel.
  const double a = p.T / (p.I1 + p.I2 * std::pow(p.r1 / p.r2, 2)), force = p.I2 * a * p.r1 / (p.r2 * p.r2);
  const std::string side = sim[sim.output("teeth.backlash.high.force")] > 0 ? "high" : "low";
  EXPECT_NEAR(sim[sim.output("one" + alpha)], a, 1e-5 * a);
  EXPECT_NEAR(sim[sim.output("two" + alpha)], -a * p.r1 / p.r2, 1e-5 * a);
  EXPECT_NEAR(sim[sim.output("teeth.backlash." + side + ".force")], force, 1e-5 * force);
  EXPECT_NEAR(sim[sim.output("teeth.backlash." + side + ".moment")], -force * p.r2, 1e-5 * force);
  EXPECT_NEAR(sim[sim.output("teeth.backlash." + side + ".gap")], -force / K, 1e-5 * force / K);
  const Results r = sim.finish();
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_FALSE(r.contacts.empty());
  EXPECT_NEAR(r.contacts[0].onset, touch, 1e-10);
  EXPECT_NEAR(r.contacts[0].speed_in, p.r1 * p.T / p.I1 * touch, 1e-7);
}

TEST(gear_backlash, is_crossed_freely_and_then_transmits) { expect_crossing(2, "body"); }
TEST(gear_backlash, does_so_in_space) { expect_crossing(3, "body"); }
TEST(gear_backlash, does_so_in_other_coordinates) {
  expect_crossing(2, "joint");
  expect_crossing(3, "joint");
  expect_crossing(2, "cartesian");
  expect_crossing(3, "cartesian");
}

// Whichever flanks touch, they press the axes of two wheels apart, by the tangent of the pressure angle.
TEST(gear_backlash, both_flanks_push_the_axes_apart) {
  const double angle = 0.35;
  for (const int dim : {2, 3})
    for (const double T : {5.0, -5.0}) {
      LooseGears p(dim, T > 0 ? 1e9 : 0, angle);
      Simulation sim(p.model);
      ASSERT_TRUE(sim.advance_to(0.3));
      const double high = sim[sim.output("teeth.backlash.high.force")],
                   low = sim[sim.output("teeth.backlash.low.force")];
      EXPECT_GT(std::max(high, low), 0);
      EXPECT_EQ(std::min(high, low), 0);
      const double radial = std::max(high, low) * std::tan(angle);
      // The pins hold the wheels against it.
      EXPECT_NEAR(sim[sim.output("left.on_one.fx")], radial, 1e-4 * radial) << dim << " " << T;
      EXPECT_NEAR(sim[sim.output("right.on_two.fx")], -radial, 1e-4 * radial) << dim << " " << T;
    }
}

// Angles are those of the wheels without play, less half of it and the deflection: r_1 φ_1 + r_2 φ_2 = b/2 + F/K.
TEST(gear_backlash, angle_is_transmitted_less_half_the_play) {
  LooseGears p;
  Motion at(p.model);
  at.to(0.5);
  EXPECT_NEAR(p.r1 * at("one.angle") + p.r2 * at("two.angle"), gap / 2 + at("teeth.backlash.high.force") / K,
              1e-9);
}

// When the torque is reversed the teeth part, cross the whole gap and touch on the other side.
TEST(gear_backlash, reversal_crosses_the_whole_gap) {
  LooseGears p(2, 0.3);
  Simulation sim(p.model);
  ASSERT_TRUE(sim.advance_to(0.5));
  EXPECT_EQ(sim[sim.output("teeth.backlash.high.force")], 0);
  EXPECT_GT(sim[sim.output("teeth.backlash.low.force")], 0);
  EXPECT_NEAR(p.r1 * sim[sim.output("one.angle")] + p.r2 * sim[sim.output("two.angle")],
              -gap / 2 - sim[sim.output("teeth.backlash.low.force")] / K, 1e-8);
  const Results r = sim.finish();
  // The high side parts after the reversal, at the latest when the low side touches.
  const auto low = std::ranges::find(r.contacts, "teeth.backlash.low", &ContactRecord::contact);
  ASSERT_NE(low, r.contacts.end());
  EXPECT_GT(low->onset, 0.3);
  // Once apart, the driving wheel alone is decelerated by T; the relative speed grows by r_1 T/I_1, from the speed at
  // which the teeth part.
  const auto high = std::find_if(r.contacts.rbegin(), r.contacts.rend(),
                                 [](const ContactRecord& c) { return c.contact == "teeth.backlash.high"; });
  ASSERT_TRUE(high != r.contacts.rend() && high->end);
  const double v = high->speed_out, a = p.r1 * p.T / p.I1;
  EXPECT_NEAR(low->onset - *high->end, (std::sqrt(v * v + 2 * a * gap) - v) / a, 1e-8);
}

TEST(rack_backlash, moves_the_rack_after_half_the_play) {
  const double r = 0.05, I = 0.01, m = 2, T = 1;
  Model model = in_plane({0, 0});
  const BodyRef rack = model.body("rack", {.mass = m, .inertia = 0.1}),
                pinion = model.body("pinion", {.mass = 1, .inertia = I, .position = {0, r}});
  model.joint("guide", Translational{}, model.ground().at(0, 0), rack.at(0, 0));
  model.joint("pin", Revolute{}, model.ground().at(0, r), pinion.at(0, 0));
  Rack teeth;
  teeth.radius = r;
  model.joint("teeth", teeth, rack.at(0, 0), pinion.at(0, 0));
  model.backlash("teeth", {.gap = gap, .teeth = {.stiffness = K, .damping = 200}});
  model.torque("motor", model.ground(), pinion, [T](double, const State&) { return T; });
  Simulation sim(model, {.rtol = 1e-10, .atol = 1e-12});
  ASSERT_TRUE(sim.advance_to(0.3));
  const double a = T / (I + m * r * r);  // the rack moves at r α
  EXPECT_NEAR(sim[sim.output("pinion.alpha")], a, 1e-5 * a);
  EXPECT_NEAR(sim[sim.output("rack.ax")], r * a, 1e-5 * a);
  const Results results = sim.finish();
  ASSERT_FALSE(results.contacts.empty());
  EXPECT_NEAR(results.contacts[0].onset, std::sqrt(gap * I / (r * T)), 1e-10);
}

TEST(gear_backlash, is_for_joints_with_teeth) {
  LooseGears p;
  try {
    p.model.backlash("left", {.gap = gap, .teeth = {.stiffness = K}});
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_STREQ(e.what(), "joint 'left': backlash: is for joints with teeth, which 'revolute' has not");
  }
  Model model = in_plane();
  EXPECT_THROW(model.backlash("none", {.gap = gap}), ModelError);
}
}  // namespace
}  // namespace mubody::testing
