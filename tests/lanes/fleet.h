#pragma once
// Studies that share their equations, as a batch takes them.
#include "mubody/code/recorded_study.h"
#include "mubody/lanes/batch.h"
#include "mubody/simulation/begin.h"
#include "mubody/study/state_sizes.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
struct Fleet {
  std::shared_ptr<const LaneModel> model;
  std::vector<LaneTask> tasks;

  explicit Fleet(const std::vector<Study>& studies) {
    std::vector<Begun> begun;
    std::vector<RecordingStart> starts;
    std::vector<CollectedNumbers> numbers;
    for (const Study& s : studies) {
      begun.push_back(begin(s, "forward"));
      const Begun& b = begun.back();
      starts.push_back({s.analysis.start, b.q, b.u});
      if (b.results.freedom.always_redundant())
        starts.back().left_out = dependent_rows(*b.system, s.analysis.start, b.q, b.u);
      numbers.push_back(collect(b.mechanism, starts.back()));
    }
    model = std::make_shared<const LaneModel>(*begun.front().system, begun.front().mechanism, starts.front(),
                                              numbers);
    for (std::size_t k = 0; k < studies.size(); ++k) tasks.push_back(task(studies[k], begun[k], numbers[k]));
  }

  LaneTask task(const Study& s, Begun& b, const CollectedNumbers& numbers) const {
    LaneTask task;
    task.parameters = model->parameters(numbers).value();
    task.q = b.q, task.u = b.u, task.z = VecX::Zero(b.system->nz);
    b.system->start_states(s.analysis.start, task.q, task.u, task.z);
    task.start = s.analysis.start, task.end = s.analysis.end;
    task.times = s.output.at(s.analysis);
    task.breaks = breakpoints_through(s.mechanism, task.start, task.end,
                                      {s.analysis.control.longest_over(task.end - task.start)});
    task.control = s.analysis.control;
    task.scales = b.results.scales;
    task.sizes = sizes_of(*b.system, 0);
    return task;
  }
  /// The last values of these channels.
  std::vector<LaneKept> last(const std::vector<std::string>& names) const {
    std::vector<LaneKept> all;
    for (const std::string& name : names) all.push_back({LaneKept::last, model->channel(name).value()});
    return all;
  }
};

/// Steps until all lanes are free.
inline std::vector<std::optional<LaneOutcome>> finish(LaneBatch& batch) {
  std::vector<std::optional<LaneOutcome>> all(LaneBatch::width);
  for (;;) {
    bool busy = false;
    for (int k = 0; k < LaneBatch::width; ++k) {
      if (auto out = batch.take(k)) all[std::size_t(k)] = std::move(out);
      busy = busy || !batch.is_free(k);
    }
    if (!busy) return all;
    batch.step();
  }
}
inline std::vector<std::optional<LaneOutcome>> run_all(LaneBatch& batch, const Fleet& fleet) {
  for (std::size_t k = 0; k < fleet.tasks.size(); ++k) batch.start(int(k), fleet.tasks[k]);
  return finish(batch);
}
}  // namespace mubody::testing
