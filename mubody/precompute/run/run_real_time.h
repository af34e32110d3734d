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
}  // namespace mubody
