// Lagrange multipliers alone.
#include "mubody/treatments/standard.h"

#include "tests/treatments/beads.h"

namespace mubody::testing {
namespace {
TEST(standard, leaves_violations_as_they_are) {
  Beads b;
  Dynamics d(*b.system);
  Standard treatment;
  b.accelerate(treatment, d);
  // Both beads go together, F / (m_1 + m_2), though the link is too long; λ pulls the first along.
  const double a = b.pull / (b.m1 + b.m2);
  EXPECT_TRUE(same(d.a[0], a));
  EXPECT_TRUE(same(d.a[3], a));
  EXPECT_TRUE(same(d.lambda[0], b.m1 * a));
}
}  // namespace
}  // namespace mubody::testing
