// Dry friction at several joints, with every treatment and integrator, and what its memory takes part in.
#include "mubody/integrators/integrator.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/translational.h"
#include "mubody/treatments/treatment.h"
#include "tests/joints/belt.h"

namespace mubody::testing {
namespace {
constexpr const char* coordinates[] = {"body", "cartesian", "joint"};

/// Two blocks, one upon the other, and a pull at the upper one that grows by 5 N/s.
Model stack() {
  Model m = in_plane();
  const BodyRef lower = m.body("lower", {.mass = 2, .inertia = 1}),
                upper = m.body("upper", {.mass = 1, .inertia = 1});
  m.joint("floor", Translational{}, m.ground().at(0, 0), lower.at(0, 0));
  m.friction({.coefficient = 0.1});
  m.joint("between", Translational{}, lower.at(0, 0), upper.at(0, 0));
  m.friction({.coefficient = 0.5});
  m.force("pull", upper.at(0, 0), [](double t, const State&) { return Components{5 * t, 0}; });
  return m;
}

TEST(dry_friction, two_blocks_slip_one_after_the_other) {
  // Both slip on the floor from 0.1 · 3 g on; the upper one slips on the lower at F − (F − 0.3 g)/3 = 0.5 g.
  const double together = 0.3 * g / 5, apart = 1.5 * (0.5 * g - 0.1 * g) / 5;
  for (const char* formulation : coordinates) {
    Simulation sim(stack(), {.formulation = formulation});
    ASSERT_TRUE(sim.advance_to(2)) << sim.outcome().why;
    const double lower = (0.5 * g - 0.3 * g) / 2;
    EXPECT_NEAR(sim[sim.output("lower.ax")], lower, 1e-10) << formulation;
    EXPECT_NEAR(sim[sim.output("upper.ax")], 10 - 0.5 * g, 1e-10) << formulation;
    const Results r = sim.finish();
    ASSERT_EQ(r.events.size(), 2U) << formulation;
    EXPECT_NEAR(r.events[0].t, together, 1e-7) << formulation;
    EXPECT_EQ(r.events[0].what, "joint 'floor'");
    EXPECT_NEAR(r.events[1].t, apart, 1e-7) << formulation;
    EXPECT_EQ(r.events[1].what, "joint 'between'");
    EXPECT_LT(r.statistics.energy_residual, 1e-7 * r.statistics.energy_scale) << formulation;
    EXPECT_LT(r.statistics.steps, 100) << formulation;
  }
}

/// A four-bar with friction in all its pins, thrown.
Model four_bar(double omega) {
  Model m = in_plane();
  const double a = 0.2, b = 0.5, c = 0.4, d = 0.5;  // crank, coupler, rocker, ground; crank upright
  const Vec<2> A(0, a), D(d, 0);
  const double far = (D - A).norm(), x = (b * b - c * c + far * far) / (2 * far), y = std::sqrt(b * b - x * x);
  const Vec<2> along = (D - A) / far, B = A + x * along + y * Vec<2>(-along.y(), along.x());
  const auto rod = [&](const char* name, const Vec<2>& from, const Vec<2>& to, double mass) {
    const Vec<2> middle = 0.5 * (from + to);
    return m.body(name, {.mass = mass,
                         .inertia = mass * (to - from).squaredNorm() / 12,
                         .position = middle,
                         .angle = std::atan2(to.y() - from.y(), to.x() - from.x())});
  };
  const BodyRef crank = m.body("crank", {.mass = 1,
                                         .inertia = a * a / 12,
                                         .position = {0, a / 2},
                                         .angle = pi / 2,
                                         .velocity = {-omega * a / 2, 0},
                                         .omega = {0, 0, omega}});
  const BodyRef coupler = rod("coupler", A, B, 2), rocker = rod("rocker", D, B, 1.5);
  const DryFriction pin{.at_rest = 0.25, .kinetic = 0.2, .stribeck = 0.05, .radius = 0.01, .preload = 20};
  m.joint("A0", Revolute{}, m.ground().at(0, 0), crank.at(-a / 2, 0));
  m.friction(pin);
  m.joint("A", Revolute{}, crank.at(a / 2, 0), coupler.at(-b / 2, 0));
  m.friction(pin);
  m.joint("B", Revolute{}, coupler.at(b / 2, 0), rocker.at(c / 2, 0));
  m.friction(pin);
  m.joint("B0", Revolute{}, m.ground().at(d, 0), rocker.at(-c / 2, 0));
  m.friction(pin);
  return m;
}

TEST(dry_friction, four_bar_with_four_pins_comes_to_rest_without_chatter) {
  std::vector<double> ends;
  for (const char* formulation : coordinates) {
    Simulation sim(four_bar(12), {.formulation = formulation, .rtol = 1e-9, .atol = 1e-11});
    ASSERT_TRUE(sim.advance_to(20)) << formulation << ": " << sim.outcome().why;
    EXPECT_LT(std::abs(sim[sim.output("crank.omega")]), 1e-12) << formulation;
    ends.push_back(sim[sim.output("crank.angle")]);
    const Results r = sim.finish();
    EXPECT_LT(r.statistics.energy_residual, 1e-7 * r.statistics.energy_scale) << formulation;
    EXPECT_LT(r.statistics.steps, 3000) << formulation;
    EXPECT_LT(r.events.size(), 100U) << formulation;
  }
  EXPECT_NEAR(ends[1], ends[0], 1e-6);
  EXPECT_NEAR(ends[2], ends[0], 1e-6);
}

TEST(dry_friction, every_treatment_takes_it_or_says_why_not) {
  const Belt belt;
  for (const TreatmentEntry& e : treatment_kinds()) {
    Study study = belt.model().study();
    study.analysis.treatment = Box<Treatment>(e.make());
    study.analysis.control.step = 1e-3;
    if (e.info.name == "generalized-alpha") {
      EXPECT_THROW(Simulation{study}, ModelError);
      continue;
    }
    Simulation sim(study);
    ASSERT_TRUE(sim.advance_to(1.5)) << e.info.name << ": " << sim.outcome().why;
    EXPECT_NEAR(sim[sim.output("block.x")], belt.position(1.5), 1e-5) << e.info.name;
    EXPECT_NEAR(sim[sim.output("block.vx")], belt.speed(1.5), 1e-4) << e.info.name;
  }
}

TEST(dry_friction, every_integrator_finds_the_same_instants) {
  const Belt belt;
  for (const IntegratorEntry& e : integrator_kinds()) {
    Simulation sim(belt.model(), {.integrator = std::string(e.info.name), .step = 1e-4});
    ASSERT_TRUE(sim.advance_to(1.2)) << e.info.name << ": " << sim.outcome().why;
    const Results r = sim.finish();
    ASSERT_GE(r.events.size(), 2U) << e.info.name;
    EXPECT_NEAR(r.events[0].t, belt.breaks() / belt.V, 1e-6) << e.info.name;
    EXPECT_NEAR(r.events[1].t, belt.breaks() / belt.V + belt.slipping(), 2e-4) << e.info.name;
  }
}

TEST(dry_friction, snapshot_has_equal_bits_while_it_sticks_and_while_it_slips) {
  const Belt belt;
  for (const char* formulation : coordinates)
    for (const double t0 : {0.2, belt.breaks() / belt.V + 0.05}) {
      Simulation sim(belt.model(), {.formulation = formulation});
      ASSERT_TRUE(sim.advance_to(t0));
      const Snapshot here = sim.save();
      const auto go = [&](Simulation& s) {
        EXPECT_TRUE(s.advance_to(t0 + 0.7));
        std::vector<double> values;
        for (int k = 0; k < int(s.outputs().size()); ++k) values.push_back(s[Output(k)]);
        return values;
      };
      const std::vector<double> first = go(sim);
      sim.restore(here);
      EXPECT_EQ(go(sim), first) << formulation;
      Simulation other(belt.model(), {.formulation = formulation});
      other.restore(here);
      EXPECT_EQ(go(other), first) << formulation;
    }
}

TEST(dry_friction, force_from_outside_breaks_it_loose) {
  Model m = in_plane();
  const BodyRef block = m.body("block", {.mass = 2, .inertia = 1});
  m.joint("guide", Translational{}, m.ground().at(0, 0), block.at(0, 0));
  m.friction({.coefficient = 0.5});
  const std::vector<Input> push = m.push("push", block.at(0, 0));
  Simulation sim(m);
  sim[push[0]] = 0.9 * g;
  ASSERT_TRUE(sim.advance_to(1));
  EXPECT_NEAR(sim[sim.output("block.x")], 0, 1e-12);
  EXPECT_EQ(sim[sim.output("guide.sticks")], 1);
  sim[push[0]] = 2 * g;
  ASSERT_TRUE(sim.advance_to(2));
  EXPECT_NEAR(sim[sim.output("block.x")], g / 4, 1e-9);
  ASSERT_EQ(sim.events().size(), 1U);
  EXPECT_EQ(sim.events()[0].kind, Event::slip);
  sim[push[0]] = 0;
  ASSERT_TRUE(sim.advance_to(4));
  ASSERT_EQ(sim.events().size(), 1U);
  EXPECT_EQ(sim.events()[0].kind, Event::stick);
  EXPECT_NEAR(sim.events()[0].t, 3, 1e-9);
}

TEST(dry_friction, guide_that_jams_is_named) {
  // A steep ladder under a heavy load: what its foot rubs raises the load of the foot by more than that.
  const double angle = 75 * pi / 180, L = 1, c = std::cos(angle), s = std::sin(angle), v = 0.5;
  Model m = in_plane();
  const BodyRef foot = m.body("foot", {.mass = 0.01, .inertia = 1, .position = {L * c, 0}, .velocity = {v, 0}});
  const BodyRef head =
      m.body("head", {.mass = 10, .inertia = 1, .position = {0, L * s}, .velocity = {0, -v * c / s}});
  const BodyRef rod = m.body("rod", {.mass = 0.01,
                                     .inertia = 0.01,
                                     .position = {L * c / 2, L * s / 2},
                                     .angle = pi - angle,
                                     .velocity = {v / 2, -v * c / s / 2},
                                     .omega = {0, 0, v / (L * s)}});
  m.joint("floor", Translational{}, m.ground().at(0, 0), foot.at(0, 0));
  m.friction({.coefficient = 0.6});
  m.joint("wall", Translational{}, turned(m.ground().at(0, 0), pi / 2), turned(head.at(0, 0), pi / 2));
  m.joint("lower", Revolute{}, foot.at(0, 0), rod.at(-L / 2, 0));
  m.joint("upper", Revolute{}, head.at(0, 0), rod.at(L / 2, 0));
  for (const char* formulation : coordinates) {
    Simulation sim(m, {.formulation = formulation});
    const Outcome end = sim.advance_to(1);
    EXPECT_FALSE(end) << formulation;
    EXPECT_NE(end.why.find("joint 'floor' jams"), std::string::npos) << end.why;
  }
}

TEST(dry_friction, load_that_swings_beyond_what_it_holds_is_not_missed) {
  // The state at rest does not show the force: steps alone would pass over it.
  Model m = in_plane();
  const BodyRef block = m.body("block", {.mass = 1, .inertia = 1});
  m.joint("guide", Translational{}, m.ground().at(0, 0), block.at(0, 0));
  m.friction({.coefficient = 0.5});
  m.force("push", block.at(0, 0), [](double t, const State&) {
    return Components{0.5 * g * (0.2 + 0.9 * std::sin(2 * pi * t)), 0};
  });
  Simulation sim(m, {.max_step = 0.4});
  ASSERT_TRUE(sim.advance_to(10));
  const Results r = sim.finish();
  int slips = 0;
  for (const Event& e : r.events) slips += e.kind == Event::slip;
  EXPECT_EQ(slips, 10);
  EXPECT_NEAR(r.events.front().t, std::asin(0.8 / 0.9) / (2 * pi), 1e-9);
}
}  // namespace
}  // namespace mubody::testing
