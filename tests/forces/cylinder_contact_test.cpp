// A cylinder on a plane: it stands, lies and rolls.
#include "mubody/forces/cylinder_contact.h"

#include "mubody/contact/friction/modified_coulomb.h"
#include "mubody/contact/laws/flores.h"
#include "mubody/contact/laws/hertz.h"
#include "mubody/contact/laws/kelvin_voigt.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
constexpr double radius = 0.1, length = 0.4, m = 2, stiff = 1e6;

CylinderContact on_floor(ContactLaw law) {
  CylinderContact c;
  c.pair.rim = radius, c.pair.length = length;
  c.law = std::move(law);
  return c;
}

TEST(cylinder_contact, stands_on_four_places_and_lies_on_two) {
  for (const bool lies : {false, true}) {
    const double depth = std::pow(m * g / ((lies ? 2 : 4) * stiff), 2. / 3);
    Model model = in_space();
    BodyOptions o{.mass = m, .inertia = 0.02, .position = {0.3, 0.2, (lies ? radius : length / 2) - depth}};
    if (lies) o.orientation = turn_between(Vec<3>::UnitZ(), {1, 1, 0});
    const BodyRef body = model.body("can", o);
    model.force("floor", on_floor(ContactLaw(Hertz{stiff})), model.ground().at(0, 0), body.at(0, 0));
    Motion at(model);
    EXPECT_TRUE(same(at("floor.force"), m * g, 1000));
    EXPECT_TRUE(same(at("can.az"), 0, 1e4));
    EXPECT_NEAR(at("can.alphax"), 0, 1e-9);
    EXPECT_NEAR(at("can.alphay"), 0, 1e-9);
  }
}

// Four springs on a circle resist a tilt by 2 k R² whatever its direction.
TEST(cylinder_contact, resists_a_tilt_alike_in_all_directions) {
  const double k = 1e6, depth = 1e-3, tilt = 1e-5;
  KelvinVoigt spring;
  spring.stiffness = k;
  for (const double way : {0.0, 0.4, 1.1, 2.9}) {
    Model model = in_space({0, 0, 0});
    const Vec<3> axis(std::cos(way), std::sin(way), 0);
    BodyOptions o{.mass = m, .inertia = 0.02, .position = {0, 0, length / 2 - depth}};
    o.orientation = Quaternion(Eigen::AngleAxisd(tilt, axis));
    const BodyRef body = model.body("can", o);
    model.force("floor", on_floor(ContactLaw(spring)), model.ground().at(0, 0), body.at(0, 0));
    Motion at(model);
    const Vec<3> alpha(at("can.alphax"), at("can.alphay"), at("can.alphaz"));
    // The rim is length/2 below the centre, so that the push of all four tips the cylinder over.
    const double moment = 2 * k * radius * radius * tilt - 4 * k * depth * (length / 2) * tilt;
    EXPECT_NEAR(-0.02 * alpha.dot(axis), moment, 1e-3 * moment);
    EXPECT_NEAR(alpha.dot(axis.cross(Vec<3>::UnitZ())), 0, 1e-6 * moment / 0.02);
  }
}

// Lying on its side it rolls; friction turns sliding into rolling with 2/3 of the speed of a solid cylinder.
TEST(cylinder_contact, slides_and_then_rolls) {
  KelvinVoigt law;
  law.stiffness = stiff, law.damping = 1e3;
  CylinderContact floor = on_floor(ContactLaw(law));
  floor.friction = Friction(ModifiedCoulomb{.mu = 0.3, .none = 1e-5, .full = 1e-4});
  floor.pair.along = {0, 1, 0};
  Model model = in_space();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity() * (m * radius * radius / 2);
  const BodyRef body = model.body(
      "roll",
      {.mass = m, .inertia = inertia, .position = {0, 0, radius - m * g / (2 * stiff)}, .velocity = {1, 0, 0}});
  model.force("floor", floor, model.ground().at(0, 0), body.at(0, 0));
  Motion at(model, {.rtol = 1e-8});
  at.to(0.4);
  EXPECT_NEAR(at("roll.vx"), 2. / 3, 1e-3);
  EXPECT_NEAR(at("roll.wy"), 2. / 3 / radius, 1e-2);
}

TEST(cylinder_contact, tumbling_cylinder_closes_the_energy_balance) {
  Flores law;
  law.stiffness = 1e7, law.restitution = 0.6;
  CylinderContact floor = on_floor(ContactLaw(law));
  floor.friction = Friction(ModifiedCoulomb{.mu = 0.3});
  Model model = in_space();
  const BodyRef body = model.body(
      "can",
      {.mass = m, .inertia = 0.02, .position = {0, 0, 0.4}, .velocity = {1, 0.3, 0}, .omega = {-3, 2, 4}});
  model.force("floor", floor, model.ground().at(0, 0), body.at(0, 0));
  Simulation sim(model, {.rtol = 1e-8});
  EXPECT_TRUE(sim.advance_to(0.5));
  const Results r = sim.finish();
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_GT(r.contacts.size(), 1u);
  EXPECT_LT(r.statistics.energy_residual, 1e-5);
}
}  // namespace
}  // namespace mubody::testing
