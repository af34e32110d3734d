// Outlines that touch in whole motions.
#include "mubody/forces/outline_contact.h"

#include "mubody/analyses/run.h"
#include "mubody/contact/friction/modified_coulomb.h"
#include "mubody/contact/laws/flores.h"
#include "mubody/contact/laws/kelvin_voigt.h"
#include "mubody/contact/laws/restitution.h"
#include "mubody/forces/line_contact.h"
#include "mubody/reading/read_model.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
using Rows = std::vector<std::vector<double>>;

Outline outline_of(const Rows& rows, bool open = false) {
  Outline o;
  o.open = open;
  o.points.columns.resize(rows[0].size());
  for (const std::vector<double>& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) o.points.columns[k].push_back(row[k]);
  return o;
}
Outline disc_of(double radius) {
  Outline o;
  o.disc = radius;
  return o;
}
const Rows long_line{{-50, 0}, {50, 0}};
Outline box_of(double width, double height) {
  const double x = width / 2, y = height / 2;
  return outline_of({{-x, -y}, {x, -y}, {x, y}, {-x, y}});
}
OutlineContact contact_of(const Outline& i, const Outline& j, ContactLaw law) {
  OutlineContact c;
  c.pair.outline_i = i, c.pair.outline_j = j;
  c.law = std::move(law);
  return c;
}

TEST(outline_contact, disc_on_a_long_line_is_pushed_as_on_a_line) {
  const double r = 0.1;
  const auto pushed = [&](const auto& contact) {
    Model model = in_plane();
    const BodyRef ball = model.body(
        "ball",
        {.mass = 1, .inertia = 0.004, .position = {0, 0.0995}, .velocity = {1, -0.1}, .omega = {0, 0, 3}});
    model.force("contact", contact, turned(model.ground().at(0, 0), -0.01), ball.at(0, 0));
    Motion m(model);
    return std::array{m("contact.force"), m("contact.fx"), m("contact.fy"),
                      m("ball.ax"),       m("ball.ay"),    m("ball.alpha")};
  };
  LineContact line;
  line.pair.radius = r;
  line.friction = Friction(ModifiedCoulomb{.mu = 0.2});
  OutlineContact outline;
  outline.pair.outline_i = outline_of(long_line, true), outline.pair.outline_j = disc_of(r);
  outline.friction = line.friction;
  const auto a = pushed(line), b = pushed(outline);  // the stiffness is Hertz's for both
  EXPECT_GT(a[0], 0);
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-12 * std::abs(a[k])) << k;
}

// A box whose centre of mass is not in its middle stands on two corners; the law is linear.
TEST(outline_contact, box_at_rest_stands_on_two_corners_by_statics) {
  const double m = 3, K = 1e6, width = 0.4, left = 0.1, right = width - left;
  KelvinVoigt spring;
  spring.stiffness = K, spring.damping = 4e3;
  Model model = in_plane();
  const BodyRef box = model.body("box", {.mass = m, .inertia = 0.05, .position = {0, 0.1}});
  model.force(
      "floor",
      contact_of(outline_of(long_line, true),
                 outline_of({{-left, -0.1}, {right, -0.1}, {right, 0.1}, {-left, 0.1}}), ContactLaw(spring)),
      model.ground().at(0, 0), box.at(0, 0));
  Motion at(model, {.rtol = 1e-10});
  at.to(1);
  const double on_left = m * g * right / width, on_right = m * g * left / width;
  const double tilt = at("box.angle"), y = at("box.y");
  const auto depth = [&](double x) { return -(y + x * std::sin(tilt) - 0.1 * std::cos(tilt)); };
  EXPECT_NEAR(K * depth(-left), on_left, 1e-4 * on_left);
  EXPECT_NEAR(K * depth(right), on_right, 1e-4 * on_right);
  EXPECT_NEAR(at("floor.force"), m * g, 1e-4 * m * g);
  EXPECT_NEAR(at("floor.x"), at("box.x"), 1e-5);  // the two forces are in line with the weight
}

// Dropped flat, both corners strike at once, and the box parts as the law has it.
TEST(outline_contact, box_bounces_with_the_restitution_of_its_law) {
  Flores law;
  law.stiffness = 1e8, law.restitution = 0.7;
  Model model = in_plane({0, 0});
  const BodyRef box =
      model.body("box", {.mass = 2, .inertia = 0.02, .position = {0, 0.11}, .velocity = {0, -1}});
  model.force("floor", contact_of(outline_of(long_line, true), box_of(0.3, 0.2), ContactLaw(law)),
              model.ground().at(0, 0), box.at(0, 0));
  Motion at(model, {.rtol = 1e-10});
  at.to(0.05);
  EXPECT_NEAR(at("box.vy"), produced_restitution(law.c()), 1e-6);
  EXPECT_NEAR(at("box.omega"), 0, 1e-9);
}

// A box that is thrown upon the floor tumbles on its corners.
TEST(outline_contact, tumbling_box_closes_the_energy_balance) {
  for (const double rounding : {0.0, 0.02}) {
    Flores law;
    law.stiffness = 1e7, law.restitution = 0.6;
    Model model = in_plane();
    const BodyRef body = model.body("box", {.mass = 2,
                                            .inertia = 0.02,
                                            .position = {0, 0.4},
                                            .angle = 0.3,
                                            .velocity = {1.5, 0},
                                            .omega = {0, 0, -4}});
    Outline box = box_of(0.3, 0.2);
    box.rounding = rounding;
    OutlineContact floor = contact_of(outline_of(long_line, true), box, ContactLaw(law));
    floor.friction = Friction(ModifiedCoulomb{.mu = 0.3});
    model.force("floor", floor, model.ground().at(0, 0), body.at(0, 0));
    Simulation sim(model, {.rtol = 1e-8});
    EXPECT_TRUE(sim.advance_to(1));
    const Results r = sim.finish();
    EXPECT_TRUE(r.trusted) << r.verdict;
    EXPECT_GT(r.contacts.size(), 3u);
    EXPECT_LT(r.statistics.energy_residual, 1e-5);
  }
}

// A disc slides without friction over a round edge: the force on it is continuous, m g cos φ less what bends its way.
TEST(outline_contact, disc_slides_from_line_to_arc_to_line) {
  const double m = 1, r = 0.05, R = 1, slope = 0.3, K = 1e7, v = 1;
  const Vec<2> end(R * std::sin(slope), R * (std::cos(slope) - 1));
  const Outline ground = outline_of({{-1, 0, 0},
                                     {0, 0, R},
                                     {end.x(), end.y(), 0},
                                     {end.x() + 2 * std::cos(slope), end.y() - 2 * std::sin(slope), 0}},
                                    true);
  KelvinVoigt law;
  law.stiffness = K, law.damping = 5000;
  Model model = in_plane();
  const BodyRef disc =
      model.body("disc", {.mass = m, .inertia = 0.001, .position = {-0.2, r - m * g / K}, .velocity = {v, 0}});
  model.force("ground", contact_of(ground, disc_of(r), ContactLaw(law)), model.ground().at(0, 0),
              disc.at(0, 0));
  Simulation sim(model, {.rtol = 1e-9});
  const Output force = sim.output("ground.force"), x = sim.output("disc.x"), vx = sim.output("disc.vx"),
               vy = sim.output("disc.vy");
  int on_arc = 0;
  double last = m * g;
  while (sim.time() < 0.7 && sim.advance(1e-4)) {
    const double phi = std::clamp(std::asin(std::clamp(sim[x] / (R + r), 0.0, 1.0)), 0.0, slope);
    const bool arc = sim[x] > 0.03 && phi < slope - 0.03;
    const double speed = sim[vx] * sim[vx] + sim[vy] * sim[vy];
    if (arc) {
      ++on_arc;
      EXPECT_NEAR(sim[force], m * g * std::cos(phi) - m * speed / (R + r), 2e-3 * m * g);
    }
    // The curvature of the way jumps where the arc begins, and the law takes some milliseconds to follow.
    EXPECT_NEAR(sim[force], last, 0.1 * m * g);
    last = sim[force];
  }
  EXPECT_GT(on_arc, 100);
  EXPECT_NEAR(last, m * g * std::cos(slope), 1e-3 * m * g);
  EXPECT_EQ(sim.finish().contacts.size(), 1u);  // it never parts
}

// A round corner slides along a flat top and over a round edge: another place takes over, with the speed of the first touch.
TEST(outline_contact, place_that_takes_over_remembers_the_first_speed) {
  Outline table = outline_of({{-4, -2}, {0, -2}, {0, 0}, {-4, 0}}),
          nose = outline_of({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  table.rounding = 0.2, nose.rounding = 0.1;
  Flores law;
  law.stiffness = 1e6, law.restitution = 0.3;
  Model model = in_plane({0, 0});
  const double lean = EIGEN_PI / 4, low = 0.1 * (std::sqrt(2.0) - 1);  // the lowest point over the sharp corner
  const BodyRef body = model.body(
      "nose",
      {.mass = 1, .inertia = 1, .position = {-0.205, 1e-4 - low}, .angle = lean, .velocity = {1, -0.05}});
  model.force("contact", contact_of(nose, table, ContactLaw(law)), body.at(0, 0), model.ground().at(0, 0));
  Simulation sim(model, {.rtol = 1e-9});
  EXPECT_TRUE(sim.advance_to(0.015));
  const Results r = sim.finish();
  ASSERT_GE(r.contacts.size(), 2u);
  EXPECT_NEAR(r.contacts[1].onset, *r.contacts[0].end, 1e-12);
  EXPECT_EQ(r.contacts[1].speed_in, r.contacts[0].speed_in);
}

// A rounded corner of 1 mm falls on a line in steps that are longer than its way through it: the touch is found nevertheless.
TEST(outline_contact, small_corners_do_not_pass_unseen) {
  const Results r = run(io::read_study_text(R"toml(gravity = [0, -9.81]
[bodies]
block = {mass = 2, inertia = 0.03, position = [0, 0.5], angle = 0.3, velocity = [2, 0]}
[forces]
floor = {type = "outline_contact", bodies = ["ground", "block"], outline_i = {points = [[-50, 0], [50, 0]], open = true}, outline_j = {points = [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]], rounding = "1 mm"}, law = {type = "flores", restitution = 0.5, stiffness = 1e7, exponent = 1}, friction = 0.3}
[analysis]
end = 0.28
estimate = false)toml",
                                            "falls.toml"));
  ASSERT_TRUE(r.trusted) << r.verdict;
  ASSERT_FALSE(r.contacts.empty());
  // The centre of the lowest arc is (−0.199, −0.099) in the block.
  const double depth = 0.199 * std::sin(0.3) + 0.099 * std::cos(0.3) + 0.001;
  EXPECT_NEAR(r.contacts[0].onset, std::sqrt(2 * (0.5 - depth) / 9.81), 1e-9);
}
}  // namespace
}  // namespace mubody::testing
