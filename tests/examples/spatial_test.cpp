// The promises of the program for spatial mechanisms, in figures.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "tests/examples/example.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
// Marques, Souto and Flores (2017), third example; the slider by conservation of energy in its one freedom.
TEST(spatial_slider_crank, follows_its_one_freedom) {
  const Results r = run_example("spatial_slider_crank");
  EXPECT_EQ(r.integrator, "dormand-prince");
  EXPECT_TRUE(r.trusted) << r.verdict;
  const double y[] = {0.21076055156642015, 0.28125803833001845};
  EXPECT_NEAR(value_at(r, "slider.y", 1), y[0], 1e-8);
  EXPECT_NEAR(value_at(r, "slider.y", 5), y[1], 1e-8);
  EXPECT_LT(r.statistics.largest_violation, 1e-12);
}

// Turns are counted: in 5 s the crank goes round more than eight times.
TEST(spatial_slider_crank, counts_turns) {
  const Results r = run_example("spatial_slider_crank");
  std::string crank;
  for (const Column& c : r.find("joints")->columns)
    if (c.name.ends_with(".angle") && crank.empty()) crank = c.name;
  const std::vector<double> angle = r.column(crank);
  EXPECT_NEAR(std::abs(angle.back() - angle.front()), 52.99644499551099, 1e-7);
}

TEST(bricard, keeps_its_energy_and_says_what_is_redundant) {
  const Results r = run_example("bricard");
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_EQ(r.freedom.redundant.size(), 1U);
  EXPECT_EQ(r.freedom.redundant[0].joints.size(), 6U);
  EXPECT_EQ(r.freedom.actual, 1);
  EXPECT_LT(r.statistics.energy_residual, 1e-8);
  const auto open =
      std::ranges::count_if(r.reactions, [](const Reaction& x) { return x.unique == Reaction::no; });
  EXPECT_GT(open, 0);
  EXPECT_NEAR(value_at(r, "corner.x", 10), 0.9997309873038354, 1e-8);
  EXPECT_NEAR(value_at(r, "corner.y", 10), -0.9999999638258172, 1e-8);
  EXPECT_NEAR(value_at(r, "corner.z", 10), -0.0002689765122493046, 1e-8);
}

// Euler parameters have length one at every output time.
TEST(euler_parameters, have_length_one) {
  for (const char* name : {"heavy_top", "tumbling_body", "spatial_slider_crank"}) {
    const Results r = run_example(name);
    const Table& bodies = *r.find("bodies");
    int checked = 0;
    for (std::size_t c = 0; c < bodies.columns.size(); ++c) {
      if (!bodies.columns[c].name.ends_with(".e0")) continue;
      for (std::size_t row = 0; row < bodies.rows(); ++row, ++checked) {
        double size = 0;
        for (std::size_t k = 0; k < 4; ++k) size += bodies.at(row, c + k) * bodies.at(row, c + k);
        EXPECT_TRUE(same(std::sqrt(size), 1, 1)) << name;
      }
    }
    EXPECT_GT(checked, 0);
  }
}

// A linkage of the plane with four parallel pins in space: three equations too many, and the motion of the plane.
class FourBarInSpace : public ::testing::Test {
 protected:
  Results plane = run_example(
      "four_bar", {"analysis.integrator='dormand-prince'", "analysis.rtol=1e-12", "output.step=0.5"});
  Results space = run_example("four_bar_in_space", {"analysis.rtol=1e-12", "output.step=0.5"});
};

TEST_F(FourBarInSpace, moves_as_in_the_plane) {
  EXPECT_TRUE(space.trusted) << space.verdict;
  EXPECT_EQ(space.freedom.redundant.size(), 3U);
  EXPECT_EQ(space.freedom.actual, 1);
  for (const char* body : {"crank", "coupler", "follower"})
    for (const char* axis : {"x", "y", "vx", "vy"}) {
      const std::string channel = fmt::format("{}.{}", body, axis);
      const std::vector<double> a = plane.column(channel), b = space.column(channel);
      for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-9) << channel << " row " << k;
    }
  EXPECT_GT(std::abs(space.column("crank.x").back() - space.column("crank.x").front()),
            0.1);  // the mechanism moves
}

TEST_F(FourBarInSpace, has_the_same_reactions_in_the_plane_and_marks_the_others) {
  for (const char* on : {"A.on_ground", "A.on_crank", "B.on_coupler", "C.on_follower", "D.on_ground"})
    for (const char* component : {"fx", "fy"}) {
      const std::string channel = fmt::format("{}.{}", on, component);
      const std::vector<double> a = plane.column(channel), b = space.column(channel);
      for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-7) << channel << " row " << k;
    }
  for (const Reaction& x : space.reactions) {
    const bool in_plane =
        x.channel.ends_with(".fx") || x.channel.ends_with(".fy") || x.channel.ends_with(".mz");
    EXPECT_EQ(x.unique, in_plane ? Reaction::yes : Reaction::no) << x.channel;
  }
}

TEST(rolling_disc, goes_round_its_circle_and_keeps_its_energy) {
  const Results r = run_example("rolling_disc");
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_LT(r.statistics.energy_residual, 1e-10);
  const std::vector<double> x = r.column("disc.x"), y = r.column("disc.y");
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(std::hypot(x[k], y[k]), 1, 1e-9);  // curvature 1 / m
}

TEST(iltis_suspension, comes_to_rest_on_the_flat_road) {
  const Results r = run_example("iltis_suspension");
  EXPECT_TRUE(r.trusted) << r.verdict;
  EXPECT_NEAR(value_at(r, "wheel.z", 2.5), 0.3569019917623507, 1e-6);
  EXPECT_NEAR(value_at(r, "tyre.force", 2.5), 3414.583789318677, 0.05);
}
}  // namespace
}  // namespace mubody::testing
