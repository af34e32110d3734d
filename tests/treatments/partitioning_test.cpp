// Independent coordinates stay as they are.
#include "mubody/treatments/partitioning.h"

#include "tests/treatments/beads.h"

namespace mubody::testing {
namespace {
TEST(partitioning, moves_the_dependent_bead_alone) {
  for (const int by : {0, 1}) {
    Beads b;
    Dynamics d(*b.system);
    Partitioning treatment;
    treatment.by.index = by;
    b.settle(treatment, d);
    // One of the two is independent and left to the bit; the other makes up for the whole gap.
    const double moved1 = b.x1(), moved2 = b.x2() - (1 + b.gap);
    EXPECT_TRUE(moved1 == 0 || moved2 == 0) << by;
    EXPECT_TRUE(same(moved1 - moved2, b.gap)) << by;
    EXPECT_TRUE(same(b.u[3] - b.u[0], 0)) << by;
    EXPECT_TRUE(b.u[0] == 0 || b.u[3] == b.speed) << by;
  }
}

TEST(partitioning, tangent_coordinates_take_from_both) {
  Beads b;
  Dynamics d(*b.system);
  Partitioning treatment;
  treatment.by.index = 2;
  b.settle(treatment, d);
  // The row space of D = (−1, 1) is moved along: half from each.
  EXPECT_TRUE(same(b.x1(), b.gap / 2));
  EXPECT_TRUE(same(b.x2(), 1 + b.gap / 2));
}
}  // namespace
}  // namespace mubody::testing
