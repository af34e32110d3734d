#pragma once
// Joints that give way: a joint with stiff directions, split into rigid and elastic parts, and rejoined.
//
// A direction that the joint forbids is stiff if it has a spring, otherwise it is held by an equation of its own, "J.slide_y"
// or "J.angle_x".  The springs are a force, joint_compliance, with the joint's name.        docs/theory/deformable-joints.md
#include "mubody/forces/joint_compliance.h"
#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// Adds such a joint.  Throws FieldError if a stiff direction is free already, or if the joint is no chain of elementary motions.
void add_compliant_joint(Mechanism&, const Named<AnyJoint>& rigid, JointCompliance);

/// A direction in which a joint gives way, with its deflection as the equation of a driver that prescribes it.
struct StiffCoordinate {
  std::string name;  // "J.slide_x"
  bool turn = false;
  Box<AnyJoint> row;
};
std::vector<StiffCoordinate> stiff_coordinates(const Mechanism&);
/// F = K s + C ṡ for all of them together.
struct StiffMatrices {
  MatX K, C;
};
StiffMatrices stiff_matrices(const Mechanism&);
/// Whether a force is that of a joint that gives way.
bool is_compliance(const AnyForce&);
/// The same springs, and the same joint that gives way, with their markers on other bodies.
Box<AnyForce> compliance_between(const AnyForce&, int body_i, int body_j);

/// The same mechanism with rigid joints in their place.
Mechanism rigid(const Mechanism&);
/// The same of those that keep an equation; those that give way in all directions that they hold stay springs.
Mechanism with_rigid_links(const Mechanism&);
}  // namespace mubody
