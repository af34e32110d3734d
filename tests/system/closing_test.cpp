// What closes a step: gaps that are measured several at a time, and corrections that begin with what is known.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "mubody/system/build.h"
#include "mubody/system/dynamics.h"
#include "tests/models.h"

namespace mubody::testing {
namespace {
/// A state next to the start of a ladder, off its constraints by so much.
struct Off {
  std::unique_ptr<System> system = build_system(ladder(3));
  VecX q = VecX::Zero(system->nq), u = VecX::Zero(system->nu);

  explicit Off(double by) {
    system->start(q, u);
    for (int k = 0; k < system->nq; ++k) q[k] += by * std::sin(k + 1);
    for (int k = 0; k < system->nu; ++k) u[k] += std::cos(k + 1);
  }
};
}  // namespace

TEST(gap, is_the_largest_wherever_it_is) {
  const Off at(0);
  const System& s = *at.system;
  for (int r = 0; r < s.m; ++r) {
    VecX phi = VecX::Constant(s.m, 1e-3);
    phi[r] = -0.5;
    EXPECT_DOUBLE_EQ(s.gap(phi), 0.5 / s.row_units[r]) << r;
    EXPECT_DOUBLE_EQ(s.gap(phi, {.length = 2, .angle = 2}), 0.25 / s.row_units[r]) << r;
  }
}

TEST(gap, does_not_lose_what_is_not_finite) {
  const Off at(0);
  const System& s = *at.system;
  for (int r = 0; r < s.m; ++r)
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      VecX phi = VecX::Constant(s.m, 1e-3);
      phi[r] = bad;
      EXPECT_FALSE(std::isfinite(s.gap(phi))) << r;
    }
}

TEST(distance, is_the_largest_difference) {
  const Off at(0);
  const System& s = *at.system;
  const System::Room room = s.room(at.q);
  for (int k = 0; k < s.nq; ++k) {
    VecX other = at.q;
    other[k] += 1e-3;
    const double unit = s.coordinates[std::size_t(k)].measured == System::Measured::length
                            ? s.scales.length * room.length
                            : room.angle;
    EXPECT_NEAR(s.distance(other, at.q, room), 1e-3 / unit, 1e-13) << k;
  }
}

// The last stage of a step has evaluated the very state that is corrected.
TEST(projection_of_a_step, is_the_same_with_terms_that_are_known) {
  const Off at(1e-7);
  const auto close = [&](bool known) {
    Dynamics d(*at.system);
    VecX q = at.q, u = at.u;
    d.evaluate(0, q, u);
    if (!known) {
      d.forget();
      d.constrain(0, q, u);
    }
    const double left = d.project_positions(0, q, u, 8e-16, 8);
    d.project_velocities(u);
    EXPECT_LE(left, 1e-15);
    return std::pair(q, u);
  };
  const auto [q, u] = close(true);
  const auto [other_q, other_u] = close(false);
  EXPECT_EQ(q, other_q);
  EXPECT_EQ(u, other_u);
}

TEST(projection_of_a_step, is_not_fooled_by_terms_of_another_state) {
  const Off at(1e-7);
  const auto close = [&](bool looks) {
    Dynamics d(*at.system);
    VecX q = at.q, u = at.u;
    d.evaluate(0, q, u);
    if (looks) d.look(0, VecX(1.1 * q), VecX(2 * u));
    d.project_positions(0, q, u, 8e-16, 8);
    d.project_velocities(u);
    return std::pair(q, u);
  };
  const auto [q, u] = close(true);
  const auto [other_q, other_u] = close(false);
  EXPECT_LT((q - other_q).norm(), 1e-14);
  EXPECT_LT((u - other_u).norm(), 1e-12);
}
}  // namespace mubody::testing
