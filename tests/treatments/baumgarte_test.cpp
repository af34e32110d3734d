// Violations that decay.
#include "mubody/treatments/baumgarte.h"

#include "tests/treatments/beads.h"

namespace mubody::testing {
namespace {
TEST(baumgarte, violation_decays_like_an_oscillator) {
  Beads b;
  Dynamics d(*b.system);
  Baumgarte treatment;
  treatment.alpha_in_use = 6, treatment.beta_in_use = 8;
  b.accelerate(treatment, d);
  // Φ̈ = −2 α Φ̇ − β² Φ; the centre of mass does not notice.
  EXPECT_TRUE(same(d.a[3] - d.a[0], -2 * 6 * b.speed - 8 * 8 * b.gap));
  EXPECT_TRUE(same(b.m1 * d.a[0] + b.m2 * d.a[3], b.pull));
}
}  // namespace
}  // namespace mubody::testing
