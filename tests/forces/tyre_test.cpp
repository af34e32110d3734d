// A wheel on a road.
#include "mubody/forces/tyre.h"

#include <fmt/format.h>

#include "mubody/functions/formula.h"
#include "mubody/functions/polynomial.h"
#include "mubody/functions/spline.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
// The force of a tyre whose centre is at a height, sinking, on a road that rises and runs under it.
double force_of_tyre(double height, double sinking, double rise = 0, double speed = 0) {
  Model model = in_plane();
  const BodyRef wheel =
      model.body("wheel", {.mass = 20, .inertia = 1, .position = {0.5, height}, .velocity = {0, -sinking}});
  Tyre tyre;
  tyre.radius = 0.3, tyre.stiffness = 2e5, tyre.damping = 300, tyre.speed = speed;
  tyre.profile = Function(Polynomial{{0, rise}});
  model.force("tyre", tyre, model.ground().at(0, 0), wheel.at(0, 0));
  return Motion(model)("tyre.force");
}

TEST(tyre, force_of_compression_and_its_rate) {
  // Pressed by 0.02 m and sinking by 0.1 m/s: k c + d ċ.
  EXPECT_TRUE(same(force_of_tyre(0.28, 0.1), 2e5 * 0.02 + 300 * 0.1, 200));
  // A road that rises by 0.1 is 0.05 higher there, and at 2 m/s it lifts by 0.2 m/s.
  EXPECT_TRUE(same(force_of_tyre(0.28, 0, 0.1, 2), 2e5 * 0.07 + 300 * 0.2, 200));
}

TEST(tyre, never_pulls) {
  EXPECT_EQ(force_of_tyre(0.31, 5), 0);     // above the road, though it sinks
  EXPECT_EQ(force_of_tyre(0.2999, -2), 0);  // rebounds faster than the spring: k c = 20 N against d ċ = 600 N
}

// A test rig moves the road by a signal: the same motion as by a formula of time, whose rate is known.
TEST(tyre, road_is_moved_by_signals) {
  const auto rig = [](bool by_signal) {
    Model model = in_plane();
    const BodyRef wheel = model.body("wheel", {.mass = 20, .inertia = 1, .position = {0, 0.3}});
    Tyre tyre;
    tyre.radius = 0.3, tyre.stiffness = 2e4, tyre.damping = 300;
    const auto height = [](double t) { return 0.05 * std::sin(20 * t); };
    const auto rate = [](double t) { return std::cos(20 * t); };
    if (by_signal) {
      const StateVariable z = model.signal("z", [=](double t, const State&) { return height(t); }),
                          v = model.signal("v", [=](double t, const State&) { return rate(t); });
      tyre.height = Signal([=](double, const State& s) { return s(z); });
      tyre.height_rate = Signal([=](double, const State& s) { return s(v); });
    } else {
      Formula wave;
      wave.text = "0.05 * sin(20 * t)";
      tyre.height = Signal(Function(wave));
    }
    model.force("tyre", tyre, model.ground().at(0, 0), wheel.at(0, 0));
    return Simulation(model, {.rtol = 1e-10, .atol = 1e-12});
  };
  Simulation one = rig(false), other = rig(true);
  ASSERT_TRUE(one.advance_to(0.7));
  ASSERT_TRUE(other.advance_to(0.7));
  for (const char* channel : {"wheel.y", "wheel.vy", "tyre.force", "tyre.road"})
    EXPECT_NEAR(one[one.output(channel)], other[other.output(channel)],
                1e-7 * (1 + std::abs(one[one.output(channel)])))
        << channel;
  EXPECT_NEAR(one[one.output("tyre.road")], 0.05 * std::sin(14), 1e-12);
  const Results r = other.finish();
  EXPECT_TRUE(r.trusted) << r.verdict;
}

// A wheel of 300 kg that rests on its tyre, ω² = k/m, passes a bump that rises and falls by 0.08 within 3 ms, as the road runs
// under it at 30 m/s: each change s of the slope of the road adds s v (τ − sin ωτ/ω) to its height.
constexpr double mass = 300, stiffness = 2e5, speed = 30, bump_at = 150, half = 0.05, slope = 0.08;
double height_after_bump(double t) {
  const double omega = std::sqrt(stiffness / mass);
  const double ways[] = {bump_at - half, bump_at, bump_at + half}, slopes[] = {slope, -2 * slope, slope};
  double z = 0.3 - mass * g / stiffness;
  for (int k = 0; k < 3; ++k)
    if (const double after = t - ways[k] / speed; after > 0)
      z += slopes[k] * speed * (after - std::sin(omega * after) / omega);
  return z;
}

void expect_bump_seen(const Function& profile, double direction) {
  Model model = in_plane();
  const BodyRef wheel =
      model.body("wheel", {.mass = mass, .inertia = 1, .position = {0.5, height_after_bump(0)}});
  Tyre tyre;
  tyre.radius = 0.3, tyre.stiffness = stiffness, tyre.speed = direction * speed;
  tyre.profile = profile;
  // The way along the road is zero as the motion begins.
  model.force("tyre", tyre, model.ground().at(0.5, 0), wheel.at(0, 0));
  Motion motion(model);
  for (const double t : {4.9, 5.1, 6.0}) EXPECT_NEAR(motion.to(t)("wheel.y"), height_after_bump(t), 1e-7) << t;
}

TEST(tyre, passes_over_no_bump_of_the_road) {
  for (const double direction : {1, -1}) {
    SCOPED_TRACE(direction);
    const double top = direction * bump_at, high = half * slope;
    Spline rows;
    rows.data.columns = {{-1000, top - half, top, top + half, 1000}, {0, 0, high, 0, 0}};
    rows.interpolation.index = 2;  // straight
    expect_bump_seen(Function(rows), direction);
    Formula formula;
    formula.text = fmt::format("max(0, {} - {} * abs(x1 - ({})))", high, slope, top);
    formula.variable = "x1";
    expect_bump_seen(Function(formula), direction);
  }
}

// Only where the slope of the road jumps does a damped force, which asks for a new beginning of the integration.
TEST(tyre, roads_that_bend_smoothly_do_not_jump) {
  Formula bump;
  bump.variable = "x", bump.text = "if(x > 15 and x < 20, 0.1*(1 - cos(2*pi*(x - 15)/5)), 0)";
  const Breakpoints smooth = passed(Function(bump), 5, 2).kind().breakpoints(0, 10);
  EXPECT_TRUE(smooth.jumps.empty());
  ASSERT_EQ(smooth.knots.size(), 2);
  EXPECT_NEAR(smooth.knots[0], 5, 1e-9);
  EXPECT_NEAR(smooth.knots[1], 7.5, 1e-9);
  Spline ramp;
  ramp.data.columns = {{0, 10, 12, 30}, {0, 0, 0.1, 0.1}};
  ramp.interpolation.index = 2;  // straight
  Breakpoints sharp = passed(Function(ramp), 5, 2).kind().breakpoints(0, 10);
  std::ranges::sort(sharp.jumps);
  EXPECT_EQ(sharp.jumps, (std::vector<double>{2.5, 3.5}));
}
}  // namespace
}  // namespace mubody::testing
