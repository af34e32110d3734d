// Back to the constraints by the shortest way.
#include "mubody/treatments/direct.h"

#include "tests/treatments/beads.h"

namespace mubody::testing {
namespace {
TEST(direct, both_beads_move_alike) {
  Beads b;
  Dynamics d(*b.system);
  Direct treatment;
  b.settle(treatment, d);
  // The shortest way takes half from each, whatever the masses are.
  EXPECT_TRUE(same(b.x1(), b.gap / 2));
  EXPECT_TRUE(same(b.x2(), 1 + b.gap / 2));
  EXPECT_TRUE(same(b.u[0], b.speed / 2));
  EXPECT_TRUE(same(b.u[3], b.speed / 2));
}
}  // namespace
}  // namespace mubody::testing
