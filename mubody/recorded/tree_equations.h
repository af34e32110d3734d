#pragma once
// The equations of motion in joint coordinates, with recorded numbers: what system/jointed.h does, once.
//
//   J a + Dᵀ λ = Q,  D a = γ      S = D J⁻¹ Dᵀ,  S λ = D J⁻¹ Q − γ,  a = J⁻¹ (Q − Dᵀ λ)
//
// D has rows for joints that the tree leaves open and for drivers.       docs/theory/generated-code.md#joint-coordinates
#include <optional>

#include "mubody/formulations/tree_inertia.h"
#include "mubody/recorded/factors.h"
#include "mubody/system/recorded_elements.h"

namespace mubody {
/// The tree of a mechanism, where it starts, and which joints it keeps closed.
template <int D> struct StartingTree {
  using F = Body<D>;
  /// The body coordinates and velocities satisfy the constraints.
  StartingTree(const Mechanism&, const std::vector<FollowingPart>&, const VecX& body_q, const VecX& body_u);

  Tree<D> tree;
  std::vector<bool> closes;  // by joint
  VecX q, u;
  /// What the functions of parts say there, and then of each part its variables and their rates: where they said so.
  std::vector<double> followed;
};

template <int D> class RecordedTree {
 public:
  using F = Body<D, Recorded>;
  using State = typename F::BodyState;
  using Numbers = std::vector<Recorded>;

  explicit RecordedTree(const Tree<D>& tree)
      : tree_(tree), at_(tree.template make_motion<Recorded>()), inertia_(tree) {}

  /// Places the bodies, the ground first; writes their velocities of body coordinates.
  void move_bodies(const Numbers& q, const Numbers& u, Numbers followed, std::vector<State>&, Numbers& body_u);
  /// Takes the inertias of bodies, and forces on them in body coordinates.
  void load(Computation&, const std::vector<RigidBody>&, const std::vector<State>&, const Numbers& Q);
  /// Adds an equation: what it says about velocities of bodies.
  void add_row(const std::vector<State>&, const RecordedRow<D>&);
  /// Accelerations, multipliers, and the accelerations of bodies in body coordinates.
  void solve(Computation&, const std::vector<State>&, Numbers& a, Numbers& lambda, Numbers& of_bodies);
  /// The smallest displacement, measured by the mass, that changes Φ by b.
  Numbers displacement(const Numbers& b) const;
  /// The diagonal of J as multiples of its pivots: beyond all measure where a velocity moves no inertia of its own.
  Numbers multiples() const;
  /// Negative where the equations of the tree keep less than a share of their diagonals; see RecordedElimination.
  Recorded independence(Computation&, double share) const;

 private:
  const Tree<D>& tree_;
  TreeMotion<D, Recorded> at_;
  TreeInertia<D, Recorded> inertia_;
  Numbers Q_, gamma_, diagonal_, compliances_;  // the diagonals of the mass and of the compliance
  std::vector<RecordedVector> rows_;
  std::vector<Numbers> per_row_;  // J⁻¹ Dᵀ
  std::optional<RecordedFactors> mass_, compliance_;
};

extern template struct StartingTree<2>;
extern template struct StartingTree<3>;
extern template class RecordedTree<2>;
extern template class RecordedTree<3>;
}  // namespace mubody
