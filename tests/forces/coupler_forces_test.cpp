// Couplers that give way: stretch of belts over any number of pulleys, and play.
#include "mubody/forces/belt.h"
#include "mubody/forces/elastic_coupler.h"
#include "mubody/joints/revolute.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// Wheels side by side, each in a bearing of its own.
struct Wheels {
  Model model;
  std::vector<BodyRef> wheels;
  Wheels(int dim, const std::vector<double>& inertias) : model(dim == 2 ? in_plane() : in_space()) {
    for (std::size_t k = 0; k < inertias.size(); ++k) {
      const double x = double(k);
      const std::string n = std::to_string(k + 1);
      wheels.push_back(model.body(
          "w" + n,
          {.mass = 1, .inertia = inertias[k], .position = dim == 2 ? Components{x, 0} : Components{x, 0, 0}}));
      model.joint("p" + n, Revolute{}, model.ground().at(x, 0), wheels.back().at(0, 0));
    }
  }
};
ElasticCoupler span(const std::string& one, double r1, const std::string& two, double r2, double k,
                    double c = 0) {
  ElasticCoupler span;
  span.add(one, r1).add(two, -r2);
  span.stiffness = k, span.damping = c;
  span.measure.index = 1;
  return span;
}

// Over two pulleys it is the belt, in all coordinates.
TEST(elastic_coupler, over_two_pulleys_is_a_belt) {
  const double r1 = 0.1, r2 = 0.25, k = 5e3, c = 3;
  for (const int dim : {2, 3})
    for (const char* formulation : {"body", "joint", "cartesian"}) {
      Wheels a(dim, {0.02, 0.3}), b(dim, {0.02, 0.3});
      Belt belt;
      belt.radius_i = r1, belt.radius_j = r2, belt.stiffness = k, belt.damping = c;
      a.model.force("belt", belt, a.wheels[0].at(0, 0), a.wheels[1].at(0, 0));
      // Stretch of a belt is r_i φ_i − r_j φ_j.
      b.model.force("belt", span("p1", r1, "p2", r2, k, c));
      for (Wheels* w : {&a, &b})
        w->model.torque("motor", w->model.ground(), w->wheels[0],
                        [](double t, const State&) { return 3 * std::sin(5 * t); });
      const SimulationOptions o{.formulation = formulation, .rtol = 1e-10, .atol = 1e-12};
      Motion one(a.model, o), other(b.model, o);
      one.to(1.5), other.to(1.5);
      const std::string omega = dim == 2 ? ".omega" : ".wz";
      for (const std::string& channel :
           {"w1" + omega, "w2" + omega, std::string("belt.stretch"), std::string("belt.pull")})
        EXPECT_NEAR(one(channel), other(channel), 1e-7 * (1 + std::abs(one(channel))))
            << channel << formulation;
    }
}

// A belt over three pulleys is one span after another.  Pulleys of radius r and inertia I: the symmetric ring of springs has
// the frequencies 0 and twice √(3k/I) r.
TEST(elastic_coupler, goes_round_three_pulleys) {
  const double r = 0.2, I = 0.05, k = 800, omega = r * std::sqrt(3 * k / I);
  Wheels w(2, {I, I, I});
  w.model.force("s1", span("p1", r, "p2", r, k));
  w.model.force("s2", span("p2", r, "p3", r, k));
  w.model.force("s3", span("p3", r, "p1", r, k));
  const double v = 0.7;
  Study& study = w.model.study();
  study.mechanism.bodies[0].omega.z() = v;
  Simulation sim(w.model, {.rtol = 1e-11, .atol = 1e-13});
  const double t = 1.3;
  ASSERT_TRUE(sim.advance_to(t));
  EXPECT_NEAR(sim[sim.output("w1.omega")], v / 3 + 2 * v / 3 * std::cos(omega * t), 1e-8);
  EXPECT_NEAR(sim[sim.output("w2.omega")], v / 3 - v / 3 * std::cos(omega * t), 1e-8);
  EXPECT_NEAR(sim[sim.output("w3.omega")], v / 3 - v / 3 * std::cos(omega * t), 1e-8);
  const Results results = sim.finish();
  EXPECT_TRUE(results.trusted) << results.verdict;
}

// Play of a coupler of angles: the driving shaft turns alone until half of it is used up, then both accelerate together.
TEST(coupler_backlash, is_crossed_freely_and_then_transmits) {
  const double I1 = 0.02, I2 = 0.3, T = 5, ratio = 2.5, gap = 2e-3, K = 1e4;
  for (const int dim : {2, 3})
    for (const char* formulation : {"body", "joint", "cartesian"}) {
      Wheels w(dim, {I1, I2});
      w.model.joint("gears", Coupler{}.add("p1", 1).add("p2", ratio));
      w.model.backlash("gears", {.gap = gap, .teeth = {.stiffness = K, .damping = 4}, .turn = true});
      w.model.torque("motor", w.model.ground(), w.wheels[0], [=](double, const State&) { return T; });
      Simulation sim(w.model, {.formulation = formulation, .rtol = 1e-10, .atol = 1e-12});
      const double touch = std::sqrt(gap * I1 / T);
      const std::string alpha = dim == 2 ? ".alpha" : ".alphaz";
      ASSERT_TRUE(sim.advance_to(0.9 * touch));
      EXPECT_NEAR(sim[sim.output("w2" + alpha)], 0, 1e-12);
      EXPECT_NEAR(sim[sim.output("w1" + alpha)], T / I1, 1e-9 * T / I1);
      ASSERT_TRUE(sim.advance_to(0.3));
      // φ_1 + 2.5 φ_2 is constant in the end.
      const double a = T / (I1 + I2 / (ratio * ratio));
      EXPECT_NEAR(sim[sim.output("w1" + alpha)], a, 1e-4 * a) << formulation;
      EXPECT_NEAR(sim[sim.output("w2" + alpha)], -a / ratio, 1e-4 * a);
      EXPECT_NEAR(sim[sim.output("gears.backlash.high.moment")], I2 * a / (ratio * ratio), 1e-4 * a);
      const Results r = sim.finish();
      EXPECT_TRUE(r.trusted) << r.verdict;
      ASSERT_FALSE(r.contacts.empty());
      EXPECT_NEAR(r.contacts[0].onset, touch, 1e-9);
    }
}

TEST(elastic_coupler, refusals_name_the_field) {
  Wheels w(2, {1, 1});
  const auto refused = [&](ElasticCoupler c, const std::string& why) {
    try {
      w.model.force("belt", std::move(c));
      FAIL() << why;
    } catch (const ModelError& e) {
      EXPECT_EQ(e.what(), why);
    }
  };
  refused(span("p1", 1, "p3", 1, 1), "force 'belt': joints: no joint named 'p3'; did you mean 'p1'?");
  refused(ElasticCoupler{}, "force 'belt': joints: must name two coordinates or more");
}
}  // namespace
}  // namespace mubody::testing
