#pragma once
// How every analysis begins: equations, assembly, degrees of freedom.
#include <memory>

#include "mubody/analyses/options.h"
#include "mubody/results/results.h"
#include "mubody/system/system.h"

namespace mubody {
struct Begun {
  std::unique_ptr<System> system;
  VecX q, u;
  Results results;  // with assembly, freedom, and an outcome that is false if it could not be assembled
};
/// What becomes of a start that is asked for as given and does not satisfy the constraints.
enum class Gaps {
  kept,
  closed  // where forces are balanced or drivers followed, a start that gapes means nothing
};
/// Throws ModelError when nothing can move because there are more equations than coordinates.
Begun begin(const Study&, const char* analysis, Gaps = Gaps::kept);

/// The joint that owns a row of the equations; nullptr if none does.
const JointRows* owner_of_row(const System&, int row);
/// "joint 'A' (revolute)" or "driver 'motor' (angle)" of a row of the equations.
std::string joint_at_row(const System&, int row);
/// The fastest angular velocity of a body [rad/s].
double fastest_turn(const System&, const In& u);
/// Where a residual is largest: "joint 'A' (revolute) gapes by 0.1 m"; or which is not finite.
std::string worst_of(const System&, const VecX& residual, const char* verb, const char* unit);
}  // namespace mubody
