// A penalty that is improved.
#include "mubody/treatments/augmented.h"

#include "tests/treatments/beads.h"

namespace mubody::testing {
namespace {
TEST(augmented, iterates_to_what_multipliers_give) {
  Beads b;
  Dynamics d(*b.system);
  Augmented treatment;
  treatment.alpha = 50, treatment.omega = 4, treatment.mu = 0.7, treatment.iterations = 100;
  treatment.tolerance = 1e-13;
  b.accelerate(treatment, d);
  // r = c = −2 μ ω Φ̇ − ω² Φ, which a penalty of 50 kg alone would miss by a fiftieth; m_1 a_1 = λ.
  const double c = -2 * 0.7 * 4 * b.speed - 16 * b.gap;
  EXPECT_NEAR(d.a[3] - d.a[0], c, 1e-13);  // the tolerance of the iteration
  EXPECT_NEAR(d.lambda[0], b.m1 * (b.pull - b.m2 * c) / (b.m1 + b.m2), 1e-11);
}
}  // namespace
}  // namespace mubody::testing
