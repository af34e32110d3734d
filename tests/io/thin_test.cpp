// Thinning keeps the peaks of long results and all rows of short ones, and states the true error.
#include "mubody/report/thin.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace mubody::testing {
namespace {
using io::thin, io::Thinned, io::ThinLimits;

/// A slow wave, and a peak of one row at `peak`.
Table waves(std::size_t rows, std::size_t peak) {
  Table t{"bodies", {{"time", "s"}, {"rod.x", "m"}, {"rod.vx", "m/s"}}, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    const double time = 1e-3 * double(row);
    t.values.insert(t.values.end(), {time, std::sin(0.5 * time), row == peak ? 100.0 : 0.0});
  }
  return t;
}

Thinned thinned(const Table& t, const ThinLimits& limits) {
  const Table* const all[] = {&t};
  return thin(all, limits);
}

TEST(thin, keeps_all_of_what_is_short) {
  const Thinned kept = thinned(waves(100, 50), {});
  EXPECT_EQ(kept.rows.size(), 100u);
  EXPECT_EQ(kept.columns.size(), 2u);
  EXPECT_EQ(kept.error, 0);
  EXPECT_EQ(kept.left_out, 0u);
}

TEST(thin, keeps_ends_and_the_peak_of_one_row) {
  const Thinned kept = thinned(waves(10'000, 4321), {.rows = 200});
  EXPECT_LE(kept.rows.size(), 200u);
  EXPECT_EQ(kept.rows.front(), 0u);
  EXPECT_EQ(kept.rows.back(), 9999u);
  EXPECT_TRUE(std::ranges::is_sorted(kept.rows));
  EXPECT_TRUE(std::ranges::adjacent_find(kept.rows) == kept.rows.end());
  EXPECT_TRUE(std::ranges::binary_search(kept.rows, 4321u));
}

// A parabola between kept rows h apart is off the chord by f'' h²/8: with x = sin(t/2), range 2, f'' <= 1/4.
TEST(thin, states_the_error_of_a_wave) {
  Table t = waves(20'001, 0);
  for (std::size_t row = 0; row < t.rows(); ++row) t.values[3 * row + 2] = 0;
  const Thinned kept = thinned(t, {.rows = 201});
  double widest = 0;
  for (std::size_t k = 1; k < kept.rows.size(); ++k)
    widest = std::max(widest, 1e-3 * double(kept.rows[k] - kept.rows[k - 1]));
  const double bound = 0.25 * widest * widest / 8 / 2;
  EXPECT_LE(kept.error, bound * (1 + 1e-9));
  EXPECT_GT(kept.error, bound / 4);
  EXPECT_EQ(kept.worst, "rod.x");
}

TEST(thin, leaves_out_what_is_needed_least) {
  const Thinned kept = thinned(waves(1000, 5), {.values = 600, .rows = 20'000, .fewest = 500});
  ASSERT_EQ(kept.columns.size(), 1u);
  EXPECT_EQ(kept.columns[0].column, 1u);  // the position, not the velocity
  EXPECT_EQ(kept.left_out, 1u);
  EXPECT_LE(kept.rows.size(), 600u);
}

TEST(thin, numbers_that_are_not_finite_do_not_matter) {
  Table t = waves(5000, 17);
  for (std::size_t row = 2000; row < 2100; ++row) t.values[3 * row + 1] = std::nan("");
  const Thinned kept = thinned(t, {.rows = 100});
  EXPECT_LE(kept.rows.size(), 100u);
  EXPECT_TRUE(std::isfinite(kept.error));
}

TEST(thin, nothing_stays_nothing) {
  EXPECT_TRUE(thin({}).rows.empty());
  EXPECT_TRUE(thinned(Table{"bodies", {{"time", "s"}, {"rod.x", "m"}}, {}}, {}).rows.empty());
}
}  // namespace
}  // namespace mubody::testing
