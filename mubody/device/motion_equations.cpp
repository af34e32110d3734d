#include "mubody/device/motion_equations.h"

#include "mubody/recording/c_text.h"

namespace mubody {
MotionEquations motion_equations(const std::shared_ptr<const LaneModel>& model,
                                 const std::vector<LaneKept>& kept, std::vector<bool> gaps,
                                 const std::string& follow) {
  const LaneModel& m = *model;
  const RecordedModel& r = m.recorded();
  std::vector<Routine> routines = m.routines(kept);
  MotionEquations e;
  e.positions = m.positions(), e.velocities = m.velocities();
  e.controlled = m.controlled(), e.states = m.states(), e.rows = m.rows();
  e.bodies = m.is_jointed() ? 0 : m.bodies(), e.in_space = m.in_space(), e.held = m.held();
  e.arguments = r.arguments(), e.first_followed = r.first_followed(), e.first_kept = r.first_kept(),
  e.parameters = m.parameters();
  e.observed = int(routines.back().outputs.size());
  e.cycles = operations(*r.graph, routines.front()).cycles();
  e.lengths = m.lengths(), e.gap_lengths = m.gap_lengths(), e.looked_lengths = std::move(gaps);
  e.kept = r.kept, e.at_instants = r.at_instants, e.sampled = r.sampled;
  e.code = [model, routines = std::move(routines), follow](int longest) {
    CFrame frame;
    frame.longest = longest;
    const Computation& g = *model->recorded().graph;
    std::string code = tables_in_c(g, routines, frame);
    for (const Routine& one : routines) code += routine_in_c(g, one, frame) + "\n";
    return follow.empty() ? code : follow + "#define MB_FOLLOW(x) (mb_follow(x) == 0)\n" + code;
  };
  return e;
}
}  // namespace mubody
