// Open chains in joint coordinates: the same accelerations as in body coordinates, at a cost per link that does not
// depend on their number.

#include <ctime>

#include "mubody/system/build.h"
#include "mubody/system/dynamics.h"
#include "tests/models.h"
#include "tests/properties/sample.h"
#include "tests/turns.h"

namespace mubody::testing {
namespace {
/// Rods of 1 m and 1 kg, joined by pins that turn from rod to rod in space, bent into a spiral.
Mechanism chain(int links, int dim) {
  Mechanism m;
  m.dim = dim;
  m.gravity = {0, -g, 0};
  const Pose half{Vec<3>(0.5, 0, 0), Quaternion::Identity(), 0};
  Pose tip;
  for (int k = 0; k < links; ++k) {
    const Vec<3> axis = dim == 2 || k % 2 == 0 ? Vec<3>::UnitZ() : Vec<3>::UnitY();
    tip = tip * Pose{Vec<3>::Zero(), Quaternion(Eigen::AngleAxisd(0.3, axis)), dim == 2 ? 0.3 : 0} * half;
    RigidBody rod = body("rod" + std::to_string(k), 1, 1. / 12, 0, 0, 0);
    rod.inertia = Vec<3>(1e-3, 1. / 12, 1. / 12).asDiagonal();
    rod.start = tip;
    m.bodies.push_back(rod);
    tip = tip * half;
    const Quaternion pin = turn_between(Vec<3>::UnitZ(), axis);
    m.add_joint("pin" + std::to_string(k),
                revolute({k, k == 0 ? Vec<3>(0, 0, 0) : half.at, pin}, {k + 1, -half.at, pin}));
  }
  m.prepare();
  return m;
}

struct Links {
  int count, dim;
};
void PrintTo(const Links& x, std::ostream* out) { *out << x.count << " links, dimension " << x.dim; }

class OpenChain : public ::testing::TestWithParam<Links> {};

TEST_P(OpenChain, accelerates_as_in_body_coordinates) {
  const Mechanism m = chain(GetParam().count, GetParam().dim);
  const auto joints = build_system(m, Coordinates::joint), bodies = build_system(m);
  EXPECT_EQ(joints->nu, GetParam().count);
  EXPECT_EQ(joints->m, 0);
  Random random(3);
  VecX q(joints->nq), u(joints->nu), body_q(bodies->nq), body_u(bodies->nu);
  joints->start(q, u);
  u = random.vector(joints->nu);
  joints->to_bodies(q, u, body_q, body_u);
  Dynamics one(*joints), two(*bodies);
  one.evaluate(0, q, u);
  one.solve(one.terms.Q, one.terms.gamma);
  two.evaluate(0, body_q, body_u);
  two.solve(two.terms.Q, two.terms.gamma);
  VecX own(Eigen::Index(joints->channels.size())), other = own;
  joints->observe(0, q, u, one.a, one.lambda, own);
  bodies->observe(0, body_q, body_u, two.a, two.lambda, other);
  // Accelerations of links and reactions of pins grow along the chain, and their round-off with them.
  EXPECT_LT((own - other).lpNorm<Eigen::Infinity>(), 1e-9 * other.lpNorm<Eigen::Infinity>());
}

INSTANTIATE_TEST_SUITE_P(all, OpenChain,
                         ::testing::Values(Links{10, 2}, Links{100, 2}, Links{1000, 2}, Links{10, 3},
                                           Links{100, 3}, Links{1000, 3}),
                         [](const auto& test) {
                           return (test.param.dim == 2 ? "plane_" : "space_") +
                                  std::to_string(test.param.count);
                         });

double cpu_time() { return double(std::clock()) / CLOCKS_PER_SEC; }

// The CPU time of the fastest of several runs, so that a busy machine does no harm.  make bench measures the
// exponent; here a cost that grew with the square would be a hundred times too large.
double time_per_link(int links) {
  const auto system = build_system(chain(links, 2), Coordinates::joint);
  Dynamics d(*system);
  VecX q(system->nq), u(system->nu);
  system->start(q, u);
  double least = 1e9;
  for (int repetition = 0; repetition < 10; ++repetition) {
    const double from = cpu_time();
    const int rounds = 200000 / links;
    for (int k = 0; k < rounds; ++k) {
      q[0] += 1e-12;
      d.evaluate(0, q, u);
      d.solve(d.terms.Q, d.terms.gamma);
    }
    least = std::min(least, (cpu_time() - from) / rounds / links);
  }
  return least;
}
TEST(open_chain, costs_as_much_per_link_however_long) { EXPECT_LT(time_per_link(1000), 2 * time_per_link(10)); }

// A long chain in space looks weak wherever it is.  While it moves, what is remembered of it in lengths is what one who has
// never seen it finds.
TEST(long_chain, is_as_independent_as_it_looks_for_the_first_time) {
  const Mechanism m = chain(100, 3);
  const auto joints = build_system(m, Coordinates::joint), bodies = build_system(m);
  VecX q(joints->nq), u(joints->nu), body_q(bodies->nq), body_u(bodies->nu);
  joints->start(q, u);
  u.setConstant(0.01);
  Dynamics along(*bodies);
  for (int step = 0; step < 40; ++step) {
    joints->move(q, u);
    joints->to_bodies(q, u, body_q, body_u);
    along.evaluate(0.1 * step, body_q, body_u);
    Dynamics first(*bodies);
    first.evaluate(0.1 * step, body_q, body_u);
    ASSERT_LT(first.independence_of_factors(), 1e-2) << "another chain is needed here";
    EXPECT_NEAR(along.independence(), first.independence(), 0.1 * first.independence()) << "step " << step;
  }
}
}  // namespace
}  // namespace mubody::testing
