#pragma once
// Independent variables of a precomputed mechanism: angles and slides of joints, coordinates of bodies.
//
// A variable is what a driver of one equation would prescribe, Φ = p(q) − 0; so its value, its row of the Jacobian and
// its second derivatives are those of that equation.  A driver that is there makes a variable that follows its function.
//                                                                             docs/theory/precompute.md
#include <optional>
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
struct Variable {
  std::string name, unit;  // "A.angle" [rad]
  bool turn = false;       // an angle: whole turns do not show in Φ
  Box<AnyJoint> row;
  std::optional<Function> follows;  // of a driver
};

/// Angles and slides of the joints that are chains of such, except of balls, whose angles are singular somewhere.
std::vector<Variable> joint_coordinates(const Mechanism&);
/// Places of all bodies, and in the plane their angles.
std::vector<Variable> body_coordinates(const Mechanism&);
/// What the drivers prescribe, called as they are.  Throws ModelError if one prescribes several equations at once.
std::vector<Variable> driven_variables(const Mechanism&);
/// Directions in which joints give way.
std::vector<Variable> stiff_variables(const Mechanism&);
/// "A.angle"; "A" if joint A has one coordinate only; "crank.x", "crank.angle" of a body; "motor", a driver.  Throws
/// ModelError.
Variable find_variable(const Mechanism&, const std::string& name);
}  // namespace mubody
