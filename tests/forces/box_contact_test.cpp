// A box on a plane.
#include "mubody/forces/box_contact.h"

#include "mubody/contact/friction/modified_coulomb.h"
#include "mubody/contact/laws/flores.h"
#include "mubody/contact/laws/hertz.h"
#include "mubody/contact/laws/restitution.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
TEST(box_contact, box_rests_on_four_corners) {
  const double m = 2, K = 1e6, depth = std::pow(m * g / (4 * K), 2. / 3);
  Model model = in_space();
  const BodyRef box = model.body("box", {.mass = m, .inertia = 0.01, .position = {0.3, 0.2, 0.1 - depth}});
  BoxContact contact;
  contact.pair.size = {0.4, 0.3, 0.2};
  contact.law = ContactLaw(Hertz{K});
  model.force("floor", contact, model.ground().at(0, 0), box.at(0, 0));
  Motion at(model);
  EXPECT_TRUE(same(at("floor.force"), m * g, 1000));
  EXPECT_TRUE(same(at("box.az"), 0, 1e4));
  EXPECT_TRUE(same(at("box.alphax"), 0, 1e4));
  EXPECT_NEAR(at("floor.x"), 0.3, 1e-12);
  EXPECT_NEAR(at("floor.y"), 0.2, 1e-12);
}

TEST(box_contact, box_bounces_with_the_restitution_of_its_law) {
  Flores law;
  law.stiffness = 1e8, law.restitution = 0.7;
  Model model = in_space({0, 0, 0});
  const BodyRef box =
      model.body("box", {.mass = 2, .inertia = 0.02, .position = {0, 0, 0.11}, .velocity = {0, 0, -1}});
  BoxContact contact;
  contact.pair.size = {0.4, 0.3, 0.2};
  contact.law = ContactLaw(law);
  model.force("floor", contact, model.ground().at(0, 0), box.at(0, 0));
  Motion at(model, {.rtol = 1e-10});
  at.to(0.05);
  EXPECT_NEAR(at("box.vz"), produced_restitution(law.c()), 1e-6);
}

TEST(box_contact, tumbling_box_closes_the_energy_balance) {
  Flores law;
  law.stiffness = 1e7, law.restitution = 0.6;
  Model model = in_space();
  const BodyRef box = model.body(
      "box",
      {.mass = 2, .inertia = 0.02, .position = {0, 0, 0.4}, .velocity = {1, 0.3, 0}, .omega = {-3, 2, 4}});
  BoxContact contact;
  contact.pair.size = {0.4, 0.3, 0.2};
  contact.law = ContactLaw(law);
  contact.friction = Friction(ModifiedCoulomb{.mu = 0.3});
  model.force("floor", contact, model.ground().at(0, 0), box.at(0, 0));
  Simulation sim(model, {.rtol = 1e-8});
  EXPECT_TRUE(sim.advance_to(0.6));
  const Results r = sim.finish();
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_GT(r.contacts.size(), 2u);
  EXPECT_LT(r.statistics.energy_residual, 1e-5);
}
}  // namespace
}  // namespace mubody::testing
