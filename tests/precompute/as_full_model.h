#pragma once
// Tables of loops compared with the model itself: at random states, and along its motion.
#include <random>

#include "mubody/precompute/plan/variable.h"
#include "mubody/precompute/run/loop_map.h"
#include "mubody/system/dynamics.h"
#include "mubody/system/jointed.h"
#include "tests/precompute/models.h"

namespace mubody::testing {
inline Study study_of(const char* text, const std::vector<std::string>& settings = {}) {
  return io::read_study_text(text, "loops.toml", settings);
}
inline PrecomputeOptions bounded(double bound) {
  PrecomputeOptions o;
  o.bound = bound;
  o.tables_of.index = PrecomputeOptions::loops;
  return o;
}
/// Tables of a model, and what is compared with them; they take long to make, so that all comparisons share them.
struct Made {
  Study study;
  double bound;
  std::shared_ptr<const RealTimeModel> model;
  std::unique_ptr<System> system;
  Begun begun;

  Made(const char* text, const PrecomputeOptions& o, const std::vector<std::string>& settings = {})
      : study(study_of(text, settings)), bound(*o.bound) {
    Precomputed p = precompute(study, o);
    EXPECT_LE(p.model.certified, bound);
    model = std::make_shared<RealTimeModel>(std::move(p.model));
    begun = begin(study, "test");
    system = build_following(begun.mechanism, following_parts(model, begun.mechanism));
  }
};

// At random states bodies are where the closed mechanism has them, and accelerate as it does.
inline void accelerates_as_the_full_model(Made& made) {
  System &s = *made.system, &full = *made.begun.system;
  const auto& joints = made.study.mechanism.joints;
  const auto drivers = int(std::ranges::count_if(joints, [](const auto& j) { return j.driver; }));
  EXPECT_EQ(s.m, drivers);
  EXPECT_EQ(s.nu, made.begun.results.freedom.usual + drivers);
  const bool redundant = full.m > full.nu - made.begun.results.freedom.usual;
  Dynamics d(s), of_bodies(full, redundant);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> some(-1, 1);
  VecX q(s.nq), u(s.nu), body_q = made.begun.q, body_u = made.begun.u, accelerations(full.nu);
  s.from_bodies(made.begun.q, made.begun.u, q, u);
  const VecX start = q;
  double gap = 0, apart = 0, largest = 0;
  for (int trial = 0; trial < 40; ++trial) {
    VecX way(s.nu);
    // Of tables that cover the neighbourhood of a motion, somewhere in it.
    do {
      q = start;
      for (double& x : way) x = 0.3 * some(random);
      for (std::size_t k = 0; k < made.model->loops.front().region.variables.size(); ++k) {
        const VariableRange& v = made.model->loops.front().region.variables[k];
        for (int n = 0; n < s.nu; ++n)
          if (s.displacement_names[std::size_t(n)] == v.name)
            way[n] = v.low + (v.high - v.low) * (0.5 + 0.49 * some(random)) - start[n];
      }
      s.move(q, way);
    } while (drivers == 0 && !s.out_of_range(q).empty());
    q = start;
    for (double& x : u) x = some(random);
    // What a driver prescribes is what it prescribes at some time.
    const double t = drivers > 0 ? 0.5 + 0.5 * some(random) : 0;
    for (const auto& joint : joints)
      for (int n = 0; joint.driver && n < s.nu; ++n)
        if (s.displacement_names[std::size_t(n)] == joint.name) {
          const Jet follows = (*driven_by(joint, made.study.mechanism.dim)->follows)(t);
          way[n] = follows.x - start[n], u[n] = follows.v;
        }
    s.move(q, way);
    d.evaluate(t, q, u);
    d.solve(d.terms.Q, d.terms.gamma);
    s.to_bodies(q, u, body_q, body_u);
    of_bodies.evaluate(t, body_q, body_u);
    of_bodies.solve(of_bodies.terms.Q, of_bodies.terms.gamma);
    gap = std::max(gap, of_bodies.terms.phi.lpNorm<Eigen::Infinity>());
    // Accelerations of bodies along the same motion, by a difference of their velocities.
    const double h = 1e-6;
    const auto velocities = [&](double sign) {
      VecX there = q, at(full.nq), rate(full.nu);
      s.move(there, sign * h * u);
      s.to_bodies(there, u + sign * h * d.a, at, rate);
      return rate;
    };
    accelerations = (velocities(1) - velocities(-1)) / (2 * h);
    apart = std::max(apart, (accelerations - of_bodies.a).lpNorm<Eigen::Infinity>());
    largest = std::max(largest, of_bodies.a.lpNorm<Eigen::Infinity>());
  }
  EXPECT_LT(gap, 4 * made.bound);
  EXPECT_LT(apart, 1e-6 * largest);
}
inline void moves_as_the_full_model(const Made& made) {
  const Results fast = run_real_time(*made.model, made.study), full = run(made.study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  for (const Table& table : full.tables)
    for (const Column& c : table.columns)
      if (c.unit == "m" && !c.residual) {
        EXPECT_LT(apart(fast, full, c.name), 1e-8) << c.name;
      }
  for (const Reaction& r : full.reactions)
    if (r.unique == Reaction::yes) {
      EXPECT_LT(apart(fast, full, r.channel), 1e-6 * std::max(1.0, std::abs(r.largest))) << r.channel;
    }
  EXPECT_LT(fast.statistics.energy_residual, 1e-8 * fast.statistics.energy_scale);
}

}  // namespace mubody::testing
