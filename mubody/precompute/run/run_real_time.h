#pragma once
// A precomputed model in motion: whole runs with the same tables of results as of the model itself, and simulations that
// are stepped.
#include "mubody/precompute/tables/model.h"
#include "mubody/simulation/simulation.h"

namespace mubody {
/// The study is that of the model's text.
Results run_real_time(const RealTimeModel&, const Study&, const Progress& = {});
/// The same as an object.
Simulation simulate(RealTimeModel, const Study&, const SimulationOptions& = {});

/// Throws ModelError unless the tables of loops put the bodies where the model does at the start: a file that the model includes or
/// reads may have changed since they were made.  `loops` is of build_following().
void check_geometry(const RealTimeModel&, System& loops, const Begun&);
}  // namespace mubody
