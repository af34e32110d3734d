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
template <int D, class R = double> class TreeInertia {
 public:
  explicit TreeInertia(const Tree<D>&);

  /// Computes Bᵀ f; f has one wrench for each body, the ground first, and is changed.
  void project(const TreeMotion<D, R>&, std::span<Wrench<D, R>> f, R* Q) const;
  /// B a, or B a + Ḃ u, of each body, the ground first.
  void accelerations(const TreeMotion<D, R>&, const R* a, bool with_bias,
                     std::span<Twist<D, R>> of_bodies) const;

  /// Inertias of all bodies, the ground first, for the next two functions.
  std::span<Inertia<D, R>> bodies() { return own_; }
  /// Calls entry(k, l, J_kl) for all pairs of velocities that are not zero by their places in the tree, each once; with
  /// followers, which share velocities, for each part of the sum.
  template <class Entry> void composite(const TreeMotion<D, R>&, const Entry& entry);
  /// J⁻¹ g in a time proportional to the number of bodies; not with followers.
  void solve(const TreeMotion<D, R>&, const R* g, R* a);

 private:
  const Tree<D>& tree_;
  std::vector<Inertia<D, R>> own_;     // per body
  std::vector<Inertia<D, R>> beyond_;  // per arc: composite or articulated
  std::vector<bool> ends_;             // per arc: nothing is beyond its child, which is one rigid body alone
  struct Elimination {
    Wrench<D, R> U;
    R per_d, e;
  };
  std::vector<Elimination> of_velocity_;
  std::vector<Wrench<D, R>> p_;  // per arc
  std::vector<Twist<D, R>> a_;   // per arc
};

template <int D, class R>
template <class Entry>
void TreeInertia<D, R>::composite(const TreeMotion<D, R>& x, const Entry& entry) {
  const auto& arcs = tree_.arcs();
  for (std::size_t k = 0; k < arcs.size(); ++k) beyond_[k] = own_[std::size_t(arcs[k].child)];
  for (std::size_t k = arcs.size(); k-- > 0;) {
    const Arc<D>& arc = arcs[k];
    for (int n = arc.h; n < arc.h + arc.nh; ++n) {
      const Twist<D, R>& h = x.h[std::size_t(n)];
      Wrench<D, R> F = ends_[k] ? beyond_[k].of_one(h) : beyond_[k] * h;
      const int own = tree_.velocity_of(n);
      for (int l = arc.h; l <= n; ++l) entry(own, tree_.velocity_of(l), dot(x.h[std::size_t(l)], F));
      for (std::size_t at = k; arcs[at].above >= 0;) {
        F.moment += spatial::cross<R>(x.way[at], F.force);
        at = std::size_t(arcs[at].above);
        for (int l = arcs[at].h; l < arcs[at].h + arcs[at].nh; ++l)
          entry(own, tree_.velocity_of(l), dot(x.h[std::size_t(l)], F));
      }
    }
    if (arc.above < 0) continue;
    Inertia<D, R>& above = beyond_[std::size_t(arc.above)];
    ends_[k] ? above.add_one(x.way[k], beyond_[k]) : above.add_from(x.way[k], beyond_[k]);
  }
}

template <int D, class R>
TreeInertia<D, R>::TreeInertia(const Tree<D>& tree)
    : tree_(tree), own_(tree.arcs().size() + 1), beyond_(tree.arcs().size()), ends_(tree.arcs().size(), true),
      of_velocity_(std::size_t(tree.nu)), p_(tree.arcs().size()), a_(tree.arcs().size()) {
  for (const Arc<D>& arc : tree.arcs())
    if (arc.above >= 0) ends_[std::size_t(arc.above)] = false;
}

template <int D, class R>
void TreeInertia<D, R>::project(const TreeMotion<D, R>& x, std::span<Wrench<D, R>> f, R* Q) const {
  const auto& arcs = tree_.arcs();
  for (const auto& part : tree_.parts()) std::fill_n(Q + part.u, part.of.variables.size(), R(0));
  for (std::size_t k = arcs.size(); k-- > 0;) {
    const Arc<D>& arc = arcs[k];
    const Wrench<D, R>& beyond = f[std::size_t(arc.child)];
    for (int n = arc.u; n < arc.u + arc.nu; ++n) Q[n] = dot(x.h[std::size_t(n)], beyond);
    if (arc.follows())
      for (int n = arc.h; n < arc.h + arc.nh; ++n) Q[tree_.velocity_of(n)] += dot(x.h[std::size_t(n)], beyond);
    if (arc.above >= 0) add_from(f[std::size_t(arc.parent)], x.way[k], beyond);
  }
}

template <int D, class R>
void TreeInertia<D, R>::accelerations(const TreeMotion<D, R>& x, const R* a, bool with_bias,
                                      std::span<Twist<D, R>> of_bodies) const {
  const auto& arcs = tree_.arcs();
  of_bodies[0] = {};
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const Arc<D>& arc = arcs[k];
    Twist<D, R>& to = of_bodies[std::size_t(arc.child)];
    to = of_bodies[std::size_t(arc.parent)].at(x.way[k]);
    for (int n = arc.h; n < arc.h + arc.nh; ++n) to.add(a[tree_.velocity_of(n)], x.h[std::size_t(n)]);
  }
  if (with_bias)
    for (std::size_t b = 1; b < of_bodies.size(); ++b) of_bodies[b].add(R(1), x.bias[b]);
}

template <int D, class R> void TreeInertia<D, R>::solve(const TreeMotion<D, R>& x, const R* g, R* a) {
  const auto& arcs = tree_.arcs();
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    beyond_[k] = own_[std::size_t(arcs[k].child)];
    p_[k] = {Vec<D, R>::Zero(), Vec<spins<D>, R>::Zero()};
  }
  for (std::size_t k = arcs.size(); k-- > 0;) {
    const Arc<D>& arc = arcs[k];
    Inertia<D, R>& I = beyond_[k];
    Wrench<D, R>& p = p_[k];
    for (int n = arc.u + arc.nu; n-- > arc.u;) {
      const Twist<D, R>& h = x.h[std::size_t(n)];
      Elimination& el = of_velocity_[std::size_t(n)];
      el.U = I * h;
      el.per_d = 1 / dot(h, el.U);
      el.e = g[n] - dot(h, p);
      I.subtract(el.per_d, el.U);
      add(p, el.per_d * el.e, el.U);
    }
    if (arc.above < 0) continue;
    beyond_[std::size_t(arc.above)].add_from(x.way[k], I);
    add_from(p_[std::size_t(arc.above)], x.way[k], p);
  }
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const Arc<D>& arc = arcs[k];
    Twist<D, R> now = arc.above >= 0 ? a_[std::size_t(arc.above)].at(x.way[k]) : Twist<D, R>{};
    for (int n = arc.u; n < arc.u + arc.nu; ++n) {
      const Elimination& el = of_velocity_[std::size_t(n)];
      a[n] = (el.e - dot(now, el.U)) * el.per_d;
      now.add(a[n], x.h[std::size_t(n)]);
    }
    a_[k] = now;
  }
}

extern template class TreeInertia<2>;
extern template class TreeInertia<3>;
}  // namespace mubody
