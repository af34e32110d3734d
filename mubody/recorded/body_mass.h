#pragma once
// The mass of a body in recorded equations, where parts without mass or inertia have small ones that stand in.
//
//   docs/theory/generated-code.md#elimination
#include "mubody/mechanism/mechanism.h"
#include "mubody/system/recorded_elements.h"

namespace mubody {
/// The mass of a body, its inverse with what stands in for parts that are zero, and the inverse where those never move.
template <int D> struct BodyMass {
  using Matrix = Eigen::Matrix<double, Body<D>::columns, Body<D>::columns>;
  Matrix mass, inverse, inverse_of_own;
  bool stands_in = false;  // there are such parts

  BodyMass(const Mechanism& m, int b) : mass(Body<D>::mass(m.bodies[std::size_t(b - 1)])) {
    constexpr double negligible = 1e-8;  // share of what is there
    const RigidBody& body = m.bodies[std::size_t(b - 1)];
    Matrix taken = mass, held = Matrix::Zero();
    double arm = 0, heaviest = 0;
    for (const auto& named : m.joints)
      for (const Marker* marker : named.what->markers())
        if (marker->body == b) arm = std::max(arm, marker->at.squaredNorm());
    for (const RigidBody& other : m.bodies) heaviest = std::max(heaviest, other.mass);
    if (arm == 0) arm = 1;
    for (int k = 0; k < mass.rows(); ++k) {
      const double least = negligible * (k < D ? heaviest : arm * (body.mass > 0 ? body.mass : heaviest));
      if (taken(k, k) < least * negligible) taken(k, k) = least, held(k, k) = 1 / negligible * heaviest * arm;
    }
    inverse = taken.inverse(), inverse_of_own = (taken + held).inverse();
    stands_in = taken != mass;
  }
};
}  // namespace mubody
