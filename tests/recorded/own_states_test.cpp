// Forces with states of their own, recorded: the same rates and forces as with doubles, wherever the states are.
#include "mubody/forces/brake.h"
#include "mubody/functions/polynomial.h"
#include "mubody/recorded/model.h"
#include "mubody/recording/tape.h"
#include "mubody/simulation/begin.h"
#include "tests/forces/wheel.h"
#include "tests/random.h"

namespace mubody::testing {
namespace {
// Two wheels with tyres on an uneven road, and a brake between them.
template <class Tyre> Study tandem(Tyre tyre) {
  tyre.road.profile = Function(Polynomial{{0.01, 0.02, 0.003}});
  tyre.road.formula = "0.01*sin(x)*cos(2*y)";
  tyre.road.roughness.index = 2;
  tyre.road.grid.columns.resize(3);
  for (const double x : {-2.0, 0.0, 0.7, 3.0})
    for (const double y : {-1.0, 0.0, 2.0}) {
      tyre.road.grid.columns[0].push_back(x), tyre.road.grid.columns[1].push_back(y);
      tyre.road.grid.columns[2].push_back(0.01 * std::sin(3 * x + y));
    }
  Model model = wheel_on_road(tyre, {.height = 0.3, .vx = 8, .vy = 0.3, .spin = 27, .mass = 30}, {0, 0, -g});
  const BodyRef other = model.body(
      "other",
      {.mass = 20, .inertia = 1, .position = {1, 0.1, 0.29}, .velocity = {8, 0, 0}, .omega = {0, 25, 0}});
  const Quaternion axle = turn_between(Vec<3>::UnitZ(), Vec<3>::UnitY());
  Brake brake;
  brake.stiffness = 1e4, brake.effort = Signal(30.0);
  model.force("brake", brake, BodyRef(1).at(Vec<3>::Zero(), axle), other.at(Vec<3>::Zero(), axle));
  model.force("second", tyre, model.ground().at(0, 0), other.at(Vec<3>::Zero(), axle));
  return model.study();
}

template <class Tyre> void compare(const Tyre& tyre) {
  const Study study = tandem(tyre);
  const Begun b = begin(study, "forward");
  const RecordedModel m = record(b.mechanism, {study.analysis.start, b.q, b.u});
  ASSERT_EQ(m.nz, 5);
  ASSERT_EQ(b.system->nz, 5);
  std::vector<int> wanted = m.Q;
  wanted.insert(wanted.end(), m.dz.begin(), m.dz.end());
  const Tape tape(*m.graph, {"wanted", wanted});
  TapeWork work(tape);
  Random random(3);
  Terms terms = b.system->make_terms();
  for (int trial = 0; trial < 20; ++trial) {
    VecX q = b.q, u = b.u, z(5);
    b.system->move(q, 0.01 * random.vector(b.system->nu));
    u += random.vector(b.system->nu);
    for (int k = 0; k < 5; ++k) z[k] = 0.02 * random();
    b.system->evaluate(0, q, u, z, terms);
    std::vector<double> x(std::size_t(m.arguments())), y(wanted.size());
    std::copy(q.begin(), q.end(), x.begin() + RecordedModel::first_q());
    std::copy(u.begin(), u.end(), x.begin() + m.first_u());
    std::copy(z.begin(), z.end(), x.begin() + m.first_z());
    for (const RecordedModel::Kept& k : m.kept) x[std::size_t(k.input)] = k.start;
    tape(x.data(), y.data(), work);
    const double size = terms.Q.lpNorm<Eigen::Infinity>();
    for (Eigen::Index k = 0; k < terms.Q.size(); ++k)
      EXPECT_NEAR(y[std::size_t(k)], terms.Q[k], 1e-13 * size) << k;
    const double fast = std::max(1.0, terms.z_rate.lpNorm<Eigen::Infinity>());
    for (Eigen::Index k = 0; k < 5; ++k)
      EXPECT_NEAR(y[m.Q.size() + std::size_t(k)], terms.z_rate[k], 1e-13 * fast) << k;
  }
}

TEST(own_states, of_fiala_tyres_and_a_brake_are_those_of_doubles) { compare(fiala()); }
TEST(own_states, of_brush_tyres_and_a_brake_are_those_of_doubles) { compare(brush()); }
TEST(own_states, of_magic_tyres_and_a_brake_are_those_of_doubles) { compare(magic()); }
}  // namespace
}  // namespace mubody::testing
