// Tapes give what the graph says, for one mechanism and for many.
#include "mubody/recording/tape.h"

#include <gtest/gtest.h>

#include "tests/recording/graphs.h"

namespace mubody::testing {
namespace {
constexpr int W = Tape::lanes;
const std::vector<Numbers> nothing(W);  // no parameters

/// The outputs of all lanes, lane by lane.
std::vector<Numbers> lanes_of(const Tape& tape, const std::vector<Numbers>& x, const std::vector<Numbers>& p,
                              int widest = 64) {
  const auto side_by_side = [](const std::vector<Numbers>& rows) {
    Numbers all(rows[0].size() * W);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = rows[k % W][k / W];
    return all;
  };
  TapeWork work(tape, W);
  work.set_parameters(tape, side_by_side(p).data());
  Numbers y(std::size_t(tape.outputs() * W));
  tape.in_lanes(side_by_side(x).data(), y.data(), work, widest);
  std::vector<Numbers> out(W, Numbers(std::size_t(tape.outputs())));
  for (std::size_t k = 0; k < y.size(); ++k) out[k % W][k / W] = y[k];
  return out;
}
Numbers one_of(const Tape& tape, const Numbers& x, const Numbers& p) {
  TapeWork work(tape);
  work.set_parameters(tape, p.data());
  Numbers y(std::size_t(tape.outputs()));
  tape(x.data(), y.data(), work);
  return y;
}
}  // namespace

TEST(tape, every_step_for_one_and_in_lanes) {
  const EveryStep e;
  const Tape tape(e.g, {"every", e.outputs});
  const Numbers at = values(e.g, e.x, {}), one = one_of(tape, e.x, {});
  const std::vector<Numbers> many = lanes_of(tape, std::vector<Numbers>(W, e.x), nothing);
  for (std::size_t k = 0; k < e.outputs.size(); ++k) {
    const double expected = at[std::size_t(e.outputs[k])], allowed = 1e-14 * std::max(1., std::abs(expected));
    EXPECT_NEAR(one[k], expected, allowed) << name_of(e.g[e.outputs[k]].step);
    for (const Numbers& lane : many) EXPECT_NEAR(lane[k], expected, allowed) << name_of(e.g[e.outputs[k]].step);
  }
}

// A mechanism gets the same digits in half the lanes.
TEST(tape, few_lanes_are_the_first_of_all) {
  constexpr int few = Tape::few_lanes;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const RandomGraph r(seed, 300);
    const Tape tape(r.g, {"random", r.outputs});
    const std::vector<Numbers> many = lanes_of(tape, r.x, r.p);
    const auto side_by_side = [](const std::vector<Numbers>& rows) {
      Numbers all(rows[0].size() * few);
      for (std::size_t k = 0; k < all.size(); ++k) all[k] = rows[k % few][k / few];
      return all;
    };
    TapeWork work(tape, few);
    work.set_parameters(tape, side_by_side(r.p).data());
    Numbers y(std::size_t(tape.outputs() * few));
    tape.in_lanes(side_by_side(r.x).data(), y.data(), work);
    for (std::size_t k = 0; k < y.size(); ++k) {
      const double expected = many[k % few][k / few];
      ASSERT_TRUE(y[k] == expected || (std::isnan(y[k]) && std::isnan(expected))) << "seed " << seed;
    }
  }
}

TEST(tape, random_graphs_for_one_and_in_lanes) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const RandomGraph r(seed, seed % 2 ? 60 : 400);
    const Tape tape(r.g, {"random", r.outputs});
    const std::vector<Numbers> many = lanes_of(tape, r.x, r.p, 16 << (seed % 3));
    for (std::size_t l = 0; l < W; ++l) {
      const Numbers one = one_of(tape, r.x[l], r.p[l]);
      const Numbers& allowed = r.round_off[l];
      for (std::size_t k = 0; k < r.outputs.size(); ++k) {
        const auto n = std::size_t(r.outputs[k]);
        ASSERT_NEAR(one[k], r.at[l][n], allowed[n]) << "seed " << seed << ", output " << k;
        ASSERT_NEAR(many[l][k], r.at[l][n], 2 * allowed[n])
            << "seed " << seed << ", output " << k << ", lane " << l;
      }
    }
  }
}

// A second evaluation finds constants and parameters where they were: nothing else was written there.
TEST(tape, evaluated_again_and_again_gives_the_same) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const RandomGraph r(seed);
    const Tape tape(r.g, {"random", r.outputs});
    TapeWork work(tape);
    work.set_parameters(tape, r.p[0].data());
    Numbers first(r.outputs.size()), other = first, again = first;
    tape(r.x[0].data(), first.data(), work);
    tape(r.x[1].data(), other.data(), work);
    tape(r.x[0].data(), again.data(), work);
    EXPECT_EQ(first, again);
  }
}

TEST(tape, lanes_do_not_see_each_other) {
  const RandomGraph r(3);
  const Tape tape(r.g, {"random", r.outputs});
  const std::vector<Numbers> before = lanes_of(tape, r.x, r.p);
  std::vector<Numbers> x = r.x;
  for (std::size_t l = 1; l < W; ++l) x[l] = r.x[0];
  EXPECT_EQ(before[0], lanes_of(tape, x, r.p)[0]);
}

// Nor when a neighbour is so large that it is left to the library.
TEST(tape, lanes_do_not_see_large_numbers_beside_them) {
  Computation g;
  const Recorded x = Recorded::input(g, 0), y = Recorded::input(g, 1);
  Routine r{"functions", {}};
  for (const Recorded& f : {sin(x), cos(x), exp(x), atan2(y, x), remainder(x, y), sqrt(x)})
    r.outputs.push_back(f.node_in(g));
  const Tape tape(g, r);
  Random random(1);
  for (const int widest : {16, 32, 64})
    for (const Numbers& large :
         std::vector<Numbers>{{1e9, 1}, {1e5, 1e-9}, {INFINITY, 2}, {NAN, 1}, {-1e301, 1e305}}) {
      std::vector<Numbers> points;
      for (int l = 0; l < W; ++l) points.push_back({random(-600, 600), random(-5, 5)});
      const std::vector<Numbers> before = lanes_of(tape, points, nothing, widest);
      points[5] = large;
      const std::vector<Numbers> after = lanes_of(tape, points, nothing, widest);
      for (std::size_t l = 0; l < W; ++l)
        for (std::size_t k = 0; k < r.outputs.size(); ++k)
          if (l != 5 && !std::isnan(before[l][k])) EXPECT_EQ(after[l][k], before[l][k]);
      EXPECT_TRUE(std::isnan(large[0]) || after[5][2] == std::exp(large[0]));
    }
}

TEST(tape, sines_of_any_angle) {
  Computation g;
  const Recorded x = Recorded::input(g, 0);
  const Tape tape(g, {"sines", {sin(x).node_in(g), cos(x).node_in(g)}});
  EXPECT_EQ(tape.steps(), 1);
  Random random(1);
  for (const double size : {1e-3, 1., 10., 1e3, 9e5, 1e7, 1e15})
    for (const int widest : {16, 32, 64}) {
      std::vector<Numbers> angles;
      for (int l = 0; l < W; ++l) angles.push_back({random(-size, size)});
      const std::vector<Numbers> y = lanes_of(tape, angles, nothing, widest);
      for (std::size_t l = 0; l < W; ++l) {
        EXPECT_NEAR(y[l][0], std::sin(angles[l][0]), 3e-16);
        EXPECT_NEAR(y[l][1], std::cos(angles[l][0]), 3e-16);
      }
    }
}

TEST(tape, angles_and_exponentials_in_lanes) {
  Computation g;
  const Recorded x = Recorded::input(g, 0), y = Recorded::input(g, 1);
  const Tape tape(g, {"functions", {atan2(y, x).node_in(g), exp(x).node_in(g)}});
  Random random(1);
  std::vector<Numbers> points{
      {0, 0},   {1, 0},   {-1, 0},   {0, 1},    {0, -1},   {1, 1},      {-1, 1},
      {-1, -1}, {1, -0.}, {-1, -0.}, {0.66, 1}, {1, 0.66}, {1e-200, 1}, {-1e-200, -1e-200}};
  for (const double size : {1e-8, 1., 30., 700.})
    for (int k = 0; k < 300; ++k) points.push_back({random(-size, size), random(-size, size)});
  for (const Numbers& far :
       std::vector<Numbers>{{720, 1}, {-800, 1}, {INFINITY, 2}, {-INFINITY, 2}, {3, -INFINITY}})
    points.push_back(far);
  for (const int widest : {16, 32, 64})
    for (std::size_t from = 0; from < points.size(); from += W) {
      std::vector<Numbers> some;
      for (std::size_t l = 0; l < W; ++l) some.push_back(points[std::min(from + l, points.size() - 1)]);
      const std::vector<Numbers> r = lanes_of(tape, some, nothing, widest);
      for (std::size_t l = 0; l < W; ++l) {
        const double angle = std::atan2(some[l][1], some[l][0]), exponential = std::exp(some[l][0]);
        EXPECT_NEAR(r[l][0], angle, 4e-16 * std::abs(angle)) << some[l][0] << ' ' << some[l][1];
        if (std::isinf(exponential))
          EXPECT_EQ(r[l][1], exponential);
        else
          EXPECT_NEAR(r[l][1], exponential, 4e-16 * exponential + 1e-306) << some[l][0];
      }
    }
}

TEST(tape, remainders_of_many_turns) {
  Computation g;
  const Recorded x = Recorded::input(g, 0);
  const Tape tape(g, {"remainder", {remainder(x, Recorded(6.283185307179586)).node_in(g)}});
  Random random(1);
  for (const double size : {1., 10., 1e3, 1e6, 1e12})
    for (const int widest : {16, 32, 64}) {
      std::vector<Numbers> angles;
      for (int l = 0; l < W; ++l) angles.push_back({random(-size, size)});
      const std::vector<Numbers> y = lanes_of(tape, angles, nothing, widest);
      for (std::size_t l = 0; l < W; ++l)
        EXPECT_NEAR(y[l][0], std::remainder(angles[l][0], 6.283185307179586), 1e-15);
    }
}

TEST(tape, sums_of_products_go_through_the_running_value) {
  Computation g;
  Recorded sum = Recorded::input(g, 0);
  for (int k = 1; k <= 20; k += 2) sum = sum + Recorded::input(g, k) * Recorded::input(g, k + 1);
  const Tape tape(g, {"sum", {sum.node_in(g)}});
  EXPECT_LE(tape.steps(), 11);
  EXPECT_EQ(tape.places(), 21 + 2);
  Numbers x;
  for (int k = 0; k <= 20; ++k) x.push_back(k);
  double expected = 0;
  for (int k = 1; k <= 20; k += 2) expected += k * (k + 1);
  EXPECT_EQ(one_of(tape, x, {})[0], expected);
}

TEST(tape, what_depends_on_parameters_alone_is_done_once) {
  Computation g({0, 1});
  const Recorded x = Recorded::input(g, 0), m(g, g.number(2)), k(g, g.number(3));
  const Tape tape(g, {"oscillator", {(-(x * (k / m))).node_in(g), (k / m).node_in(g)}});
  EXPECT_EQ(tape.steps_once(), 1);
  EXPECT_EQ(tape.steps(), 2);
  EXPECT_EQ(one_of(tape, {5}, {2, 3}), (Numbers{-7.5, 1.5}));
}
}  // namespace mubody::testing
