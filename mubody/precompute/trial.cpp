#include "mubody/precompute/trial.h"

#include "mubody/analyses/run.h"
#include "mubody/system/body_layout.h"

namespace mubody {
namespace {
constexpr double few_digits = 1e-6;  // relative tolerance
constexpr int most_steps = 20'000, rows = 200;

Study roughly(Study s) {
  AnalysisOptions& a = s.analysis;
  a.control.rtol = std::max(a.control.rtol, few_digits);
  a.control.atol.reset();
  a.control.steps = most_steps;
  a.estimate = a.estimate_usual = a.watched = a.extremes = a.compiled = false;
  a.digits = 0;
  s.output = {};
  s.output.step = (a.end - a.start) / rows;
  return s;
}
}  // namespace

TrialMotion trial_motion(const Study& study) {
  TrialMotion motion;
  const Mechanism& m = study.mechanism;
  const BodyLayout layout(m.dim);
  if (!(study.analysis.end > study.analysis.start)) return motion;
  try {
    const Results r = run_forward(roughly(study));
    const std::vector<double> times = r.times();
    motion.q.assign(times.size(), VecX(Eigen::Index(m.bodies.size()) * layout.coordinates));
    for (int body = 1; body <= int(m.bodies.size()); ++body)
      for (int k = 0; k < layout.coordinates; ++k) {
        const std::vector<double> x =
            r.column(m.body_name(body) + "." + layout.coordinate_names[std::size_t(k)]);
        for (std::size_t t = 0; t < times.size(); ++t) motion.q[t][layout.first_coordinate(body) + k] = x[t];
      }
    if (!times.empty()) motion.end = times.back();
  } catch (const ModelError&) {
    motion.q.clear();  // the model can be tabulated, and not be run like this
  }
  return motion;
}
}  // namespace mubody
