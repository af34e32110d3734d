// Drivers that follow a function of the program: its rate and acceleration must be the derivatives of its values.
#include <cmath>
#include <functional>

#include "mubody/analyses/forward.h"
#include "mubody/analyses/inverse.h"
#include "mubody/analyses/kinematic.h"
#include "mubody/analyses/run.h"
#include "mubody/joints/angle.h"
#include "mubody/joints/revolute.h"
#include "mubody/mechanism/driver_slopes.h"
#include "tests/mechanics.h"

namespace mubody::testing {
namespace {
using Curve = std::function<Jet(double)>;

struct OwnCurve {
  static constexpr Info info{"own", "a function of the program"};
  Curve motion;

  void fields(Fields&) {}
  void check() {}
  Jet operator()(double t) const { return motion(t); }
};

Study follows(const Curve& motion, const char* analysis = "kinematic") {
  Model m = in_plane();
  const BodyRef rod = m.body("rod", {.mass = 1, .inertia = 0.1, .position = {0.5, 0}});
  m.joint("pin", Revolute{}, m.ground().at(0, 0), rod.at(-0.5, 0));
  Angle turn;
  turn.value = Function(OwnCurve{motion});
  m.joint("d", turn, m.ground().at(0, 0), rod.at(-0.5, 0));
  Study& s = m.study();
  const std::string_view type = analysis;
  s.analysis.type = type == "kinematic" ? analysis_of(Kinematic{})
                    : type == "inverse" ? analysis_of(Inverse{})
                                        : analysis_of(Forward{});
  s.analysis.end = 1;
  s.output.step = 0.1;
  return s;
}

TEST(own_function, with_its_derivatives_is_trusted) {
  const Curve right[] = {
      [](double t) {
        return Jet{std::sin(t), std::cos(t), -std::sin(t)};
      },
      [](double t) {
        return Jet{5 + std::sin(200 * t) / 200, std::cos(200 * t), -200 * std::sin(200 * t)};
      },
      [](double) {
        return Jet{0.3, 0, 0};
      },
      // at rest, then with a constant acceleration
      [](double t) {
        return t < 0.5 ? Jet{0, 0, 0} : Jet{(t - 0.5) * (t - 0.5), 2 * (t - 0.5), 2};
      },
      // values of single precision
      [](double t) {
        return Jet{double(float(std::sin(t))), double(float(std::cos(t))), -std::sin(t)};
      },
      [](double t) {
        return Jet{1e-9 * std::sin(t), 1e-9 * std::cos(t), -1e-9 * std::sin(t)};
      },
  };
  for (std::size_t k = 0; k < std::size(right); ++k) {
    EXPECT_TRUE(wrong_slopes(follows(right[k]).mechanism, 0, 1).empty()) << k;
    EXPECT_TRUE(wrong_slopes(follows(right[k]).mechanism, -1e3, 1e3).empty()) << k;
  }
  for (const char* analysis : {"kinematic", "inverse"}) {
    const Results r = run(follows(right[0], analysis));
    EXPECT_TRUE(r.trusted) << r.verdict;
  }
}

TEST(own_function, with_another_acceleration_is_not_trusted) {
  const Curve wrong = [](double t) { return Jet{std::sin(t), std::cos(t), 0}; };
  for (const char* analysis : {"kinematic", "inverse", "forward"}) {
    const Results r = run(follows(wrong, analysis));
    EXPECT_TRUE(r.outcome) << r.outcome.why;
    EXPECT_FALSE(r.trusted) << analysis;
    EXPECT_EQ(r.verdict.find("do not trust this: driver 'd' asks for an acceleration of 0 rad/s^2 at t = 0.98"),
              0u)
        << r.verdict;
    EXPECT_NE(r.verdict.find("where its rate changes by -0.83"), std::string::npos) << r.verdict;
  }
}

// No prediction of positions comes true, and steps would be short without end.
TEST(own_function, with_another_rate_comes_to_an_end) {
  const Curve wrong[] = {[](double t) {
                           return Jet{std::sin(t), 0, 0};
                         },
                         [](double t) {
                           return Jet{std::sin(t), 2 * std::cos(t), -2 * std::sin(t)};
                         },
                         [](double t) {
                           return Jet{std::sin(t), -std::cos(t), -std::sin(t)};
                         }};
  for (const Curve& motion : wrong)
    for (const char* analysis : {"kinematic", "inverse"}) {
      Study s = follows(motion, analysis);
      s.analysis.control.steps = 1'000'000;
      const Results r = run(s);
      EXPECT_EQ(r.outcome.kind, Outcome::too_many_steps) << r.outcome.why;
      EXPECT_LT(r.statistics.steps + r.statistics.rejected, 5'000);
      EXPECT_FALSE(r.trusted) << analysis;
      for (const std::string& words : {r.verdict, r.outcome.why})
        EXPECT_NE(words.find("driver 'd' asks for a rate of"), std::string::npos) << words;
    }
}

TEST(own_function, that_is_wrong_for_a_while_is_found) {
  // A rise between 0.4 and 0.6 s with a wrong sign of its acceleration.
  const Curve rise = [](double t) {
    const double w = std::acos(-1) / 0.2, s = t - 0.4;
    if (s <= 0 || s >= 0.2) return Jet{s <= 0 ? 0. : 2., 0, 0};
    return Jet{1 - std::cos(w * s), w * std::sin(w * s), -w * w * std::cos(w * s)};
  };
  const std::vector<WrongSlope> found = wrong_slopes(follows(rise).mechanism, 0, 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].of_rate);
  EXPECT_NEAR(found[0].given, -found[0].found, 1e-3 * std::abs(found[0].found));
}

TEST(own_function, stops_when_it_is_told_to_between_rows) {
  Study s = follows([](double t) { return Jet{std::sin(t), 0, 0}; });
  int asked = 0;
  const Results r = run(s, [&](double) { return ++asked < 1000; });
  EXPECT_EQ(r.outcome.kind, Outcome::interrupted);
  EXPECT_EQ(asked, 1000);
}
}  // namespace
}  // namespace mubody::testing
