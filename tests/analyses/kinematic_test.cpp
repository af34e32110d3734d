// Kinematic analysis against closed forms, through singular positions and to dead points.
#include "mubody/analyses/kinematic.h"

#include "mubody/functions/spline.h"
#include "mubody/joints/slide.h"
#include "mubody/joints/translational.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
// Kinematic ------------------------------------------------------------------------------------------------

Mechanism driven_slider_crank(bool crank_driven) {
  const double crank = 1, rod = 3, theta = 0.5, phi = -std::asin(crank * std::sin(theta) / rod);
  Mechanism m;
  m.bodies = {
      body("crank", 1, 0.1, 0.5 * std::cos(theta), 0.5 * std::sin(theta), theta),
      body("rod", 2, 1.5, std::cos(theta) + 1.5 * std::cos(phi), std::sin(theta) + 1.5 * std::sin(phi), phi),
      body("slider", 3, 1, std::cos(theta) + 3 * std::cos(phi), 0, 0)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  m.add_joint("B", revolute(marker(1, 0.5, 0), marker(2, -1.5, 0)));
  m.add_joint("C", revolute(marker(2, 1.5, 0), marker(3, 0, 0)));
  Translational guide;
  guide.i = marker(ground, 0, 0), guide.j = marker(3, 0, 0);
  m.add_joint("guide", guide);
  if (crank_driven) {
    m.add_joint("motor", motor(ground, 1, polynomial({theta, 4})));
  } else {
    Slide push;
    push.i = marker(ground, 0, 0), push.j = marker(3, 0, 0);
    const double start = m.bodies[2].start.at.x();
    push.value = polynomial({start, 0.5});  // towards the dead point at x = 4
    m.add_joint("push", push);
  }
  m.prepare();
  return m;
}

TEST(kinematic, slider_crank_agrees_with_its_closed_form) {
  Study s = study(driven_slider_crank(true), 3);
  s.analysis.type = analysis_of(Kinematic{});
  const Results r = run(s);
  ASSERT_TRUE(r.outcome) << r.outcome.why;
  EXPECT_TRUE(r.trusted);
  const auto t = r.times(), x = r.column("slider.x"), v = r.column("slider.vx"), a = r.column("slider.ax"),
             torque = r.column("motor.on_crank.m"), alpha = r.column("rod.alpha");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double th = 0.5 + 4 * t[k], w = 4, st = std::sin(th), ct = std::cos(th);
    const double sp = -st / 3, cp = std::sqrt(1 - sp * sp);
    const double wp = -w * ct / (3 * cp), ap = (w * w * st / 3 + wp * wp * sp) / cp;
    EXPECT_NEAR(x[k], ct + 3 * cp, 1e-12);
    EXPECT_NEAR(v[k], -w * st - 3 * wp * sp, 1e-11);
    const double acc = -w * w * ct - 3 * (ap * sp + wp * wp * cp);
    EXPECT_NEAR(a[k], acc, 1e-10);
    EXPECT_NEAR(alpha[k], ap, 1e-10);
    // Power of the motor: the kinetic energy of rod and slider changes, that of the crank does not.
    const double rx = -w * st - 1.5 * wp * sp, ry = w * ct + 1.5 * wp * cp;
    const double rax = -w * w * ct - 1.5 * (ap * sp + wp * wp * cp),
                 ray = -w * w * st + 1.5 * (ap * cp - wp * wp * sp);
    const double power = 2 * (rx * rax + ry * ray) + 1.5 * wp * ap + 3 * v[k] * acc;
    EXPECT_NEAR(torque[k] * w, power, 1e-9);
  }
}

TEST(kinematic, a_dead_point_is_located_and_reported) {
  Study s = study(driven_slider_crank(false), 3);
  s.analysis.type = analysis_of(Kinematic{});
  const Results r = run(s);
  EXPECT_EQ(r.outcome.kind, Outcome::singular);
  EXPECT_NE(r.outcome.why.find("dead point"), std::string::npos);
  const double start = std::cos(0.5) + 3 * std::sqrt(1 - std::pow(std::sin(0.5) / 3, 2));
  EXPECT_NEAR(r.outcome.at, (4 - start) / 0.5, 1e-6);  // the time at which the slider is fully out
  EXPECT_FALSE(r.trusted);
}

// An output time falls exactly on the flat position, where the equations leave a choice.
TEST(kinematic, a_parallelogram_keeps_its_branch_through_the_flat_position) {
  for (const double step : {0.01, 0.1, 0.0137}) {
    Mechanism m = parallelogram();
    m.add_joint("motor", motor(ground, 1, polynomial({pi / 2, pi})));
    Study s = study(m, 4);
    s.analysis.type = analysis_of(Kinematic{});
    s.output.step = step;
    const Results r = run(s);
    ASSERT_TRUE(r.outcome) << r.outcome.why;
    for (const double angle : r.column("bar.angle"))
      EXPECT_NEAR(angle, 0, 1e-7) << "output every " << step << " s";
    EXPECT_EQ(r.events.size(), 4u);
    for (const double force : r.column("A.on_left.fx")) EXPECT_LT(std::abs(force), 1e4);
  }
}

// A pulse much shorter than the steps that the smooth rest of the motion would allow.
// The smaller the arm the smaller the inertia that stands in for none.
TEST(kinematic, data_that_end_too_early_are_remarked) {
  Mechanism m;
  m.bodies = {body("wheel", 1, 1, 0, 0, 0)};
  m.add_joint("pin", revolute(marker(ground, 0, 0), marker(1, 0, 0)));
  Spline data;
  data.data.columns = {{0, 1, 2}, {0, 0.5, 0.7}};
  m.add_joint("motor", motor(ground, 1, Function(data)));
  m.prepare();
  for (const double end : {2.0, 3.0}) {
    Study s = study(m, end);
    s.analysis.type = analysis_of(Kinematic{});
    const Results r = run(s);
    EXPECT_EQ(r.remarks.size(), end > 2 ? 1u : 0u);
    if (end > 2) {
      EXPECT_NE(r.remarks[0].find("driver 'motor': its data go from 0 s to 2 s"), std::string::npos);
    }
  }
}

TEST(kinematic, without_enough_drivers_is_an_error) {
  Study s = study(four_bar());
  s.analysis.type = analysis_of(Kinematic{});
  EXPECT_THROW(run(s), ModelError);
}
}  // namespace
}  // namespace mubody::testing
