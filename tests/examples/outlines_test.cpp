// Mechanisms that contacts of outlines drive: a Geneva wheel and a ratchet.
#include <algorithm>
#include <numbers>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
constexpr double degree = std::numbers::pi / 180;

// The wheel of the example without play: which quarter it is in, and where the pin is.
struct Geneva {
  double angle;     // of the wheel [rad]
  double distance;  // of the pin from the shaft [m]; 0 if it is in no slot
};
Geneva geneva_at(double t) {
  constexpr double C = 0.1, turn = 2 * std::numbers::pi;
  const double a = C / std::sqrt(2.0), driver = turn / 2 + 2 * turn * t, passes = std::round(driver / turn);
  const double alpha = driver - turn * passes, start = turn / 8 - turn / 4 * (passes - 1);
  if (std::abs(alpha) > turn / 8) return {alpha > 0 ? start - turn / 4 : start, 0};
  const double beta = std::atan2(a * std::sin(alpha), C - a * std::cos(alpha));
  return {start - turn / 8 - beta, std::hypot(C - a * std::cos(alpha), a * std::sin(alpha))};
}

TEST(geneva, turns_by_its_kinematics_within_play_and_depth) {
  const Results r = run_example("geneva");
  EXPECT_TRUE(r.outcome) << r.outcome.why;
  double deepest = 0;
  for (const ContactRecord& c : r.contacts) deepest = std::max(deepest, c.deepest);
  const std::vector<double> t = r.column("time"), angle = r.column("wheel.angle");
  ASSERT_EQ(t.size(), 1001u);
  const double of_lock =
      0.1 * std::sin(44.2 * degree);  // what 1 rad of the wheel moves at the tips of its arcs [m]
  for (std::size_t k = 0; k < t.size(); ++k) {
    const auto [ideal, distance] = geneva_at(t[k]);
    const double off = std::abs(angle[k] - ideal);
    if (distance > 0) {
      EXPECT_LT(off * distance, 5e-5 + deepest + 1e-8) << t[k];
    } else {
      // The disc holds the wheel by less and less of the arc while it leaves it.
      const double since = std::abs(std::remainder(t[k] - 0.25, 0.5));
      EXPECT_LT(off * of_lock, (since > 0.12 ? 2e-5 : 1.5e-4) + deepest) << t[k];
    }
  }
  EXPECT_NEAR(angle.back(), 45 * degree - 10 * 90 * degree, 5e-4);
}

// At its deepest a contact does not move, and the law has its elastic part alone.
TEST(geneva, is_nowhere_deeper_than_its_law) {
  const Results r = run_example("geneva", {"analysis.end=1"});
  ASSERT_GT(r.contacts.size(), 4u);
  for (const ContactRecord& c : r.contacts)
    EXPECT_LE(c.deepest, 1.001 * std::pow(c.peak_force / 1e9, 2. / 3)) << c.contact << " at " << c.onset;
}

TEST(ratchet, advances_by_twenty_teeth_and_never_slips_back) {
  const Results r = run_example("ratchet");
  EXPECT_TRUE(r.outcome) << r.outcome.why;
  const std::vector<double> t = r.column("time"), angle = r.column("wheel.angle"),
                            stop = r.column("stop.force");
  ASSERT_EQ(t.size(), 1001u);
  double lowest = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    lowest = std::min(lowest, angle[k]);
    // The lever goes 4 degrees beyond the tooth; so far it comes back.
    EXPECT_LT(angle[k], lowest + 4 * degree + 5e-3) << t[k];
    const double stroke = std::fmod(t[k], 0.2);
    if (stroke > 0.03 && stroke < 0.09) {
      EXPECT_NEAR(angle[k], -18 * degree * std::floor(t[k] / 0.2), 5e-3) << t[k];
      EXPECT_GT(stop[k], 0) << t[k];
    }
  }
  EXPECT_NEAR(angle.back(), -20 * 18 * degree, 1e-2);
}
}  // namespace
}  // namespace mubody::testing
