// Assembly and degrees of freedom of small mechanisms with known answers.
#include "mubody/analyses/assembly.h"

#include "mubody/joints/distance.h"
#include "mubody/joints/fixed.h"
#include "mubody/treatments/standard.h"
#include "tests/analyses/study.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
// Assembly -------------------------------------------------------------------------------------------------

TEST(assembly, a_rough_four_bar_closes_and_says_what_moved) {
  Mechanism m = four_bar();
  m.bodies[1].start.at += Vec<3>(0.05, -0.03, 0);
  m.bodies[2].start = {m.bodies[2].start.at, turn_about_z(1.05), 1.05};
  Study s = study(m);
  s.analysis.assembly.hold = {"crank.angle"};
  const Results r = Assembly{}.run(s);
  EXPECT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_LT(r.assembly.violation_after, 1e-12);
  EXPECT_GT(r.assembly.violation_before, 0.01);
  EXPECT_TRUE(same(r.column("crank.angle")[0], pi / 3, 1));
  EXPECT_NEAR(r.column("coupler.angle")[0], 0.423245598298523, 1e-11);  // same branch
  EXPECT_FALSE(r.assembly.positions.empty());
}

TEST(assembly, a_held_velocity_is_kept_and_the_others_follow) {
  Mechanism m = four_bar();
  m.bodies[0].omega.z() = 2;
  Study s = study(m);
  s.analysis.assembly.hold = {"crank.omega"};
  const Results r = Assembly{}.run(s);
  EXPECT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_EQ(r.column("crank.omega")[0], 2);
  EXPECT_LT(r.assembly.rate_after, 1e-13);
  EXPECT_GT(r.assembly.rate_before, 1);
}

TEST(assembly, what_cannot_close_names_the_joint_that_gapes) {
  Mechanism m = four_bar();
  m.joints[3].what->i().at.x() = 11;  // longer than all links together
  const Results r = run_forward(study(m));
  EXPECT_EQ(r.outcome.kind, Outcome::not_assembled);
  EXPECT_NE(r.outcome.why.find("cannot be assembled"), std::string::npos);
  EXPECT_NE(r.outcome.why.find("gapes by"), std::string::npos);
  EXPECT_FALSE(r.trusted);
}

// Freedom --------------------------------------------------------------------------------------------------

TEST(freedom, a_four_bar_has_one) {
  const Freedom f = Assembly{}.run(study(four_bar())).freedom;
  EXPECT_EQ(f.counted, 1);
  EXPECT_EQ(f.actual, 1);
  EXPECT_TRUE(f.redundant.empty());
}

Mechanism parallelogram_with_three_cranks() {
  Mechanism m;
  m.gravity = {0, -g, 0};
  const double angle = 1;
  for (int k = 0; k < 3; ++k)
    m.bodies.push_back(
        body("crank" + std::to_string(k), 1, 0.1, k + 0.5 * std::cos(angle), 0.5 * std::sin(angle), angle));
  m.bodies.push_back(body("bar", 2, 1, 1 + std::cos(angle), std::sin(angle), 0));
  for (int k = 0; k < 3; ++k) {
    m.add_joint("foot" + std::to_string(k), revolute(marker(ground, k, 0), marker(1 + k, -0.5, 0)));
    m.add_joint("top" + std::to_string(k), revolute(marker(1 + k, 0.5, 0), marker(4, k - 1, 0)));
  }
  m.prepare();
  return m;
}

TEST(freedom, a_third_crank_is_redundant_and_the_motion_is_found_all_the_same) {
  const Results r = run_forward(study(parallelogram_with_three_cranks()));
  EXPECT_EQ(r.freedom.counted, 0);
  EXPECT_EQ(r.freedom.actual, 1);
  ASSERT_EQ(r.freedom.redundant.size(), 1u);
  EXPECT_NE(r.freedom.redundant[0].reason.find("parallelogram"), std::string::npos)
      << r.freedom.redundant[0].reason;
  EXPECT_TRUE(r.trusted) << r.verdict;

  // The same mechanism as one freedom: (3 (I + m l²) + 4 M l²) θ̈ = −(3 m l + 2 M l) g cos θ,
  // where l is the distance of the crank's centre.
  const double J = 3 * (0.1 + 0.25) + 2 * 1.0, torque = (3 * 0.5 + 2) * g;
  EXPECT_NEAR(r.column("crank0.alpha")[0], -torque * std::cos(1) / J, 1e-10);
}

TEST(freedom, a_position_that_is_singular_only_now_is_told_from_a_redundancy) {
  Mechanism m;
  m.bodies = {body("left", 1, 0.1, 0.5, 0, 0), body("bar", 1, 0.1, 1, 0, 0), body("right", 1, 0.1, 1.5, 0, 0)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  m.add_joint("B", revolute(marker(1, 0.5, 0), marker(2, 0, 0)));
  m.add_joint("C", revolute(marker(2, 1, 0), marker(3, 0.5, 0)));
  m.add_joint("D", revolute(marker(ground, 1, 0), marker(3, -0.5, 0)));
  m.prepare();
  const Freedom f = Assembly{}.run(study(m)).freedom;  // a flat parallelogram
  ASSERT_EQ(f.redundant.size(), 1u);
  EXPECT_NE(f.redundant[0].reason.find("only in this position"), std::string::npos);
}

TEST(freedom, two_welds_on_one_body_are_an_error_that_names_one) {
  Mechanism m;
  m.bodies = {body("block", 1, 1, 0, 0, 0)};
  for (const char* name : {"W1", "W2"}) {
    Fixed f;
    f.i = marker(ground, 0, 0), f.j = marker(1, 0, 0);
    m.add_joint(name, f);
  }
  m.prepare();
  try {
    run_forward(study(m));
    FAIL() << "no error";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("more constraints than coordinates: 6 equations for 3 coordinates"),
              std::string::npos)
        << e.what();
  }
}

// Standard multipliers only keep Φ̈ = 0: a gap at the start stays, and opens at its initial rate.
TEST(assembly, as_given_starts_from_a_gap) {
  Mechanism m;
  m.bodies = {body("a", 1, 1, 0.01, 0.02, 0)};
  m.bodies[0].velocity.x() = 0.3;
  Revolute pin;
  pin.i = marker(ground, 0, 0), pin.j = marker(1, 0, 0);
  m.add_joint("pin", pin);
  m.prepare();
  Study s = study(m);
  s.analysis.assembly.as_given = true;
  s.analysis.treatment = std::make_unique<TreatmentOf<Standard>>();
  const Results r = run_forward(s);
  EXPECT_DOUBLE_EQ(r.assembly.violation_before, 0.02);
  EXPECT_DOUBLE_EQ(r.assembly.violation_after, 0.02);
  EXPECT_DOUBLE_EQ(r.assembly.rate_after, 0.3);
  EXPECT_TRUE(r.assembly.positions.empty());
  EXPECT_DOUBLE_EQ(r.column("a.x").front(), 0.01);
  EXPECT_NEAR(r.column("a.x").back(), 0.01 + 0.3, 1e-12);
  EXPECT_NEAR(r.column("a.y").back(), 0.02, 1e-12);
  EXPECT_FALSE(r.trusted);
}

TEST(freedom, a_body_without_mass_is_not_determined) {
  Mechanism m;
  m.bodies = {body("ghost", 0, 1, 0, 0, 0)};
  m.prepare();
  try {
    run_forward(study(m));
    FAIL() << "no error";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("body 'ghost' has no mass"), std::string::npos) << e.what();
  }
}

TEST(freedom, a_point_mass_on_a_link_is_a_particle) {
  Mechanism m;
  m.gravity = {0, -g, 0};
  m.bodies = {body("bob", 1, 0, 1, 0, 0)};
  Distance link;
  link.i = marker(ground, 0, 0), link.j = marker(1, 0, 0);
  m.add_joint("link", link);
  m.prepare();
  const Results r = run_forward(study(m));
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_FALSE(r.remarks.empty());
  EXPECT_NE(r.remarks[0].find("particle"), std::string::npos);
  // A01 seen in a mirror: at 1 s the bob is at (-0.98629..., -0.16501...).
  EXPECT_NEAR(r.column("bob.x").back(), -0.9862917511318753, 1e-7);
  EXPECT_NEAR(r.column("bob.y").back(), -0.16501085312554117, 1e-7);
}
}  // namespace
}  // namespace mubody::testing
