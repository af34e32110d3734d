#pragma once
// The analyses.  Each takes a study and gives results; none prints, exits or reads the clock.
#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody {
/// What study.analysis.type asks for.  Throws ModelError if the model cannot mean that.
Results run(const Study&, const Progress& = {});

/// Positions and velocities that satisfy the constraints, degrees of freedom, redundancies.
Results run_assembly(const Study&);
/// Motion from drivers: position by Newton along the branch, velocity, acceleration, driving forces.
Results run_kinematic(const Study&, const Progress& = {});
/// Motion from drivers as above, and which force or moment each driver takes.
Results run_inverse(const Study&, const Progress& = {});
/// Where the mechanism rests, and whether it stays there when it is disturbed.
Results run_equilibrium(const Study&);
/// Small motions about a state: frequencies, damping ratios, shapes, state-space matrices.
Results run_modes(const Study&);
/// Derivatives of the equilibrium, or of a driven motion, with respect to parameters.
Results run_sensitivity(const Study&, const Progress& = {});
/// Motion from forces, with the energy balance.
Results run_forward(const Study&, const Progress& = {});

}  // namespace mubody
