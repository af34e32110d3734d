#pragma once
// A run of a precomputed model: the same tables of results as of the model itself.
#include "mubody/precompute/tables/model.h"
#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody {
/// `study` is what the model's text says; its integrator, times and output are used.  Positions, velocities and
/// accelerations come from the tables; reactions from these by inverse dynamics, at output times.
Results run_real_time(const RealTimeModel&, const Study& study, const Progress& = {});
}  // namespace mubody
