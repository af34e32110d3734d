// Cost of a right-hand side, as a ratio to the same mechanism written by hand, measured in the same run.
#include <algorithm>
#include <map>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "benchmarks/closed_form_four_bar.h"
#include "mubody/analyses/run.h"
#include "mubody/io/read_model.h"
#include "mubody/system/build.h"
#include "mubody/system/dynamics.h"

namespace mubody {
namespace {
constexpr double nudge = 1e-12;  // no two evaluations are the same

void closed_form(benchmark::State& state) {
  const closed_form::FourBar four_bar;
  double theta = 1, rate = 1;
  for (auto _ : state) {
    theta += nudge;
    benchmark::DoNotOptimize(rate = four_bar(theta, 1.0));
  }
}

struct FourBar {
  Study study = read_study(MUBODY_SOURCE_DIR "/examples/four_bar/model.toml");
  std::unique_ptr<System> system = build_system(study.mechanism);
  Dynamics d{*system};
  VecX q{system->nq}, u{system->nu};

  FourBar() { system->start(q, u); }
};

void right_hand_side(benchmark::State& state) {
  FourBar m;
  for (auto _ : state) {
    m.q[2] += nudge;
    m.d.evaluate(0, m.q, m.u);
    m.d.solve(m.d.terms.Q, m.d.terms.gamma);
    benchmark::DoNotOptimize(m.d.a.data());
  }
}

void equations_alone(benchmark::State& state) {
  FourBar m;
  for (auto _ : state) {
    m.q[2] += nudge;
    m.system->evaluate(0, m.q, m.u, m.d.terms);
    benchmark::DoNotOptimize(m.d.terms.Q.data());
  }
}

// A whole run through the library: 1 s in steps of 1 ms, divided by its 4000 right-hand sides.
void run_per_right_hand_side(benchmark::State& state) {
  Study study =
      read_study(MUBODY_SOURCE_DIR "/examples/four_bar/model.toml", {"analysis.end=1", "output.step=1"});
  for (auto _ : state) {
    const Results r = run(study);
    benchmark::DoNotOptimize(r.trusted);
  }
}

BENCHMARK(closed_form)->Name("closed form, by hand");
BENCHMARK(equations_alone)->Name("equations, without solving");
BENCHMARK(right_hand_side)->Name("right-hand side");
BENCHMARK(run_per_right_hand_side)->Name("run of 4000 right-hand sides")->Unit(benchmark::kMicrosecond);

/// Keeps the fastest and the slowest repetition of each.
class Fastest final : public benchmark::BenchmarkReporter {
 public:
  struct Times {
    double least = 1e300, most = 0;  // [ns]
  };
  std::map<std::string, Times> times;

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& r : runs) {
      if (r.run_type != Run::RT_Iteration) continue;
      const double ns = r.real_accumulated_time / double(r.iterations) * 1e9;
      Times& t = times[r.run_name.function_name];
      t.least = std::min(t.least, ns);
      t.most = std::max(t.most, ns);
    }
  }
};
}  // namespace
}  // namespace mubody

int main(int argc, char** argv) {
  using mubody::Fastest;
  benchmark::Initialize(&argc, argv);
  Fastest fastest;
  char repetitions[] = "--benchmark_repetitions=9", time[] = "--benchmark_min_time=0.1";
  char mixed[] = "--benchmark_enable_random_interleaving=true";  // a busy moment hits all of them
  char* arguments[] = {argv[0], repetitions, time, mixed};
  int count = 4;
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks(&fastest);

  const double unit = fastest.times["closed form, by hand"].least;
  fmt::print("four-bar of Marques, Souto & Flores (2017): time of one right-hand side, fastest of 9\n\n");
  fmt::print("  {:<32} {:>10} {:>10} {:>8}\n", "", "ns", "slowest", "ratio");
  for (const char* name : {"closed form, by hand", "equations, without solving", "right-hand side",
                           "run of 4000 right-hand sides"}) {
    const Fastest::Times& t = fastest.times[name];
    const double share = std::string_view(name).starts_with("run") ? 4000 : 1;
    fmt::print("  {:<32} {:>10.1f} {:>10.1f} {:>8.2f}\n", share > 1 ? "whole run, per right-hand side" : name,
               t.least / share, t.most / share, t.least / share / unit);
  }
}
