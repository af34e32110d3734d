// What a recording keeps of a computation.
#include <gtest/gtest.h>

#include "tests/recording/graphs.h"

namespace mubody::testing {
TEST(graph, equal_operations_are_one_node_and_constants_fold) {
  Computation g;
  const Recorded x = Recorded::input(g, 0), y = Recorded::input(g, 1);
  const Recorded s = sin(x) * y, again = y * sin(x);
  EXPECT_EQ(s.node_in(g), again.node_in(g));
  const std::size_t before = g.nodes().size();
  EXPECT_TRUE(g.is(((x - x) * y).node_in(g), 0));
  EXPECT_EQ((x + Recorded(0)).node_in(g), x.node_in(g));
  EXPECT_EQ((Recorded(1) * x).node_in(g), x.node_in(g));
  EXPECT_TRUE(g.is((Recorded(2) * Recorded(3)).node_in(g), 6));
  EXPECT_EQ((-(-x)).node_in(g), x.node_in(g));
  EXPECT_EQ(pow(x, Recorded(g, g.constant(2))).node_in(g), (x * x).node_in(g));
  EXPECT_LE(g.nodes().size(), before + 8);
}

TEST(graph, tables_at_known_places_are_numbers) {
  Computation g;
  const int begins = g.table({1, {0, 1, 2, 3}}), rows = g.table({2, {1, 2, 3, 4, 5, 6}});
  EXPECT_EQ(g.table({1, {0, 1, 2, 3}}), begins);
  const int row = g.index(g.constant(1.5), begins);
  EXPECT_TRUE(g.is(row, 1));
  EXPECT_TRUE(g.is(g.fetch(row, rows, 1), 4));
  // Before the first and beyond the last: the outer pieces.
  EXPECT_TRUE(g.is(g.index(g.constant(-7), begins), 0));
  EXPECT_TRUE(g.is(g.index(g.constant(7), begins), 2));
}

TEST(graph, numbers_that_vary_are_parameters) {
  Computation g({0, -1, 1});
  const Recorded x = Recorded::input(g, 0);
  Recorded y = Recorded(3.) * x;
  y = y + Recorded(4.);
  y = y + Recorded(5.) * x;
  EXPECT_EQ(g.parameters(), (Numbers{3, 5}));
  EXPECT_EQ(g.numbers(), (Numbers{3, 4, 5}));
  const Numbers at = values(g, {2}, {10, 100});
  EXPECT_EQ(at[std::size_t(y.node_in(g))], 10 * 2 + 4 + 100 * 2);
}

TEST(routine, leaves_out_what_it_does_not_need_and_counts_the_rest) {
  Computation g;
  const Recorded x = Recorded::input(g, 0), y = Recorded::input(g, 1);
  const Recorded unused = exp(x) / y;
  const Recorded wanted = sqrt(x * x + y * y) - sin(x) / y;
  const Routine r{"wanted", {wanted.node_in(g)}};
  const std::vector<int> nodes = needed(g, r.outputs);
  EXPECT_EQ(std::count(nodes.begin(), nodes.end(), unused.node_in(g)), 0);
  const OperationCounts c = operations(g, r);
  EXPECT_EQ(c.additions, 2);
  EXPECT_EQ(c.multiplications, 2);
  EXPECT_EQ(c.divisions, 1);
  EXPECT_EQ(c.roots, 1);
  EXPECT_EQ(c.transcendental, 1);
  EXPECT_EQ(c.total(), 7);
  EXPECT_EQ(in_words(c), "2 additions, 2 multiplications, 1 divisions, 1 roots, 1 transcendental functions");
}

TEST(routine, each_node_comes_after_its_arguments_in_every_order) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const RandomGraph random(seed);
    const std::vector<int> order = order_of(random.g, random.outputs), nodes = needed(random.g, random.outputs);
    ASSERT_EQ(order.size(), nodes.size());
    std::vector<char> known(random.g.nodes().size(), 0);
    for (const int n : order) {
      for (const int a : arguments_of(random.g[n])) ASSERT_TRUE(known[std::size_t(a)]);
      known[std::size_t(n)] = 1;
    }
    EXPECT_LE(waiting(random.g, order, random.outputs).mean, waiting(random.g, nodes, random.outputs).mean);
  }
}

TEST(routine, values_that_wait_for_long_are_made_late) {
  Computation g;
  std::vector<Recorded> sines;
  for (int k = 0; k < 30; ++k) sines.push_back(sin(Recorded::input(g, k)));
  Recorded sum = Recorded(g, g.input(30));
  for (const Recorded& s : sines) sum = sum * s;
  const std::vector<int> outputs{sum.node_in(g)};
  EXPECT_EQ(waiting(g, needed(g, outputs), outputs).most, 30);
  EXPECT_EQ(waiting(g, order_of(g, outputs), outputs).most, 2);
}
}  // namespace mubody::testing
