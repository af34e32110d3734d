// Derivatives of recordings against differences of high order, and against each other.
#include <map>

#include <gtest/gtest.h>

#include "tests/recording/graphs.h"

namespace mubody::testing {
namespace {
/// f'(0) from central differences, extrapolated from h to zero (Richardson): its error is of the tenth order.
template <class F> double slope_at_zero(const F& f, double h) {
  double table[5][5];
  for (int i = 0; i < 5; ++i, h /= 2) {
    table[i][0] = (f(h) - f(-h)) / (2 * h);
    for (int k = 1; k <= i; ++k)
      table[i][k] = table[i][k - 1] + (table[i][k - 1] - table[i - 1][k - 1]) / (std::pow(4, k) - 1);
  }
  return table[4][4];
}
}  // namespace

TEST(derivative, every_step_against_differences) {
  EveryStep e;
  std::vector<int> by;
  for (int k = 0; k < 4; ++k) by.push_back(e.g.input(k));
  std::map<std::pair<int, int>, int> found;
  for (const JacobianEntry& j : jacobian(e.g, e.outputs, by)) found[{j.row, j.column}] = j.node;
  const Numbers at = values(e.g, e.x, {});
  for (int k = 0; k < int(e.outputs.size()); ++k)
    for (int i = 0; i < 4; ++i) {
      const int node = e.outputs[std::size_t(k)];
      const double expected = slope_at_zero(
          [&](double h) {
            Numbers x = e.x;
            x[std::size_t(i)] += h;
            return values(e.g, x, {})[std::size_t(node)];
          },
          0.02);
      const auto entry = found.find({k, i});
      const double slope = entry == found.end() ? 0 : at[std::size_t(entry->second)];
      EXPECT_NEAR(slope, expected, 1e-11 * std::max(1., std::abs(expected)))
          << name_of(e.g[node].step) << " by " << i;
    }
}

TEST(derivative, structural_zeros_are_absent) {
  Computation g;
  const Recorded x = Recorded::input(g, 0), y = Recorded::input(g, 1), z = Recorded::input(g, 2);
  const std::vector<int> of{(x * y).node_in(g), (floor(x) + sin(z)).node_in(g),
                            (y - y + z * Recorded(0)).node_in(g)};
  const std::vector<JacobianEntry> j = jacobian(g, of, {x.node_in(g), y.node_in(g), z.node_in(g)});
  ASSERT_EQ(j.size(), 3U);
  EXPECT_EQ(j[0].node, y.node_in(g));
  EXPECT_EQ(j[1].node, x.node_in(g));
  EXPECT_EQ(j[2].row, 1);
  EXPECT_EQ(j[2].column, 2);
  EXPECT_EQ(j[2].node, cos(z).node_in(g));
}

// Closed forms at points where products of zero and infinity lurk.
TEST(derivative, of_powers_at_zero) {
  Computation g;
  const Recorded x = Recorded::input(g, 0), n = Recorded::input(g, 1);
  const Recorded p = pow(x, n);
  const std::vector<JacobianEntry> j = jacobian(g, {p.node_in(g)}, {x.node_in(g), n.node_in(g)});
  const Numbers at = values(g, {0, 2.5}, {});
  EXPECT_EQ(at[std::size_t(j[0].node)], 0);
  EXPECT_EQ(at[std::size_t(j[1].node)], 0);
}

TEST(derivative, seeds_may_be_inner_nodes_and_stop_there) {
  Computation g;
  const Recorded x = Recorded::input(g, 0), s = x * x, y = s * s + x;
  const std::vector<int> d = directional(g, {y.node_in(g)}, {{s.node_in(g), g.constant(1)}});
  EXPECT_EQ(values(g, {3}, {})[std::size_t(d[0])], 2 * 9);  // 2 s, and x stays
}

TEST(derivative, random_graphs_against_differences) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    RandomGraph r(seed, 60);
    std::vector<int> by;
    for (int k = 0; k < RandomGraph::inputs; ++k) by.push_back(r.g.input(k));
    std::map<std::pair<int, int>, int> found;
    for (const JacobianEntry& j : jacobian(r.g, r.outputs, by)) found[{j.row, j.column}] = j.node;
    const Numbers at = values(r.g, r.x[0], r.p[0]);
    for (int k = 0; k < int(r.outputs.size()); ++k)
      for (int i = 0; i < RandomGraph::inputs; ++i) {
        const auto f = [&](double h) {
          Numbers x = r.x[0];
          x[std::size_t(i)] += h;
          return values(r.g, x, r.p[0])[std::size_t(r.outputs[std::size_t(k)])];
        };
        const double rough = slope_at_zero(f, 1e-3), expected = slope_at_zero(f, 4e-3);
        // Near a jump or a corner differences do not agree with each other.
        if (!(std::abs(rough - expected) < 1e-9 * std::max(1., std::abs(expected)))) continue;
        const auto entry = found.find({k, i});
        const double slope = entry == found.end() ? 0 : at[std::size_t(entry->second)];
        EXPECT_NEAR(slope, expected, 1e-8 * std::max(1., std::abs(expected)))
            << "seed " << seed << " output " << k;
        ++compared;
      }
  }
  EXPECT_GT(compared, 40 * 16 * 5 * 9 / 10);
}

// The derivative in a direction is the Jacobian times it.
TEST(derivative, directional_is_the_jacobian_times_the_direction) {
  RandomGraph r(5);
  std::vector<int> by;
  std::vector<std::pair<int, int>> seeds;
  for (int k = 0; k < RandomGraph::inputs; ++k) {
    by.push_back(r.g.input(k));
    seeds.push_back({by.back(), r.g.constant(0.5 + k)});
  }
  const std::vector<int> d = directional(r.g, r.outputs, seeds);
  const std::vector<JacobianEntry> entries = jacobian(r.g, r.outputs, by);
  const Numbers at = values(r.g, r.x[0], r.p[0]);
  for (int k = 0; k < int(d.size()); ++k) {
    double sum = 0, size = 1;
    for (const JacobianEntry& j : entries)
      if (j.row == k) {
        const double term = at[std::size_t(j.node)] * (0.5 + j.column);
        sum += term, size += std::abs(term);
      }
    EXPECT_NEAR(at[std::size_t(d[std::size_t(k)])], sum, 1e-12 * size);
  }
}
}  // namespace mubody::testing
