// Which tables a mechanism gets: those of the whole, or of its loops.           docs/theory/loops-as-joints.md
#include "mubody/precompute/make_loops.h"
#include "mubody/precompute/plan/variable.h"
#include "mubody/simulation/particles.h"

namespace mubody {
namespace {
/// Throws ModelError, which says what there is, if a variable is asked for that there is not.
void check_names(const Mechanism& m, const PrecomputeOptions& o) {
  for (const std::string& name : o.independent) find_variable(m, name);
  for (const auto& r : o.ranges) find_variable(m, r.variable);
}
}  // namespace

Precomputed precompute(const Study& given, const PrecomputeOptions& o, const Progress& progress,
                       const MemoryNotice& notice) {
  const Study study = with_particles(with_time_begun(given));
  check_names(study.mechanism, o);
  if (wants_loops(study, o)) return precompute_loops(study, o, progress, notice);
  refuse_names_of_no_loop(study, o);
  const bool other = could_be_loops(study, o);
  if (other && o.tables_of.index == PrecomputeOptions::as_suits) {
    try {
      if (auto made = tabulate_quickly(study, o, nullptr, progress, notice)) return std::move(*made);
      Precomputed loops = precompute_loops(study, o, progress, notice);
      loops.remarks.push_back(
          "tables of the whole would take long, or more memory than they may: these are of its loops");
      return loops;
    } catch (const ModelError&) {
      // What tables of the whole lack is said below.
    }
  }
  try {
    return tabulate(study, o, nullptr, progress, notice);
  } catch (const ModelError& e) {
    if (!other) throw;
    ModelError longer(std::string(e.what()) + "; or tables of its loops, --tables-of loops");
    longer.place = e.place;
    throw longer;
  }
}
}  // namespace mubody
