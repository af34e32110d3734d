// Drivers whose velocity or position jumps: forces are infinite there, and no run that is asked for them is trusted.
#include "mubody/mechanism/driver_jumps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
Study moved(const std::string& analysis, const std::string& value) {
  return io::read_study_text(
      fmt::format(R"toml(gravity = [0, -9.81]
[bodies]
cart = {{mass = 1, inertia = 1, position = [0, 0]}}
pend = {{mass = 1, inertia = 0.1, position = [0, -1]}}
[joints]
rail = {{type = "translational", bodies = ["ground", "cart"], i = {{at = [0, 0], axis = [1, 0]}}, j = {{at = [0, 0], axis = [1, 0]}}}}
pin = {{type = "revolute", bodies = ["cart", "pend"], i = [0, 0], j = [0, 1]}}
[drivers]
d = {{type = "slide", joint = "rail", value = {}}}
{}
[analysis]
type = "{}"
end = 2
[output]
step = 0.01)toml",
                  value,
                  analysis == "forward" ? "" : R"toml(e = {type = "angle", joint = "pin", value = 0})toml",
                  analysis),
      "test.toml");
}
constexpr const char* lines =
    R"toml({type = "spline", data = [[0, 0], [0.5, 1], [1, 0.2], [2, 0.5]], interpolation = "linear"})toml";

// One body that a driver turns or slides.
Study alone(const std::string& analysis, const std::string& kind, const std::string& value, double end) {
  const bool slides = kind == "slide";
  return io::read_study_text(fmt::format(R"toml([bodies]
body = {{mass = 1, inertia = 1}}
[joints]
hold = {{type = "{}", bodies = ["ground", "body"], at = [0, 0]{}}}
[drivers]
d = {{type = "{}", joint = "hold", value = "= {}"}}
[analysis]
type = "{}"
end = {}
[output]
step = 0.5)toml",
                                         slides ? "translational" : "revolute", slides ? ", axis = [1, 0]" : "",
                                         kind, value, analysis, end),
                             "test.toml");
}

bool says(const std::vector<std::string>& remarks, const std::string& what) {
  return std::ranges::any_of(remarks, [&](const std::string& x) { return x.find(what) != std::string::npos; });
}
}  // namespace

TEST(driver_jumps, of_velocity_are_named_with_driver_instant_and_remedy) {
  for (const char* value : {lines, R"toml("= if(t < 0.5, 2*t, 1.8 - 1.6*t)")toml"})
    for (const char* analysis : {"kinematic", "inverse", "forward"}) {
      const Results r = run(moved(analysis, value));
      EXPECT_TRUE(says(r.remarks, "driver 'd' asks for a velocity that jumps from 2 to -1.6 m/s at t = 0.5 s"))
          << analysis;
      EXPECT_TRUE(says(r.remarks, "\"monotone\" or \"spline\"")) << analysis;
      EXPECT_EQ(r.trusted, std::string(analysis) == "kinematic") << analysis << ": " << r.verdict;
      if (!r.trusted) {
        EXPECT_NE(r.verdict.find("'acceleration of d' is not finite at t = 0.5 s"), std::string::npos)
            << r.verdict;
      }
    }
}

TEST(driver_jumps, of_velocity_leave_positions_and_velocities_right) {
  const Results r = run(moved("kinematic", lines));
  const auto t = r.times(), x = r.column("cart.x"), v = r.column("cart.vx");
  for (std::size_t k = 0; k < t.size(); ++k) {
    EXPECT_NEAR(x[k], t[k] <= 0.5 ? 2 * t[k] : t[k] <= 1 ? 1.8 - 1.6 * t[k] : 0.2 + 0.3 * (t[k] - 1), 1e-14);
    const double nearest = std::min(std::abs(t[k] - 0.5), std::abs(t[k] - 1));
    if (nearest > 1e-6) {
      EXPECT_NEAR(v[k], t[k] < 0.5 ? 2 : t[k] < 1 ? -1.6 : 0.3, 1e-14);
    }
  }
}

TEST(driver_jumps, of_position_stop_a_driven_motion_and_are_not_trusted_in_others) {
  for (const char* analysis : {"kinematic", "inverse", "forward"}) {
    const Results r = run(moved(analysis, R"toml("= if(t < 1, 0, 0.1)")toml"));
    EXPECT_FALSE(r.trusted) << analysis;
    EXPECT_TRUE(says(r.remarks, "driver 'd' asks for a position that jumps from 0 to 0.1 m at t = 1 s"));
    if (std::string(analysis) == "forward") {
      EXPECT_NE(r.verdict.find("'velocity of d' is not finite at t = 1 s"), std::string::npos) << r.verdict;
    } else {
      EXPECT_EQ(r.outcome.kind, Outcome::not_finite);
      EXPECT_NE(r.outcome.why.find("driver 'd'"), std::string::npos) << r.outcome.why;
      EXPECT_TRUE(r.events.empty());
    }
  }
}

// Smooth ones are no jumps, whatever they are made of; nor are whole turns of an angle, nor rounding.
TEST(driver_jumps, are_none_in_smooth_functions) {
  for (
      const char* value :
      {R"toml("= if(t < 1, t^2, 2*t - 1)")toml", R"toml("= if(t < 1, 0, sin(pi*t)^2)")toml",
       R"toml({type = "step", to = 0.3, start = 0.2, end = 1.1, order = "cubic"})toml",
       R"toml("= step(t, 0.3, 0, 0.9, 1)")toml",
       R"toml({type = "spline", data = [[0, 0], [0.5, 1], [1, 0.2], [2, 0.5]], interpolation = "monotone"})toml",
       R"toml({type = "spline", data = [[0.1, 0], [0.5, 1], [1, 0.2], [1.5, 0.5]]})toml"})
    for (const char* analysis : {"inverse", "forward"}) {
      const Study s = moved(analysis, value);
      EXPECT_TRUE(driver_jumps(s.mechanism, 0, 2).empty()) << value;
      const Results r = run(s);
      EXPECT_TRUE(r.trusted) << value << ": " << r.verdict;
    }
  const Study wheel = io::read_study_text(R"toml([bodies]
wheel = {mass = 1, inertia = 1}
[joints]
pin = {type = "revolute", bodies = ["ground", "wheel"], i = [0, 0], j = [0, 0]}
[drivers]
d = {type = "angle", joint = "pin", value = "= mod(7*t, 2*pi)"}
[analysis]
type = "inverse"
end = 5)toml",
                                          "test.toml");
  EXPECT_TRUE(driver_jumps(wheel.mechanism, 0, 5).empty());
  EXPECT_TRUE(run(wheel).trusted);
}

// t² − 100 t + 2500 is known to some 1e-12, so that the condition flickers about 49 and 51 s.
TEST(driver_jumps, are_seen_where_round_off_decides_when_they_are) {
  for (const char* analysis : {"kinematic", "inverse", "forward"}) {
    const std::string value = "if(t^2 - 100*t + 2500 < 1, 2*t, t + 49) - 49";
    const Results r = run(alone(analysis, "slide", value, 50.5));
    EXPECT_TRUE(r.outcome) << analysis << ": " << r.outcome.why;
    EXPECT_TRUE(says(r.remarks, "driver 'd' asks for a velocity that jumps from 1 to 2 m/s at t = 49 s"))
        << analysis;
    EXPECT_EQ(r.trusted, std::string(analysis) == "kinematic") << analysis << ": " << r.verdict;
    const Results torn = run(alone(analysis, "slide", value, 52));
    EXPECT_TRUE(
        says(torn.remarks, "'d' asks for a velocity that jumps from 1 to 2 m/s at t = 49 s, and 1 more"))
        << analysis;
    EXPECT_FALSE(torn.trusted) << analysis;
    if (std::string(analysis) != "forward") {
      EXPECT_EQ(torn.outcome.kind, Outcome::not_finite) << analysis << ": " << torn.outcome.why;
      EXPECT_TRUE(torn.events.empty()) << analysis;
    }
  }
}

TEST(driver_jumps, are_not_measured_against_turns_nor_against_the_distance_from_the_origin) {
  const auto jumps = [](const char* kind, const std::string& value) {
    return driver_jumps(alone("inverse", kind, value, 100).mechanism, 0, 100).size();
  };
  EXPECT_EQ(jumps("angle", "1e5*t + if(t > 50, 0.004, 0)"), 1U);
  EXPECT_EQ(jumps("slide", "7e6 + 0.1*sin(t) + if(t > 50, 0.001, 0)"), 1U);
  EXPECT_EQ(jumps("slide", "0.1*sin(t) + if(t > 50, 1e-5, 0)"), 1U);
  // What the last digits of large numbers leave over is none.
  EXPECT_EQ(jumps("angle", "if(t > 50, 1e5*t, 1e5*(t - 50)/3*3 + 5e6)"), 0U);
  EXPECT_EQ(jumps("slide", "7e6 + 0.1*sin(t) + if(t > 50, 1, 3*(1/3))"), 0U);
}

TEST(driver_jumps, have_two_sides_in_the_span) {
  const Study study = alone("forward", "slide", "sin(t) + if(t > 50, 0.1, 0)", 100);
  EXPECT_EQ(driver_jumps(study.mechanism, 49, 51).size(), 1U);
  EXPECT_TRUE(driver_jumps(study.mechanism, 50, 100).empty());
  EXPECT_TRUE(driver_jumps(study.mechanism, 0, 50).empty());
}
}  // namespace mubody::testing
