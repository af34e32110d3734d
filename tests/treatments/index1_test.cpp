// Mass-orthogonal projections by an augmented Lagrangian.
#include "mubody/treatments/index1.h"

#include "tests/treatments/beads.h"

namespace mubody::testing {
namespace {
TEST(index1, ends_where_the_projection_does) {
  Beads b;
  Dynamics d(*b.system);
  Index1 treatment;
  b.settle(treatment, d);
  // Orthogonal in the metric of the mass: the centre of mass stays, and the link has its length.
  const double M = b.m1 + b.m2;
  EXPECT_TRUE(same(b.x2() - b.x1(), 1));
  EXPECT_TRUE(same(b.x1(), b.gap * b.m2 / M, 1e6));  // (M + α DᵀD) with α = 1e7 costs digits
  EXPECT_TRUE(same(b.u[0], b.speed * b.m2 / M, 1e6));
}
// What follows a step sees the position after it, also where no more projections are allowed.
TEST(index1, knows_the_violation_after_its_last_projection) {
  Beads b;
  Dynamics d(*b.system);
  Index1 treatment;
  treatment.projections = 1;
  b.settle(treatment, d);
  EXPECT_LT(d.terms.phi.lpNorm<Eigen::Infinity>(), 1e-3 * std::abs(b.gap));
}
}  // namespace
}  // namespace mubody::testing
