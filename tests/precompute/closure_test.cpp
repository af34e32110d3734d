// The exact mechanism at given variables, against differences.
#include "mubody/precompute/plan/closure.h"

#include "tests/precompute/models.h"

namespace mubody::testing {
namespace {
struct Case {
  std::string model;
  std::vector<std::string> variables;
  std::string first = {};  // a variable to move by 1 rad, away from a dead point
};

class ClosureOf : public ::testing::TestWithParam<Case> {};

// The rates of a body between two configurations, turns in its axes.
VecX moved(const System& s, const VecX& from, const VecX& to, double h) {
  if (s.nq == s.nu) return (to - from) / h;
  VecX u(s.nu);
  for (Eigen::Index b = 0; 7 * b < s.nq; ++b) {
    u.segment<3>(6 * b) = (to - from).segment<3>(7 * b) / h;
    const Vec<4> e = from.segment<4>(7 * b + 3), f = to.segment<4>(7 * b + 3);
    const Quaternion turn = Quaternion(e[0], e[1], e[2], e[3]).conjugate() * Quaternion(f[0], f[1], f[2], f[3]);
    u.segment<3>(6 * b + 3) = 2 * turn.vec() / h;
  }
  return u;
}

TEST_P(ClosureOf, has_the_slopes_of_its_positions) {
  const Study study = example(GetParam().model);
  Begun b = begin(study, "test");
  std::vector<Variable> variables;
  for (const std::string& name : GetParam().variables)
    variables.push_back(find_variable(study.mechanism, name));
  if (!GetParam().first.empty()) {
    Closure away(study.mechanism, {find_variable(study.mechanism, GetParam().first)}, 0, b.q);
    ASSERT_TRUE(away.go(away.theta() + VecX::Ones(1)));
    b.q = away.q();
  }
  Closure c(study.mechanism, variables, 0, b.q);
  VecX at = c.theta();
  for (Eigen::Index k = 0; k < at.size(); ++k) at[k] += 0.1 + 0.07 * double(k);
  ASSERT_TRUE(c.go(at));
  const ClosureCoefficients here = c.coefficients();
  const VecX q = c.q();
  const double h = 1e-4;
  for (int k = 0; k < c.n(); ++k) {
    std::vector<VecX> places;
    std::vector<MatX> B;
    for (const double step : {-h, h}) {
      VecX x = at;
      x[k] += step;
      ASSERT_TRUE(c.go(x));
      places.push_back(c.q());
      B.push_back(c.velocity_coefficients());
    }
    // Central differences: errors of h² times third derivatives, which are of order 10 at most.
    const VecX u = 0.5 * (moved(c.system(), q, places[1], h) + moved(c.system(), places[0], q, h));
    EXPECT_LT((u - here.B.col(k)).lpNorm<Eigen::Infinity>(), 1e-6);
    const MatX dB = (B[1] - B[0]) / (2 * h);
    EXPECT_LT((dB - here.dB[std::size_t(k)]).lpNorm<Eigen::Infinity>(), 1e-6) << "by variable " << k;
    ASSERT_TRUE(c.go(at));
  }
  EXPECT_LT((c.q() - q).lpNorm<Eigen::Infinity>(), 1e-13);  // it comes back to where it was
}

INSTANTIATE_TEST_SUITE_P(mechanisms, ClosureOf,
                         ::testing::Values(Case{"four_bar", {"A.angle"}}, Case{"four_bar", {"follower.angle"}},
                                           Case{"crank_slider", {"J34.slide"}, "J01.angle"},
                                           Case{"iltis_suspension", {"inner"}},
                                           Case{"double_pendulum", {"A.angle", "B.angle"}}));

TEST(closure, knows_second_derivatives_of_angular_velocities) {
  // Two shafts in a row, crossed: the second one's angular velocity is not the rate of any angle.
  const Study study = io::read_study_text(R"(
[bodies]
fork  = {mass = 1, inertia = [1, 2, 3], position = [0, 0, 0]}
wheel = {mass = 1, inertia = [1, 2, 3], position = [0.3, 0, 0.1]}
[joints]
A = {type = "revolute", bodies = ["ground", "fork"], at = [0, 0, 0], axis = [0, 0, 1]}
B = {type = "revolute", bodies = ["fork", "wheel"], at = [0.3, 0, 0], axis = [0.6, 0.8, 0]}
)",
                                          "crossed.toml");
  Begun b = begin(study, "test");
  Closure c(study.mechanism, {find_variable(study.mechanism, "A"), find_variable(study.mechanism, "B")}, 0,
            b.q);
  VecX at(2);
  at << 0.4, -0.7;
  ASSERT_TRUE(c.go(at));
  const ClosureCoefficients here = c.coefficients();
  const double h = 1e-4;
  for (int k = 0; k < 2; ++k) {
    MatX B[2];
    for (const int side : {0, 1}) {
      VecX x = at;
      x[k] += side == 0 ? -h : h;
      ASSERT_TRUE(c.go(x));
      B[side] = c.velocity_coefficients();
    }
    EXPECT_LT(((B[1] - B[0]) / (2 * h) - here.dB[std::size_t(k)]).lpNorm<Eigen::Infinity>(), 1e-7);
  }
  EXPECT_GT((here.dB[0].col(1) - here.dB[1].col(0)).norm(),
            0.1);  // this would be zero for rates of coordinates
}

TEST(closure, stops_at_a_dead_point) {
  const Study study = example("crank_slider");
  Begun b = begin(study, "test");
  Closure c(study.mechanism, {find_variable(study.mechanism, "J12.angle")}, 0, b.q);
  EXPECT_LT(c.amplification(), 3);
  const Study rocker = io::read_study_text(double_rocker, "rocker.toml");
  Begun r = begin(rocker, "test");
  Closure d(rocker.mechanism, {find_variable(rocker.mechanism, "A.angle")}, 0, r.q);
  EXPECT_FALSE(d.go(VecX::Constant(1, d.theta()[0] + 2)));
  EXPECT_GT(d.amplification(), 50);
}
}  // namespace
}  // namespace mubody::testing
