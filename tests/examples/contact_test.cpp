// Contacts in whole models: instants, speeds and forces against closed forms and an independent integration.
#include <array>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
// Slider-crank with a dry clearance joint, 5000 rpm: its two freedoms in their own equations of motion, integrated with
// located contacts at tolerances of 1e-12 and 3e-14, which agree to the digits given.
struct Impact {
  double t, speed;
};
constexpr std::array impacts{
    Impact{0.00022728603203978455, 4.3857831452802385}, Impact{0.0006370564301667583, 2.7569491529659107},
    Impact{0.0007497002798423802, 1.8266990749145324},  Impact{0.0010859470339198139, 1.1018511775423763},
    Impact{0.0012058161279909978, 0.8238005432799529},  Impact{0.0015514860013049806, 0.2709394129934807},
    Impact{0.0017150817862143061, 0.257277052947808},   Impact{0.002872495289605754, 3.7802488755033314},
    Impact{0.003169842912507155, 2.3762604379615837},   Impact{0.003354093968757848, 2.2614325080274917}};
constexpr double ideal_moment = 138.52126760994216;  // largest moment of the crank with an ideal joint [N m]

double largest(const std::vector<double>& column) {
  double most = 0;
  for (const double x : column) most = std::max(most, std::abs(x));
  return most;
}

TEST(clearance_slider_crank, first_ten_contacts) {
  const Results r = run_example("clearance_slider_crank");
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_GE(r.contacts.size(), impacts.size());
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    EXPECT_NEAR(r.contacts[k].onset, impacts[k].t, 1e-9) << k;
    EXPECT_NEAR(r.contacts[k].speed_in, impacts[k].speed, 1e-6 * impacts[k].speed) << k;
    ASSERT_TRUE(r.contacts[k].end);
    EXPECT_GT(*r.contacts[k].end, r.contacts[k].onset);
  }
  double peak = 0;
  for (const ContactRecord& c : r.contacts) peak = std::max(peak, c.peak_force);
  EXPECT_NEAR(peak, 45871.73100471981, 1e-4 * peak);
}

TEST(clearance_slider_crank, loses_what_its_contacts_lose) {
  const Results r = run_example("clearance_slider_crank", {"analysis.end=0.0018"});
  double lost = 0;
  for (const ContactRecord& c : r.contacts) lost += c.energy_lost;
  EXPECT_NEAR(r.column("contact_loss").back(), lost, 1e-6 * lost);
}

// Fixed steps are shortened during a contact.
TEST(clearance_slider_crank, with_fixed_steps) {
  const Results r = run_example("clearance_slider_crank",
                                {"analysis.integrator='rk4'", "analysis.step=1e-5", "analysis.end=0.001"});
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_GE(r.contacts.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(r.contacts[k].onset, impacts[k].t, 1e-8) << k;
}

TEST(lubricated_slider_crank, motor_hardly_feels_the_clearance) {
  // The comparison begins after the start, where the centred journal carries no load.
  const Results film = run_example("lubricated_slider_crank", {"output.step=2e-5"});
  const Results dry = run_example("clearance_slider_crank", {"output.step=2e-6"});
  EXPECT_TRUE(film.trusted) << film.verdict;
  std::vector<double> moment = film.column("motor.on_crank.m");
  moment.erase(moment.begin(), moment.begin() + long(moment.size()) / 3);
  EXPECT_NEAR(largest(moment), ideal_moment, 0.05 * ideal_moment);
  EXPECT_GT(largest(dry.column("motor.on_crank.m")), 5 * ideal_moment);
  EXPECT_LT(largest(film.column("C.eccentricity")), 1);
}

TEST(lubricated_slider_crank, says_that_a_film_is_squeezed_out) {
  const Results r = run_example("lubricated_slider_crank",
                                {"joints.C.clearance.lubricant={viscosity=1e-9, length=0.01, dry_below=0}"});
  EXPECT_FALSE(r.outcome);
  EXPECT_NE(r.outcome.why.find("film of 'C'"), std::string::npos) << r.outcome.why;
  EXPECT_NE(r.outcome.why.find("squeezed out"), std::string::npos) << r.outcome.why;
}

// Free fall, and the restitution of the law of Flores and others at e = 0.9 from the first integral of the impact; the
// weight during a contact of 0.13 ms changes speeds by 1e-3 m/s at most.
TEST(bouncing_ball, falls_and_bounces) {
  const Results r = run_example("bouncing_ball");
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_GE(r.contacts.size(), 4u);
  EXPECT_NEAR(r.contacts[0].onset, 0.4515236409857309, 1e-12);
  EXPECT_NEAR(r.contacts[0].speed_in, 4.4294469180700204, 1e-11);
  for (std::size_t k = 0; k + 1 < r.contacts.size(); ++k) {
    const double in = r.contacts[k].speed_in, out = r.contacts[k].speed_out;
    EXPECT_NEAR(out / in, 0.8939206926633781, 1e-3 / in);
    EXPECT_NEAR(r.contacts[k + 1].onset - *r.contacts[k].end, 2 * out / g, 1e-9);
    EXPECT_NEAR(r.contacts[k].energy_lost, 0.5 * (in * in - out * out), 1e-3 * in);
  }
}

// Bounces get ever smaller, then the ball rests: no step may collapse, and the weight is carried.
TEST(bouncing_ball, comes_to_rest) {
  const Results r = run_example(
      "bouncing_ball",
      {"analysis.end=6", "forces.floor.law={type='flores', restitution=0.5, stiffness=1e7, slowest=0.01}"});
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_LT(r.statistics.steps, 200'000);
  EXPECT_FALSE(r.contacts.back().end);
  EXPECT_NEAR(value_at(r, "floor.force", 6), g, 1e-3);
  EXPECT_NEAR(value_at(r, "ball.y", 6), 0.1 - std::pow(g / 1e7, 2. / 3), 1e-6);
}

// The ball comes to rest with any method: flights become shorter than steps, and finally there are none.
TEST(bouncing_ball, comes_to_rest_with_every_integrator) {
  for (const IntegratorEntry& kind : integrator_kinds()) {
    if (kind.order < 2) continue;
    const Results r = run_example(
        "bouncing_ball",
        {"analysis.end=5", "analysis.integrator='" + std::string(kind.info.name) + "'", "analysis.step=0.003",
         "forces.floor.law={type='flores', restitution=0.5, stiffness=1e6}"});
    ASSERT_EQ(r.outcome.kind, Outcome::reached_end) << kind.info.name << ": " << r.outcome.why;
    EXPECT_FALSE(r.contacts.back().end) << kind.info.name;
    EXPECT_NEAR(value_at(r, "floor.force", 5), g, 0.01) << kind.info.name;
    EXPECT_LT(r.contacts.size(), 100u) << kind.info.name;
  }
}

// All numbers are round, so that the gap becomes exactly zero.
TEST(contacts, are_located_where_the_gap_is_exactly_zero) {
  const Results r = run(io::read_study_text(R"(
[bodies]
b = {mass = 1, inertia = 0.004, position = [0, 1.25], velocity = [0, -5]}
[forces]
f = {type = "line_contact", bodies = ["ground", "b"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 0.25, law = "flores"}
[analysis]
end = 1
)",
                                            "model"));
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_NEAR(r.contacts[0].onset, 0.2, 1e-12);
  EXPECT_NEAR(r.contacts[0].speed_out, 5 * 0.8939206926633781, 1e-6);
}

// A body far smaller than a step of free flight is not flown through.
TEST(contacts, are_not_missed_within_a_large_step) {
  for (const char* start : {"-300", "-333", "-410", "-777"}) {
    const Results r = run(io::read_study_text(std::string(R"(
[bodies]
a = {mass = 1, inertia = 0.005}
b = {mass = 1, inertia = 0.005, velocity = [10, 0], position = [)") +
                                                  start + R"(, 0.03]}
[forces]
c = {type = "disc_contact", bodies = ["a", "b"], i = [0, 0], j = [0, 0], radius_i = 0.1, radius_j = 0.1, law = "hertz"}
[analysis]
end = 130
)",
                                              "model"));
    ASSERT_EQ(r.contacts.size(), 1u) << start;
    // The centre of b reaches the circle of radius 0.2 at a height of 0.03.
    EXPECT_NEAR(r.contacts[0].onset, (-std::sqrt(0.04 - 0.0009) - std::stod(start)) / 10, 1e-9) << start;
  }
}

// A sphere of steel, 1 kg and 0.1 m, strikes a plane at 1 m/s: depth, force, duration and speed by the first integral.
TEST(contacts, worked_impact) {
  const Results r = run(io::read_study_text(R"(
gravity = [0, 0, 0]
[bodies]
b = {mass = 1, inertia = [0.004, 0.004, 0.004], position = [0, 0, 0.11], velocity = [0, 0, -1]}
[forces]
f = {type = "plane_contact", bodies = ["ground", "b"], i = {at = [0, 0, 0], axis = [0, 0, 1]}, j = [0, 0, 0], radius = 0.1, law = "hertz"}
[analysis]
end = 0.02
rtol = 1e-12
)",
                                            "model"));
  ASSERT_EQ(r.contacts.size(), 1u);
  const ContactRecord& c = r.contacts[0];
  EXPECT_NEAR(c.onset, 0.01, 1e-12);
  EXPECT_NEAR(c.deepest, 5.840216239491199e-05, 1e-8 * 5.84e-5);
  EXPECT_NEAR(c.peak_force, 47955419461.894104 * std::pow(5.840216239491199e-05, 1.5), 1e-8 * 21404);
  EXPECT_NEAR(*c.end - c.onset, 0.000171893635287843, 1e-8 * 1.72e-4);
  EXPECT_NEAR(c.speed_out, 1, 1e-8);
}

TEST(newtons_cradle, passes_the_push_on) {
  const Results r = run_example("newtons_cradle", {"analysis.end=0.7"});
  EXPECT_TRUE(r.trusted) << r.verdict;
  ASSERT_GE(r.contacts.size(), 4u);
  // The speed of a pendulum with the ball's own inertia, let go from 30 degrees.
  const double L = 0.5, J = 0.4 * 0.02 * 0.02;
  const double speed = L * std::sqrt(2 * g * L * (1 - std::cos(pi / 6)) / (L * L + J));
  EXPECT_NEAR(r.contacts[0].speed_in, speed, 1e-3 * speed);
  EXPECT_GT(largest(r.column("b5.omega")), 0.97 * speed / L);
  EXPECT_LT(r.statistics.energy_residual, 1e-8);
}

TEST(struck_sphere, slides_and_rolls) {
  const Results r = run_example("struck_sphere");
  EXPECT_TRUE(r.trusted) << r.verdict;
  const auto face = std::find_if(r.contacts.begin(), r.contacts.end(),
                                 [](const ContactRecord& c) { return c.contact == "face"; });
  ASSERT_NE(face, r.contacts.end());
  EXPECT_GT(face->speed_out, 0.75 * face->speed_in);
  EXPECT_LT(face->speed_out, 0.9 * face->speed_in);
  // At the end it rolls: the speed of its lowest point is far below that of its centre.
  const double v = value_at(r, "sphere.vx", 0.6), w = value_at(r, "sphere.omega", 0.6);
  EXPECT_LT(std::abs(v + 0.05 * w), 0.01 * std::abs(v));
}
}  // namespace
}  // namespace mubody::testing
