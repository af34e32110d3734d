// Lanes against the system of one mechanism, number by number, and against closed forms.
#include "mubody/lanes/equations.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "mubody/forces/moment.h"
#include "mubody/forces/point_force.h"
#include "mubody/forces/spring.h"
#include "mubody/forces/torsion_spring.h"
#include "mubody/joints/distance.h"
#include "mubody/joints/fixed.h"
#include "mubody/joints/translational.h"
#include "mubody/math/dense.h"
#include "mubody/system/build.h"
#include "tests/models.h"

namespace mubody::testing {
namespace {
constexpr int W = LaneReal::lanes;

TEST(lane, sines_and_cosines_are_good_to_the_last_digit) {
  std::mt19937_64 random(1);
  double worst = 0;
  for (int n = 0; n < 20000; ++n) {
    LaneReal x, s, c;
    const double range = n % 3 == 0 ? 1 : n % 3 == 1 ? 100 : 9e5;
    for (int k = 0; k < W; ++k) x[k] = std::uniform_real_distribution<double>(-range, range)(random);
    if (n == 0) x[0] = 0, x[1] = EIGEN_PI / 2, x[2] = -EIGEN_PI, x[3] = EIGEN_PI / 4, x[4] = -0.0, x[5] = 1e-9;
    sine_cosine(x, s, c);
    for (int k = 0; k < W; ++k)
      worst = std::max({worst, std::abs(s[k] - std::sin(x[k])), std::abs(c[k] - std::cos(x[k]))});
  }
  EXPECT_LT(worst, 2.3e-16);  // one unit in the last digit of numbers just below 1 is 1.1e-16
}

TEST(elimination, solves_as_a_dense_matrix_does) {
  // Rows over columns 0 to 5 as in two loops that share a body.
  const int pattern[][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 3},
                            {3, 3}, {3, 0}, {4, 2}, {4, 4}, {4, 5}};
  std::vector<LaneEntry> entries;
  for (const auto& p : pattern) entries.push_back({p[0], p[1], int(entries.size())});
  const Elimination e = eliminate(5, 6, entries);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<LaneReal> D(entries.size()), inverse_mass(6), weighted(entries.size()),
      S(std::size_t(e.places()), 0.0), raw(e.below.size() + 5), work(5), x(5);
  for (auto* all : {&D, &x})
    for (LaneReal& v : *all)
      for (int k = 0; k < W; ++k) v[k] = number(random);
  for (LaneReal& v : inverse_mass)
    for (int k = 0; k < W; ++k) v[k] = 1.5 + number(random);
  const std::vector<LaneReal> b = x;
  factor(e, D.data(), inverse_mass.data(), weighted.data(), S.data(), raw.data());
  solve(e, S.data(), work.data(), x.data());
  for (int k = 0; k < W; ++k) {
    MatX full = MatX::Zero(5, 6);
    VecX w(6), right(5);
    for (const LaneEntry& at : entries) full(at.row, at.column) = D[std::size_t(at.at)][k];
    for (int c = 0; c < 6; ++c) w[c] = inverse_mass[std::size_t(c)][k];
    for (int r = 0; r < 5; ++r) right[r] = b[std::size_t(r)][k];
    const MatX schur = product(full * w.asDiagonal(), full.transpose());
    const VecX solution = FullLu(schur).solve(right);
    for (int r = 0; r < 5; ++r) EXPECT_NEAR(x[std::size_t(r)][k], solution[r], 1e-10 * (1 + solution.norm()));
  }
}

template <class E> E between(const Marker& i, const Marker& j) {
  E e;
  e.i = i, e.j = j;
  return e;
}

/// All kinds that lanes support, with different numbers for every seed.
Mechanism all_kinds(unsigned seed) {
  std::mt19937_64 random(seed);
  const auto number = [&] { return std::uniform_real_distribution<double>(-1, 1)(random); };
  const auto on = [&](int b) { return marker(b, number(), number(), 3 * number()); };
  Mechanism m;
  m.gravity = {number(), number(), 0};
  for (const char* name : {"a", "b", "c"})
    m.bodies.push_back(body(name, 2 + number(), 1.5 + number(), 3 * number(), 3 * number(), number()));
  m.add_joint("pin", between<Revolute>(on(1), on(2)));
  m.add_joint("pin_on_ground", between<Revolute>(on(ground), on(3)));
  m.add_joint("slot", between<Slot>(on(2), on(3)));
  m.add_joint("slot_on_ground", between<Slot>(on(ground), on(1)));
  m.add_joint("slide", between<Translational>(on(1), on(3)));
  m.add_joint("weld", between<Fixed>(on(2), on(3)));
  m.add_joint("rod", between<Distance>(on(1), on(2)));
  auto rod = between<Distance>(on(3), on(ground));
  rod.length = Function(1.5 + number());
  m.add_joint("rod_on_ground", rod);
  auto spring = between<Spring>(on(1), on(3));
  spring.stiffness = 5 * number(), spring.damping = number(), spring.free_length = 1 + number();
  m.add_force("spring", spring);
  auto to_ground = between<Spring>(on(ground), on(2));
  to_ground.stiffness = 3, to_ground.damping = number();
  m.add_force("to_ground", to_ground);
  auto torsion = between<TorsionSpring>(on(2), on(1));
  torsion.stiffness = number(), torsion.damping = number(), torsion.free_angle = number();
  m.add_force("torsion", torsion);
  auto push = between<PointForce>(marker(ground, 0, 0), on(2));
  push.force = {Signal(number()), Signal(number())};
  m.add_force("push", push);
  auto twist = between<Moment>(on(3), on(1));
  twist.moment = Signal(number());
  m.add_force("twist", twist);
  m.points.push_back({"tip", {}, on(2)});
  m.prepare();
  return m;
}

TEST(lanes, have_the_equations_of_the_system) {
  std::string why;
  const auto s = lane_structure(all_kinds(0), why);
  ASSERT_TRUE(s) << why;
  const int m = s->rows(), nv = s->velocities();
  std::mt19937_64 random(5);
  std::vector<LaneReal> numbers(std::size_t(s->numbers()), 0.0), q(std::size_t(nv), 0.0),
      u = q, phi(std::size_t(m), 0.0), rate = phi, gamma = phi, D(std::size_t(6 * m), 0.0), Q = q;
  std::vector<std::unique_ptr<System>> systems;
  for (int k = 0; k < W; ++k) {
    const Mechanism mechanism = all_kinds(unsigned(k));
    ASSERT_TRUE(lane_structure(mechanism, why)->same(*s));
    const std::vector<double> mine = lane_numbers(*s, mechanism);
    for (std::size_t n = 0; n < mine.size(); ++n) numbers[n][k] = mine[n];
    systems.push_back(build_system(mechanism));
    for (int n = 0; n < nv; ++n) {
      q[std::size_t(n)][k] = std::uniform_real_distribution<double>(-2, 2)(random) + (n % 3 == 2 ? 6.0 * k : 0);
      u[std::size_t(n)][k] = std::uniform_real_distribution<double>(-3, 3)(random);
    }
  }
  std::vector<LaneBody> bodies(4);
  LaneTerms t{phi.data(), rate.data(), gamma.data(), D.data(), Q.data(), 0.0, 0.0, 0.0};
  move_bodies(*s, q.data(), u.data(), bodies.data());
  lane_constraints(*s, numbers.data(), bodies.data(), t);
  lane_forces(*s, numbers.data(), bodies.data(), t);

  for (int k = 0; k < W; ++k) {
    System& system = *systems[std::size_t(k)];
    VecX qk(nv), uk(nv);
    for (int n = 0; n < nv; ++n) qk[n] = q[std::size_t(n)][k], uk[n] = u[std::size_t(n)][k];
    Terms one = system.make_terms();
    system.evaluate(0, qk, uk, one);
    const MatX jacobian = system.structure.full(one.D);
    MatX mine = MatX::Zero(m, nv);
    for (const LaneEntry& e : s->elimination.entries) mine(e.row, e.column) = D[std::size_t(e.at)][k];
    EXPECT_LT((jacobian - mine).lpNorm<Eigen::Infinity>(), 1e-13);
    const double large = 100;  // squares of velocities times lengths
    for (int r = 0; r < m; ++r) {
      EXPECT_NEAR(phi[std::size_t(r)][k], one.phi[r], 1e-14 * large) << r;
      EXPECT_NEAR(rate[std::size_t(r)][k], one.rate[r], 1e-14 * large) << r;
      EXPECT_NEAR(gamma[std::size_t(r)][k], one.gamma[r], 1e-14 * 10 * large) << r;
    }
    for (int n = 0; n < nv; ++n) EXPECT_NEAR(Q[std::size_t(n)][k], one.Q[n], 1e-14 * large) << n;
    const Energy energy = system.energy(0, qk, uk);
    double weight = 0;
    const Mechanism m = all_kinds(unsigned(k));
    for (int b = 0; b < 3; ++b)
      weight -= m.bodies[std::size_t(b)].mass * m.gravity.head<2>().dot(qk.segment<2>(3 * b));
    EXPECT_NEAR(t.stored[k] + weight, energy.potential, 1e-12 * large);
    EXPECT_NEAR(t.dissipated[k], energy.dissipated, 1e-12 * large);
    EXPECT_NEAR(t.supplied[k], energy.supplied, 1e-12 * large);
  }
}

TEST(lanes, say_what_they_do_not_know) {
  std::string why;
  Mechanism m = all_kinds(1);
  m.dim = 3;
  EXPECT_FALSE(lane_structure(m, why));
  EXPECT_EQ(why, "the mechanism is spatial");
  m = all_kinds(1);
  m.bodies[1].mass = 0;
  EXPECT_FALSE(lane_structure(m, why));
  EXPECT_EQ(why, "body 'b' has no mass or no inertia");
  m = all_kinds(1);
  auto push = between<PointForce>(marker(ground, 0, 0), marker(2, 0, 0));
  push.force = {Signal(1), Signal(1)};
  push.axes.index = 1;
  m.add_force("follower", push);
  EXPECT_FALSE(lane_structure(m, why));
  EXPECT_EQ(why, "force 'follower' (force)");
}
}  // namespace
}  // namespace mubody::testing
