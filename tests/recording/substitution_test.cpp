// Computations at other arguments: the values that they have where the arguments take those values.
#include "mubody/recording/substitution.h"

#include <gtest/gtest.h>

#include "tests/recording/graphs.h"

namespace mubody::testing {
TEST(substitution, every_step_at_another_place) {
  EveryStep e;
  const Recorded x = Recorded::input(e.g, 0), y = Recorded::input(e.g, 1);
  const std::vector<std::pair<int, int>> replaced{{e.g.input(0), (sin(x) * y + 0.2).node_in(e.g)},
                                                  {e.g.input(3), (x + y + y).node_in(e.g)}};
  const std::vector<int> there = substituted(e.g, e.outputs, replaced);
  const Numbers here = values(e.g, e.x, {});
  Numbers moved = e.x;
  moved[0] = here[std::size_t(replaced[0].second)], moved[3] = here[std::size_t(replaced[1].second)];
  const Numbers expected = values(e.g, moved, {});
  for (std::size_t k = 0; k < there.size(); ++k) {
    const double value = here[std::size_t(there[k])], wanted = expected[std::size_t(e.outputs[k])];
    EXPECT_NEAR(value, wanted, 1e-14 * std::max(1., std::abs(wanted))) << name_of(e.g[e.outputs[k]].step);
  }
}

TEST(substitution, shares_what_stays) {
  Computation g;
  const Recorded x = Recorded::input(g, 0), y = Recorded::input(g, 1), product = x * y;
  const int of_x = sin(x).node_in(g), of_both = (sin(x) + product).node_in(g);
  const std::vector<int> there =
      substituted(g, {of_x, of_both, y.node_in(g)}, {{y.node_in(g), product.node_in(g)}});
  EXPECT_EQ(there[0], of_x);
  EXPECT_EQ(there[1], (sin(x) + x * product).node_in(g));
  EXPECT_EQ(there[2], product.node_in(g));
}

// A node in the middle of a computation may be replaced, and what it was made of is not looked at.
TEST(substitution, takes_the_place_of_what_is_no_input) {
  Computation g;
  const Recorded x = Recorded::input(g, 0), inner = exp(x), outer = inner * inner + x;
  const int there = substituted(g, {outer.node_in(g)}, {{inner.node_in(g), x.node_in(g)}})[0];
  EXPECT_EQ(there, (x * x + x).node_in(g));
}
}  // namespace mubody::testing
