#pragma once
// One point of a sweep, from its index to its row: the model is given the numbers of the point and run like any
// other.
#include "mubody/reading/read_model.h"
#include "mubody/study/options.h"
#include "mubody/sweep/keep.h"
#include "mubody/sweep/plan.h"
#include "mubody/sweep/row.h"
#include "mubody/sweep/tables.h"

namespace mubody {
/// A sweep: what all its points have in common.
struct Sweep {
  io::ModelText model;
  SweepPlan plan;
  std::vector<Kept> kept;
  std::optional<double> limit{};                // [s] CPU time of a point, in place of that of the model
  std::shared_ptr<const SweptTables> tables{};  // of a precomputed model

  /// The model at a point, with results at the times of kept values.  Throws ModelError.
  Study study(const std::vector<double>& point) const;
  /// Runs it.
  Results run(const Study&, const Progress&) const;
  /// The headers of the kept values.
  std::vector<std::string> headers() const;
};

/// The results of a run as a row.
SweepRow row_of_run(const Sweep&, std::size_t index, std::vector<double> point, const Results&);
/// The row of a point that cannot be run at all.
SweepRow failed_row(std::size_t index, std::vector<double> point, std::string message);

/// The row of a point for which there is not enough memory.
SweepRow too_large_row(std::size_t index, std::vector<double> point);

/// Runs a point.  The row says if something went wrong; there is none if the run was interrupted.
std::optional<SweepRow> run_point(const Sweep&, std::size_t index, const Progress&);

/// The digits that stay at the first point, in words; empty if it cannot be run, or has no estimate.
std::string digits_of_first_point(const Sweep&, const Progress&);

/// Results with the tables and columns that every point has, from a run that is as short as possible.  They
/// supply the names and units of the channels.  Throws ModelError.
Results example_of(const io::ModelText&, const SweepPlan&);
}  // namespace mubody
