#pragma once
// The equations of motion of a tree, Bᵀ M B q̈ = Bᵀ (f − M Ḃ u), by recursions from the leaves to the root and back.
//                                                                     docs/theory/joint-coordinates.md
//
//   forces       Q_k = h_k · f,  f the sum over all bodies beyond the arc, moved to its child
//   composite    J_kl = h_l · (I_k h_k), I_k the inertia of all bodies beyond arc k as if they were one   Walker & Orin (1982)
//   articulated  J⁻¹ g without J, velocity by velocity from the leaves:                          Featherstone (1983, 2008)
//
//                U = I h,  d = h · U,  e = g − h · p,   I ← I − U Uᵀ / d,  p ← p + U e / d     then to the parent, and back
//                q̈ = (e − U · a) / d,  a ← a + h q̈
//
// As all columns of an arc are taken at one point, a joint of several freedoms is eliminated one by one: no matrices.
#include <span>

#include "mubody/formulations/tree.h"

namespace mubody {
template <int D> class TreeInertia {
 public:
  using BodyState = typename Body<D>::BodyState;
  explicit TreeInertia(const Tree<D>&);

  /// Computes Bᵀ f; f has one wrench for each body, the ground first, and is changed.
  void project(const TreeMotion<D>&, std::span<Wrench<D>> f, double* Q) const;
  /// B a, or B a + Ḃ u, of each body, the ground first.
  void accelerations(const TreeMotion<D>&, const double* a, bool with_bias,
                     std::span<Twist<D>> of_bodies) const;

  /// Inertias of all bodies, the ground first, for the next two functions.
  std::span<Inertia<D>> bodies() { return own_; }
  /// Calls entry(k, l, J_kl) for all pairs of velocities that are not zero by their places in the tree, each once; with
  /// followers, which share velocities, for each part of the sum.
  template <class Entry> void composite(const TreeMotion<D>&, const Entry& entry);
  /// J⁻¹ g in a time proportional to the number of bodies; not with followers.
  void solve(const TreeMotion<D>&, const double* g, double* a);

 private:
  const Tree<D>& tree_;
  std::vector<Inertia<D>> own_;     // per body
  std::vector<Inertia<D>> beyond_;  // per arc: composite or articulated
  struct Elimination {
    Wrench<D> U;
    double per_d, e;
  };
  std::vector<Elimination> of_velocity_;
  std::vector<Wrench<D>> p_;  // per arc
  std::vector<Twist<D>> a_;   // per arc
};

template <int D>
template <class Entry>
void TreeInertia<D>::composite(const TreeMotion<D>& x, const Entry& entry) {
  const auto& arcs = tree_.arcs();
  for (std::size_t k = 0; k < arcs.size(); ++k) beyond_[k] = own_[std::size_t(arcs[k].child)];
  for (std::size_t k = arcs.size(); k-- > 0;) {
    const Arc<D>& arc = arcs[k];
    for (int n = arc.h; n < arc.h + arc.nh; ++n) {
      Wrench<D> F = beyond_[k] * x.h[std::size_t(n)];
      const int own = tree_.velocity_of(n);
      for (int l = arc.h; l <= n; ++l) entry(own, tree_.velocity_of(l), dot(x.h[std::size_t(l)], F));
      for (std::size_t at = k; arcs[at].above >= 0;) {
        F.moment += spatial::cross(x.way[at], F.force);
        at = std::size_t(arcs[at].above);
        for (int l = arcs[at].h; l < arcs[at].h + arcs[at].nh; ++l)
          entry(own, tree_.velocity_of(l), dot(x.h[std::size_t(l)], F));
      }
    }
    if (arc.above >= 0) beyond_[std::size_t(arc.above)].add_from(x.way[k], beyond_[k]);
  }
}

extern template class TreeInertia<2>;
extern template class TreeInertia<3>;
}  // namespace mubody
