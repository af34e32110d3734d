#pragma once
// One point of a sweep, from its index to its row: the model with the point's numbers in it, run as any other.
#include "mubody/reading/read_model.h"
#include "mubody/study/options.h"
#include "mubody/sweep/keep.h"
#include "mubody/sweep/plan.h"
#include "mubody/sweep/row.h"

namespace mubody {
/// What all points have in common.
struct Sweep {
  io::ModelText model;
  SweepPlan plan;
  std::vector<Kept> kept;

  /// The model at a point, with results at the times that are kept.  Throws ModelError.
  Study study(const std::vector<double>& point) const;
  /// Headers of what is kept.
  std::vector<std::string> headers() const;
};

/// Results of a run as a row.
SweepRow row_of_run(const Sweep&, std::size_t index, std::vector<double> point, const Results&);
/// The row of a point that cannot be run at all.
SweepRow failed_row(std::size_t index, std::vector<double> point, std::string message);

/// A run; none if it was stopped.  What goes wrong is in the row.
std::optional<SweepRow> run_point(const Sweep&, std::size_t index, const Progress&);

/// Results that have the tables and columns of every point, of as short a run as there is: for names and units of what
/// may be kept.  Throws ModelError.
Results example_of(const io::ModelText&, const SweepPlan&);
}  // namespace mubody
