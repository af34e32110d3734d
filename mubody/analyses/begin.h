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
/// Throws ModelError when nothing can move because there are more equations than coordinates.
Begun begin(const Study&, const char* analysis);

/// "joint 'A' (revolute)" of a row of the equations.
std::string joint_at_row(const System&, int row);
}  // namespace mubody
