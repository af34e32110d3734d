// Motions in joint coordinates, as a device runs them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/code/recorded_study.h"
#include "mubody/precompute/c/emit_loops.h"
#include "mubody/precompute/run/loop_map.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/recording/tape.h"
#include "mubody/solvers/freedom.h"
#include "mubody/study/state_sizes.h"
#include "mubody/sweep/motion_points.h"
#include "mubody/system/jointed.h"
#include "mubody/system/speeds.h"

namespace mubody {
namespace {
/// A mechanism in joint coordinates, its loops by tables if there are any.
struct Following {
  Begun begun;
  std::vector<FollowingPart> parts;
  std::unique_ptr<System> system;
  VecX q, u;
  RecordingStart start;
  CollectedNumbers numbers;

  Following(const std::shared_ptr<const RealTimeModel>& model, const Study& s) : begun(begin(s, "real-time")) {
    if (!begun.results.outcome) throw ModelError(begun.results.outcome.why);
    if (model) parts = following_parts(model, begun.mechanism);
    system = build_following(begun.mechanism, parts);
    if (model) check_geometry(*model, *system, begun);
    q = VecX::Zero(system->nq), u = VecX::Zero(system->nu);
    system->from_bodies(begun.q, begun.u, q, u);
    if (std::string why = system->out_of_range(q); !why.empty()) throw ModelError(why + " at the start");
    const double t = s.analysis.start;
    start = start_of_bodies(begun, t);
    if (!start.left_out.empty() && system->m > 0) start.open_left_out = dependent_rows(*system, t, q, u);
    start.parts = parts;
    // A tree is eliminated as its zeros allow, which are seen in a whole recording alone.
    const RecordedModel recorded = record(begun.mechanism, start);
    numbers = {recorded.graph->numbers(), recorded.graph->numbers().size()};
  }
};

// Rates count as far as they differ between bodies at the start.
void limit_rates(Following& f, Sizes& sizes) {
  const Speeds now = speeds_of(*f.begun.system, f.begun.u);
  const Scales& scales = f.begun.results.scales;
  System& s = *f.system;
  for (int k = 0; k < s.nu; ++k)
    if (s.velocities[std::size_t(k)].measured != System::Measured::orientation)
      sizes.most[s.nq + k] =
          s.turns[std::size_t(k)] ? std::max(now.turn, 1 / scales.time) : std::max(now.slide, scales.speed());
}

std::optional<LaneTask> task_of(const std::shared_ptr<const RealTimeModel>& tables, const LaneModel& model,
                                const std::string& integrator, bool adaptive, const Study& s) {
  if (is_another_kind(s, integrator)) return {};
  Following f(tables, s);
  auto parameters = model.parameters(f.numbers);
  if (!parameters) return {};
  LaneTask task = frame_of(s, f.begun);
  task.parameters = std::move(*parameters);
  task.q = f.q, task.u = f.u, task.z = VecX::Zero(f.system->nz);
  f.system->start_states(s.analysis.start, task.q, task.u, task.z);
  task.breaks = breaks_of(s, adaptive);
  task.sizes = sizes_of(*f.system, 0);
  limit_rates(f, task.sizes);
  return task;
}

/// Numbers of some points, the first of which begins the recording.
std::vector<CollectedNumbers> samples_of(const Sweep& sweep, const std::shared_ptr<const RealTimeModel>& tables,
                                         const CollectedNumbers& first) {
  constexpr std::size_t most = 12;
  std::vector<CollectedNumbers> all{first};
  for (const std::size_t index : sweep.plan.some(most)) {
    try {
      Following f(tables, with_time_begun(sweep.study(sweep.plan.point(index))));
      if (f.numbers.structure == first.structure && f.numbers.numbers.size() == first.numbers.size())
        all.push_back(std::move(f.numbers));
    } catch (const ModelError&) {  // its row says why
    }
  }
  return all;
}

/// Whether the tree gives the bodies the accelerations that their own equations do, at the start and at places beside it.  It does not
/// where parts without mass or inertia leave it without inertia.
bool agrees_with_bodies(const RecordedModel& m, const Following& f, double error) {
  std::vector<int> both = m.a_of_tree;
  both.insert(both.end(), m.a_of_bodies.begin(), m.a_of_bodies.end());
  const std::size_t n = both.size() / 2;
  const Tape tape(*m.graph, {"accelerations", both});
  TapeWork work(tape);
  work.set_parameters(tape, m.graph->parameters().data());
  std::vector<double> x(std::size_t(m.arguments()), 0.0), y(both.size());
  x[0] = f.start.t;
  std::copy(m.start_q.begin(), m.start_q.end(), x.begin() + RecordedModel::first_q());
  std::copy(m.start_u.begin(), m.start_u.end(), x.begin() + m.first_u());
  std::ranges::copy(m.followed, x.begin() + m.first_followed());
  for (const RecordedModel::Kept& k : m.kept) x[std::size_t(k.input)] = k.start;
  tape(x.data(), y.data(), work);
  double size = 1;
  for (std::size_t k = 0; k < n; ++k) size = std::max(size, std::abs(y[n + k]));
  for (std::size_t k = 0; k < n; ++k)
    if (!(std::abs(y[k] - y[n + k]) <= error * size)) return false;
  return true;
}
}  // namespace

RecordingStart start_of_bodies(const Begun& b, double t) {
  RecordingStart start{t, b.q, b.u};
  if (b.results.freedom.always_redundant()) start.left_out = dependent_rows(*b.system, t, b.q, b.u);
  return start;
}
std::vector<bool> lengths_of(const System& s) {
  std::vector<bool> lengths;
  for (const System::Measured m : s.measures) lengths.push_back(m == System::Measured::length);
  return lengths;
}
LaneTask frame_of(const Study& s, const Begun& b) {
  LaneTask task;
  task.start = s.analysis.start, task.end = s.analysis.end;
  task.times = s.output.at(s.analysis);
  task.control = s.analysis.control;
  task.scales = b.results.scales;
  return task;
}
bool is_another_kind(const Study& s, const std::string& integrator) {
  return s.analysis.integrator != integrator || !s.analysis.type->facts().integrates;
}

MotionPlan plan_jointed(const Sweep& sweep, const Study& s, const Tableau& table, const KeptOf& kept) {
  constexpr double round_off = 1e-8, of_tables = 1e-3;
  const std::shared_ptr<const RealTimeModel> tables = sweep.tables ? sweep.tables->model() : nullptr;
  const Following f(tables, s);
  if (std::string why = no_steps_alone(s, f.begun); !why.empty()) throw ModelError(why);
  const auto model = std::make_shared<const LaneModel>(*f.system, f.begun.mechanism, f.start,
                                                       samples_of(sweep, tables, f.numbers));
  if (!agrees_with_bodies(model->recorded(), f, tables ? of_tables : round_off))
    throw ModelError("in joint coordinates the bodies do not accelerate as their own equations say");
  MotionPlan plan;
  plan.table = &table;
  plan.kept = kept(model->recorded());
  std::vector<double> numbers;
  const std::string follow =
      tables ? follow_in_c(*tables, f.begun.mechanism, f.parts, model->recorded(), numbers) : "";
  plan.equations = motion_equations(model, plan.kept, lengths_of(*f.begun.system), follow);
  plan.equations.tables = std::move(numbers);
  plan.task = [tables, model, integrator = s.analysis.integrator, adaptive = !table.e.empty()](
                  const Study& of) { return task_of(tables, *model, integrator, adaptive, of); };
  return plan;
}
}  // namespace mubody
