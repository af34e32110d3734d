// Cost of a right-hand side, as a ratio to the same mechanism written by hand, measured in the same run.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "benchmarks/problems/chain.h"
#include "benchmarks/problems/closed_form_four_bar.h"
#include "benchmarks/problems/closed_form_spatial_slider_crank.h"
#include "benchmarks/real_time.h"
#include "mubody/analyses/run.h"
#include "mubody/reading/read_model.h"
#include "mubody/simulation/simulation.h"
#include "mubody/system/build.h"
#include "mubody/system/dynamics.h"

namespace mubody {
namespace {
constexpr double nudge = 1e-12;  // so that no two evaluations are the same

template <class ClosedForm> void by_hand(benchmark::State& state) {
  const ClosedForm mechanism;
  double theta = 1, acceleration = 0;
  for (auto _ : state) {
    theta += nudge;
    benchmark::DoNotOptimize(acceleration = mechanism(theta, 1.0));
  }
}

struct Loaded {
  Study study;
  std::unique_ptr<System> system = build_system(study.mechanism);
  Dynamics d{*system};
  VecX q{system->nq}, u{system->nu};

  explicit Loaded(const std::string& path) : study(io::read_study(path)) { system->start(q, u); }
  void move() { q[2] += nudge; }  // the first body: its angle in the plane, its z in space
};

void right_hand_side(benchmark::State& state, const std::string& path) {
  Loaded m(path);
  for (auto _ : state) {
    m.move();
    m.d.evaluate(0, m.q, m.u);
    m.d.solve(m.d.terms.Q, m.d.terms.gamma);
    benchmark::DoNotOptimize(m.d.a.data());
  }
}

void equations_alone(benchmark::State& state, const std::string& path) {
  Loaded m(path);
  for (auto _ : state) {
    m.move();
    m.system->evaluate(0, m.q, m.u, m.d.terms);
    benchmark::DoNotOptimize(m.d.terms.Q.data());
  }
}

// A whole run through the library: 1 s in steps of 1 ms, divided by its 4000 right-hand sides.
void whole_run(benchmark::State& state, const std::string& path, const std::string& treatment) {
  Study study = io::read_study(path, {"analysis.end=1", "output.step=1", "analysis.treatment=" + treatment});
  for (auto _ : state) {
    const Results r = run(study);
    benchmark::DoNotOptimize(r.trusted);
  }
}

// A chain without and with equations.
void right_hand_side_of_chain(benchmark::State& state, int links, int dim, Coordinates coordinates) {
  const auto system = build_system(chain(links, dim), coordinates);
  Dynamics d(*system);
  VecX q(system->nq), u(system->nu);
  system->start(q, u);
  for (auto _ : state) {
    q[0] += nudge;
    d.evaluate(0, q, u);
    d.solve(d.terms.Q, d.terms.gamma);
    benchmark::DoNotOptimize(d.a.data());
  }
}

struct Row {
  std::string name;
  std::function<void(benchmark::State&)> measure;
  double share = 1;  // right-hand sides, or links of a chain, in one measurement
};

/// A thousand steps of rk4 with recording off.
void steps_of_run(benchmark::State& state, const std::string& path) {
  Study study = io::read_study(path);
  study.analysis.end = 1;
  study.output.times = {0, 1};
  for (auto _ : state) benchmark::DoNotOptimize(run(study).trusted);
}
void steps_of_advance(benchmark::State& state, const std::string& path) {
  const Study study = io::read_study(path);
  for (auto _ : state) {
    Simulation sim(study);
    while (sim.time() < 1) sim.advance(1e-3);
    benchmark::DoNotOptimize(sim.finish().trusted);
  }
}

/// A motion as its example asks for it, with or without the estimate of its error; nothing is written.
void run_of_example(benchmark::State& state, const std::string& path, bool estimate) {
  Study study = io::read_study(path);
  study.analysis.estimate_usual = estimate;
  for (auto _ : state) benchmark::DoNotOptimize(run(study).trusted);
}

/// The costs of one mechanism; the first row is the yardstick.
struct Comparison {
  std::string mechanism;
  std::vector<Row> rows;

  std::string key(const Row& row) const { return mechanism + ": " + row.name; }
};

template <class ClosedForm> Comparison compare(const std::string& mechanism, const std::string& path) {
  return {mechanism,
          {{"closed form, by hand", by_hand<ClosedForm>},
           {"equations, without solving", [path](auto& state) { equations_alone(state, path); }},
           {"right-hand side", [path](auto& state) { right_hand_side(state, path); }}}};
}

std::vector<Comparison> comparisons() {
  const std::string examples = MUBODY_SOURCE_DIR "/examples/", four_bar = examples + "four_bar/model.toml";
  std::vector<Comparison> tables = {compare<closed_form::FourBar>("four-bar", four_bar),
                                    compare<closed_form::SpatialSliderCrank>(
                                        "spatial slider-crank", examples + "spatial_slider_crank/model.toml")};
  tables[0].rows.push_back(
      {"from tables, errors below 1e-8", [four_bar](auto& state) { from_tables(state, four_bar, 1e-8); }});
  tables[0].rows.push_back({"whole run, per right-hand side",
                            [four_bar](auto& state) { whole_run(state, four_bar, "projection"); }, 4000});
  Comparison treatments{"four-bar, whole run of a treatment", {}};
  std::vector<std::string> names{"standard"};
  for (const TreatmentEntry& e : treatment_kinds())
    if (e.info.name != names.front()) names.emplace_back(e.info.name);
  for (const std::string& name : names)
    treatments.rows.push_back(
        {name, [four_bar, name](auto& state) { whole_run(state, four_bar, name); }, 4000});
  tables.push_back(std::move(treatments));
  tables.push_back(
      {"four-bar, a step of rk4",
       {{"inside run", [four_bar](auto& state) { steps_of_run(state, four_bar); }, 1000},
        {"by advance(1e-3)", [four_bar](auto& state) { steps_of_advance(state, four_bar); }, 1000}}});
  for (const std::string name : {"four_bar", "andrews", "bricard"}) {
    const std::string path = examples + name + "/model.toml";
    tables.push_back(
        {name + ", the motion of the example",
         {{"without the estimate of its error", [path](auto& state) { run_of_example(state, path, false); }},
          {"with it", [path](auto& state) { run_of_example(state, path, true); }}}});
  }
  const auto bump = std::make_shared<Bump>(examples + "iltis_suspension/model.toml");
  tables.push_back(
      {"Iltis over the bump, per second",
       {{"full model", [bump](auto& state) { bump->full(state); }, Bump::seconds},
        {"tables", [bump](auto& state) { bump->tables(state); }, Bump::seconds},
        {"full model, Adams, rtol 1e-6", [bump](auto& state) { bump->quick_full(state); }, Bump::seconds},
        {"tables, Adams, rtol 1e-6", [bump](auto& state) { bump->quick_tables(state); }, Bump::seconds},
        {"tables, steps of 0.25 ms", [bump](auto& state) { bump->fixed_steps(state); }, Bump::seconds}}});
  const auto lanes = std::make_shared<LaneChange>(examples + "car/model.toml");
  tables.push_back(
      {"car that changes lanes, per second",
       {{"full model", [lanes](auto& state) { lanes->full(state); }, LaneChange::seconds},
        {"loops as joints", [lanes](auto& state) { lanes->tables(state); }, LaneChange::seconds},
        {"their C, steps of 1 ms", [lanes](auto& state) { lanes->in_c(state); }, LaneChange::seconds}}});
  Comparison chains{"a link of a chain", {{"four-bar in closed form, by hand", by_hand<closed_form::FourBar>}}};
  for (const int dim : {2, 3})
    for (const Coordinates coordinates : {Coordinates::joint, Coordinates::body})
      for (const int links : {10, 100, 1000, 10000}) {
        if (coordinates == Coordinates::body && links > 1000) continue;
        chains.rows.push_back({fmt::format("{}, {} coordinates, {} links", dim == 2 ? "plane" : "space",
                                           coordinates == Coordinates::joint ? "joint" : "body", links),
                               [=](auto& state) { right_hand_side_of_chain(state, links, dim, coordinates); },
                               double(links)});
      }
  tables.push_back(std::move(chains));
  return tables;
}

/// Keeps the fastest and the slowest repetition of each measurement.
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
      const double ns = r.cpu_accumulated_time / double(r.iterations) * 1e9;
      Times& t = times[r.run_name.function_name];
      t.least = std::min(t.least, ns);
      t.most = std::max(t.most, ns);
    }
  }
};
}  // namespace
}  // namespace mubody

namespace mubody {
namespace {
/// The exponent b of cost ~ N^b between 10 and 1000 links, from times per link.
void print_exponents(const Comparison& chains, std::map<std::string, Fastest::Times>& times) {
  fmt::print("\n  exponent of the cost of a chain between 10 and 1000 links\n");
  for (const Row& few : chains.rows)
    for (const Row& many : chains.rows)
      if (few.share == 10 && many.share == 1000 &&
          few.name.substr(0, few.name.rfind(',')) == many.name.substr(0, many.name.rfind(',')))
        fmt::print("  {:<37} {:>10.3f}\n", few.name.substr(0, few.name.rfind(',')),
                   std::log(times[chains.key(many)].least / times[chains.key(few)].least) / std::log(100.0));
}
}  // namespace
}  // namespace mubody

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  char repetitions[] = "--benchmark_repetitions=9", time[] = "--benchmark_min_time=0.1";
  char mixed[] = "--benchmark_enable_random_interleaving=true";  // a busy moment affects all of them
  char* arguments[] = {argv[0], repetitions, time, mixed};
  int count = 4;
  benchmark::Initialize(&count, arguments);

  const auto tables = mubody::comparisons();
  for (const auto& table : tables)
    for (const auto& row : table.rows) benchmark::RegisterBenchmark(table.key(row).c_str(), row.measure);
  mubody::Fastest fastest;
  benchmark::RunSpecifiedBenchmarks(&fastest);

  fmt::print("time of one right-hand side, fastest of 9; mechanisms of Marques, Souto & Flores (2017)\n");
  const auto measured = [&](const auto& table) {  // --benchmark_filter may leave some out
    return std::ranges::all_of(table.rows,
                               [&](const auto& row) { return fastest.times.contains(table.key(row)); });
  };
  for (const auto& table : tables) {
    if (!measured(table)) continue;
    const double unit = fastest.times[table.key(table.rows.front())].least / table.rows.front().share;
    fmt::print("\n  {:<37} {:>10} {:>10} {:>8}\n", table.mechanism, "ns", "slowest", "ratio");
    for (const auto& row : table.rows) {
      const auto& t = fastest.times[table.key(row)];
      fmt::print("  {:<37} {:>10.1f} {:>10.1f} {:>8.2f}\n", row.name, t.least / row.share, t.most / row.share,
                 t.least / row.share / unit);
    }
  }
  if (measured(tables.back())) mubody::print_exponents(tables.back(), fastest.times);
  const mubody::Bump bump(MUBODY_SOURCE_DIR "/examples/iltis_suspension/model.toml");
  const double apart = bump.apart(false), apart_in_steps = bump.apart(true);
  fmt::print(
      "\n  the wheel is at most {:.1e} m from where the full model has it with Adams, {:.1e} m with steps of "
      "0.25 ms\n",
      apart, apart_in_steps);

  // The limits that precomputed models promise to keep.
  const auto least = [&](const char* key) {
    return fastest.times.contains(key) ? fastest.times[key].least : std::nan("");
  };
  const double ratio =
      least("four-bar: from tables, errors below 1e-8") / least("four-bar: closed form, by hand");
  const double gain = least("Iltis over the bump, per second: full model") /
                      least("Iltis over the bump, per second: tables, Adams, rtol 1e-6");
  bool kept = true;
  const auto promise = [&](const char* what, double value, bool holds) {
    fmt::print("  {:<60} {:>8.2g}  {}\n", what, value,
               std::isnan(value) ? "not measured"
               : holds           ? "kept"
                                 : "NOT KEPT");
    kept = kept && (holds || std::isnan(value));
  };
  fmt::print("\n  promises of precomputed models\n");
  promise("four-bar from tables: at most 2 times the closed form", ratio, ratio <= 2);
  promise("Iltis from tables with Adams: at least 15 times faster", gain, gain >= 15);
  promise("... and within 1e-6 m of the full model", apart, apart <= 1e-6);
  return kept ? 0 : 1;
}
