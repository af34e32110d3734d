#include "mubody/sweep/tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/code/recorded_study.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/precompute/run/table_start.h"
#include "mubody/simulation/begin.h"

namespace mubody {
namespace {
constexpr double same_number = 1e-10;  // numbers that follow from others differ by round-off

CollectedNumbers numbers_of(const Begun& b, double t) {
  RecordingStart start{t, b.q, b.u};
  if (b.results.freedom.always_redundant()) start.left_out = dependent_rows(*b.system, t, b.q, b.u);
  return collect(b.mechanism, start);
}
bool agree(const CollectedNumbers& a, const CollectedNumbers& b) {
  return a.structure == b.structure && std::ranges::equal(a.numbers, b.numbers, [](double x, double y) {
           return std::abs(x - y) <= same_number * std::max(1.0, std::abs(x));
         });
}
}  // namespace

SweptTables::SweptTables(RealTimeModel model, const Study& study)
    : model_(std::make_shared<const RealTimeModel>(std::move(model))) {
  const AnalysisFacts& facts = study.analysis.type->facts();
  if (!facts.moves() || !facts.tables.empty())
    throw ModelError(
        "a precomputed model runs forward, or as its drivers lead it; for other analyses sweep the model "
        "itself");
  if (model_->loops_as_joints) return;
  const Begun b = begin(study, "real-time");
  if (b.results.outcome) numbers_ = numbers_of(b, study.analysis.start);
}

void SweptTables::check(const Begun& b) const {
  if (!b.results.outcome) throw ModelError(b.results.outcome.why);
  if (!agree(numbers_of(b, model_->t), numbers_))
    throw ModelError(
        "this changes what the tables hold: of a mechanism that is tabulated as a whole the start alone may "
        "vary, "
        "positions and velocities; precompute it with --tables-of loops, and masses and forces may vary too");
}

void SweptTables::start(const Begun& b, std::vector<double>& theta, std::vector<double>& rate) const {
  check(b);
  TableStart start = table_start(*model_, b);
  const Region& region = model_->regions[std::size_t(model_->start_region)];
  for (std::size_t k = 0; k < region.variables.size(); ++k)
    if (const VariableRange& v = region.variables[k]; !v.cyclic && !v.holds(start.theta[k]))
      throw ModelError(v.beyond(start.theta[k]) + " at the start: precompute with a wider --range");
  theta = std::move(start.theta), rate = std::move(start.rate);
}

RealTimeModel SweptTables::started(const Study& study) const {
  RealTimeModel model = *model_;
  if (model.loops_as_joints) return model;
  bool changed = false;  // by variables that the tables foresee: the run itself finds the start then
  for (DesignVariable& d : model.design) {
    const auto parameter = study.parameters.find(d.name);
    if (parameter != study.parameters.end()) d.value = parameter->second;
    changed = changed || d.value != d.nominal;
  }
  if (changed) return model;
  start(begin(study, "real-time"), model.start, model.start_rate);
  return model;
}

Results SweptTables::run(const Study& study, const Progress& progress) const {
  return run_real_time(started(study), study, progress);
}
}  // namespace mubody
