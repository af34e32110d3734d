#pragma once
// Independent variables of a precomputed mechanism: angles and slides of joints, coordinates of bodies.
//
// A variable p(q) is represented by a driver with one equation, Φ = p(q) − 0; its value, its row of the
// Jacobian and its second derivatives are those of that equation.  A driver of the model makes a variable that
// follows its function.
//                                                                             docs/theory/precompute.md
#include <optional>
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
struct Variable {
  std::string name, unit;  // "A.angle" [rad]
  bool turn = false;       // it is an angle; Φ does not show whole turns
  Box<AnyJoint> row;
  std::optional<Function> follows;  // the function that a driver prescribes
};

/// Angles and slides that joints leave, except those of ball joints, whose angles are singular somewhere.
std::vector<Variable> joint_coordinates(const Mechanism&);
/// The angles of ball joints.
std::vector<Variable> ball_angles(const Mechanism&);
/// Sums and differences of two angles of other joints: "A.angle+B.angle".  Where two bars swing, such a one passes the dead points
/// of both.
std::vector<Variable> sums_of_angles(const Mechanism&);
/// Positions of all bodies, and in the plane their angles.
std::vector<Variable> body_coordinates(const Mechanism&);
/// The variables that drivers prescribe, with the names of the drivers.  Throws ModelError if a driver
/// prescribes several.
std::vector<Variable> driven_variables(const Mechanism&);
/// The variable that a driver prescribes, if it is a single one.
std::optional<Variable> driven_by(const Named<AnyJoint>& driver, int dim);
/// Directions in which joints give way.
std::vector<Variable> stiff_variables(const Mechanism&);
/// The variable with that name: "A.angle", or "A" if joint A has only one coordinate; "crank.x" or
/// "crank.angle" of a body; "motor" of a driver; "A.angle-B.angle".  Throws ModelError if there is none.
Variable find_variable(const Mechanism&, const std::string& name);
}  // namespace mubody
