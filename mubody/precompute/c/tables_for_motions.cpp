#include "mubody/precompute/c/tables_for_motions.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/precompute/c/embedded.h"
#include "mubody/precompute/c/emit_c.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/recording/c_text.h"
#include "mubody/recording/embedded_c.h"

namespace mubody {
namespace {
constexpr const char* name = "swept";

int node_of(const RecordedModel& r, const char* channel) {
  return std::ranges::find(r.channels, channel, &RecordedModel::Channel::name)->node;
}

/// Channels, energies, the gaps of all joints.
Routine look(const RecordedModel& r, const std::vector<LaneKept>& kept) {
  Routine all{"mb_look", {}};
  for (const LaneKept& k : kept)
    all.outputs.push_back(k.channel.kind == LaneChannel::recorded
                              ? r.channels[std::size_t(k.channel.index)].node
                              : node_of(r, "energy.kinetic"));
  for (const char* energy : {"energy.kinetic", "energy.potential"}) all.outputs.push_back(node_of(r, energy));
  all.outputs.insert(all.outputs.end(), r.all_phi.begin(), r.all_phi.end());
  all.outputs.push_back(r.graph->constant(1));
  return all;
}
}  // namespace

std::string no_motions(const RealTimeModel& m, const RecordedModel& bodies) {
  const auto has_tree = [](const auto& all) {
    return std::ranges::any_of(all, [](const auto& t) { return !t.table.tree().empty(); });
  };
  if (!m.run_time.empty()) return "some of its forces act at run time";
  if (!m.stiff.empty()) return "its joints give way";
  if (m.regions.size() != 1) return "its tables have several regions";
  if (has_tree(m.regions[0].dynamics) || has_tree(m.regions[0].bodies))
    return "its tables cover the neighbourhood of a motion";
  if (bodies.nz > 0 || !bodies.sampled.empty()) return "its signals have states";
  if (!bodies.kept.empty()) return "turns are counted";
  return {};
}

MotionEquations tables_for_motions(std::shared_ptr<const RealTimeModel> model, const Mechanism& mechanism,
                                   std::shared_ptr<const RecordedModel> bodies, std::vector<bool> lengths,
                                   const std::vector<LaneKept>& kept) {
  const RealTimeModel& m = *model;
  const auto works = [](const DynamicsTable& t) { return t.positional || t.damped; };
  const Routine seen = look(*bodies, kept);
  MotionEquations e;
  e.positions = e.velocities = m.n(), e.controlled = 2 * m.n();
  e.states = e.controlled + (std::ranges::any_of(m.regions[0].dynamics, works) ? 4 : 0);
  e.arguments = e.first_followed = e.first_kept = 1 + e.controlled;
  e.observed = int(seen.outputs.size());
  e.cycles = int(RealTime(m, mechanism).operations());
  for (const VariableRange& v : m.regions[0].variables) e.lengths.push_back(!v.turn);
  e.looked_lengths = std::move(lengths);
  std::string tables = emit_tables(m, mechanism, {.name = name, .steps = 0}, e.tables);
  e.code = [bodies = std::move(bodies), seen, tables = std::move(tables)](int longest) {
    CFrame frame;
    frame.longest = longest;
    const Computation& g = *bodies->graph;
    return tables + tables_in_c(g, {seen}, frame) + routine_in_c(g, seen, frame) +
           fmt::format("\nenum {{ MB_LOOK_ARGUMENTS = {} }};\n", bodies->arguments()) +
           embedded_c(c_text::moving_c, name);
  };
  return e;
}
}  // namespace mubody
