#pragma once
// Precomputed models: their right-hand side, and the suspension over the bump against its full model.
#include <algorithm>
#include <cmath>

#include <benchmark/benchmark.h>

#include "mubody/analyses/run.h"
#include "mubody/compiled/shared_code.h"
#include "mubody/precompute/c/emit_loops.h"
#include "mubody/precompute/precompute.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/reading/precompute_section.h"
#include "mubody/reading/read_model.h"

namespace mubody {
/// θ̈ from tables, at a different position each time.
inline void from_tables(benchmark::State& state, const std::string& path, double bound) {
  const Study study = io::read_study(path);
  const Precomputed made = precompute(study, {.bound = bound});
  RealTime run(made.model, study.mechanism);
  RealTime::State s = run.start();
  s.rate[0] = 1;
  double acceleration = 0;
  for (auto _ : state) {
    s.theta[0] += 1e-12;
    run.accelerations(s, &acceleration);
    benchmark::DoNotOptimize(acceleration);
  }
}

/// The car that changes lanes: the model, and its loops as joints, with the same integrator and tolerance.
class LaneChange {
 public:
  static constexpr double seconds = 10;
  explicit LaneChange(const std::string& path)
      : study_(io::read_study(path, {"analysis.estimate=false", "output.step=0.1"})),
        made_(precompute(study_, io::read_precompute_options(path))) {}

  void full(benchmark::State& state) const {
    for (auto _ : state) benchmark::DoNotOptimize(run(study_).trusted);
  }
  void tables(benchmark::State& state) const {
    for (auto _ : state) benchmark::DoNotOptimize(run_real_time(made_.model, study_).trusted);
  }
  /// Its C, with Runge-Kutta steps of 1 ms.
  void in_c(benchmark::State& state) const {
    const EmittedModel c = emit_loops(made_.model, study_, {.name = "m", .steps = 1, .outputs = {"chassis.x"}});
    const io::SharedCode code(c.in_one());
    const auto start = code.function<void(double*)>("m_start");
    const auto step = code.function<int(double*, double)>("m_step");
    std::vector<double> car(c.start.size() + 1000);  // its numbers, and a few more
    for (auto _ : state) {
      start(car.data());
      for (int k = 0; k < int(1000 * seconds); ++k) benchmark::DoNotOptimize(step(car.data(), 1e-3));
    }
  }

 private:
  Study study_;
  Precomputed made_;
};

/// The suspension of the Iltis over the bump: the model, its tables, and the tables with fixed steps.
class Bump {
 public:
  static constexpr double seconds = 6, step = 2.5e-4;
  explicit Bump(const std::string& path)
      : study_(io::read_study(path)), quick_(study_),
        made_(precompute(study_, io::read_precompute_options(path))) {
    quick_.analysis.integrator = "shampine-gordon";
    quick_.analysis.control.rtol = 1e-6;
  }

  void full(benchmark::State& state) const {
    for (auto _ : state) benchmark::DoNotOptimize(run(study_).trusted);
  }
  void tables(benchmark::State& state) const {
    for (auto _ : state) benchmark::DoNotOptimize(run_real_time(made_.model, study_).trusted);
  }
  /// The tables with an integrator for smooth motions of one variable, and a tolerance that suits 1e-6 m.
  void quick_tables(benchmark::State& state) const {
    for (auto _ : state) benchmark::DoNotOptimize(run_real_time(made_.model, quick_).trusted);
  }
  void quick_full(benchmark::State& state) const {
    for (auto _ : state) benchmark::DoNotOptimize(run(quick_).trusted);
  }
  void fixed_steps(benchmark::State& state) const {
    RealTime run(made_.model, study_.mechanism);
    for (auto _ : state) {
      RealTime::State s = run.start();
      for (int k = 0; k < int(seconds / step); ++k) run.step(s, step);
      benchmark::DoNotOptimize(s.theta[0]);
    }
  }
  /// The largest difference of the wheel's position from the full model's, at all output times [m].
  double apart(bool fixed) const {
    const Results a = run(study_);
    const std::vector<double> times = a.times();
    std::vector<std::vector<double>> columns;
    for (const char* name : {"wheel.x", "wheel.y", "wheel.z"}) columns.push_back(a.column(name));
    double most = 0;
    if (!fixed) {
      const Results b = run_real_time(made_.model, quick_);
      std::size_t axis = 0;
      for (const char* name : {"wheel.x", "wheel.y", "wheel.z"}) {
        const std::vector<double> y = b.column(name);
        for (std::size_t k = 0; k < times.size(); ++k) most = std::max(most, std::abs(columns[axis][k] - y[k]));
        ++axis;
      }
      return most;
    }
    RealTime now(made_.model, study_.mechanism);
    RealTime::State s = now.start();
    VecX q(14);
    std::size_t row = 0;
    for (int k = 0; row < times.size(); ++k) {
      if (std::abs(k * step - times[row]) < 0.1 * step) {
        now.positions(s, q);
        for (std::size_t axis = 0; axis < 3; ++axis)
          most = std::max(most, std::abs(columns[axis][row] - q[Eigen::Index(axis)]));
        ++row;
      }
      now.step(s, step);
    }
    return most;
  }

 private:
  Study study_, quick_;
  Precomputed made_;
};
}  // namespace mubody
