#pragma once
// Sweeps of precomputed models.                                                              docs/user/sweep.md#precomputed-models
//
// Tables of a whole mechanism hold its geometry, masses and most forces: starts alone may vary.  Tables of loops hold the geometry
// of these, and whatever else there is may vary.
#include "mubody/analyses/run.h"
#include "mubody/precompute/tables/model.h"
#include "mubody/recorded/model.h"
#include "mubody/simulation/begin.h"
#include "mubody/study/options.h"

namespace mubody {
class SweptTables {
 public:
  /// The study is that of the model, unchanged.  Throws ModelError if its analysis is none for tables.
  SweptTables(RealTimeModel, const Study&);

  const std::shared_ptr<const RealTimeModel>& model() const { return model_; }
  /// The model with the start of a study.  Throws ModelError if it differs in something that the tables hold.
  RealTimeModel started(const Study&) const;
  /// The same of what has begun: the values and rates of the variables.
  void start(const Begun&, std::vector<double>& theta, std::vector<double>& rate) const;
  Results run(const Study&, const Progress&) const;

 private:
  void check(const Begun&) const;

  std::shared_ptr<const RealTimeModel> model_;
  CollectedNumbers numbers_;  // of the unchanged mechanism, where tables are of the whole
};
}  // namespace mubody
