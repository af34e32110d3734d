// Equations along what is free.
#include "mubody/treatments/null_space.h"

#include "tests/treatments/beads.h"

namespace mubody::testing {
namespace {
TEST(null_space, shares_the_load_of_redundant_links) {
  for (const int links : {1, 2}) {
    Beads b(links);
    Dynamics d(*b.system, links > 1);
    NullSpace treatment;
    b.accelerate(treatment, d);
    // Both beads go together; the multiplier m_1 F / (m_1 + m_2) of one link is shared equally by two.
    const double a = b.pull / (b.m1 + b.m2);
    EXPECT_TRUE(same(d.a[0], a));
    EXPECT_TRUE(same(d.a[3], a));
    for (int k = 0; k < links; ++k) EXPECT_TRUE(same(d.lambda[k], b.m1 * a / links)) << links;
  }
}
}  // namespace
}  // namespace mubody::testing
