// Constraints as stiff springs.
#include "mubody/treatments/penalty.h"

#include "tests/treatments/beads.h"

namespace mubody::testing {
namespace {
TEST(penalty, link_as_a_spring_damper_and_inertia) {
  Beads b;
  Dynamics d(*b.system);
  Penalty treatment;
  treatment.alpha = 50, treatment.omega = 4, treatment.mu = 0.7;
  b.accelerate(treatment, d);
  // r = a_2 − a_1 from (1 + α/m_r) r = F/m_2 + α c/m_r, c = −2 μ ω Φ̇ − ω² Φ, m_r the reduced mass; λ = α (r − c).
  const double c = -2 * 0.7 * 4 * b.speed - 16 * b.gap;
  const double r = (b.pull / b.m2 + 50 * c / b.reduced) / (1 + 50 / b.reduced);
  EXPECT_TRUE(same(d.a[3] - d.a[0], r));
  EXPECT_TRUE(same(d.lambda[0], 50 * (r - c), 1000));  // a difference that is multiplied by α
}
}  // namespace
}  // namespace mubody::testing
