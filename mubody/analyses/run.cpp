#include "mubody/analyses/run.h"

#include <fmt/format.h>

#include "mubody/analyses/forward.h"
#include "mubody/simulation/verdict.h"

namespace mubody {
namespace {
/// The remark for a requested formulation that is not used.
std::string in_body_coordinates(const AnalysisOptions& o) {
  std::vector<std::string_view> names;
  for (const AnalysisEntry& e : analysis_kinds())
    if (e.facts.any_coordinates) names.push_back(e.info.name);
  const std::string_view last = names.back();
  names.pop_back();
  return fmt::format("computed in body coordinates: formulation = \"{}\" is for {} and {} analyses",
                     o.formulation.word(), fmt::join(names, ", "), last);
}
}  // namespace

Results run(const Study& study, const Progress& progress) {
  const AnalysisOptions& o = study.analysis;
  if (o.patience.waits()) return run(with_time_begun(study), progress);
  Results r = o.type->run(study, progress);
  distrust_not_finite(r);
  distrust_elements(study.mechanism, r);
  if (o.formulation.index != 0 && !o.type->facts().any_coordinates) r.remarks.push_back(in_body_coordinates(o));
  return r;
}

Results run_forward(const Study& study, const Progress& progress) { return Forward{}.run(study, progress); }
}  // namespace mubody
