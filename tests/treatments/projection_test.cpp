// Back to the constraints in the metric of the mass.
#include "mubody/treatments/projection.h"

#include "tests/treatments/beads.h"

namespace mubody::testing {
namespace {
TEST(projection, heavy_beads_move_less) {
  Beads b;
  Dynamics d(*b.system);
  Projection treatment;
  b.settle(treatment, d);
  // Each moves by the share of the other's mass, so that the centre of mass stays; velocities likewise.
  const double M = b.m1 + b.m2;
  EXPECT_TRUE(same(b.x1(), b.gap * b.m2 / M));
  EXPECT_TRUE(same(b.x2(), 1 + b.gap - b.gap * b.m1 / M));
  EXPECT_TRUE(same(b.u[0], b.speed * b.m2 / M));
  EXPECT_TRUE(same(b.u[3], b.speed * b.m2 / M));
}
}  // namespace
}  // namespace mubody::testing
