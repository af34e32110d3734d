#include "mubody/formulations/tree_inertia.h"

namespace mubody {
template <int D>
TreeInertia<D>::TreeInertia(const Tree<D>& tree)
    : tree_(tree), own_(tree.arcs().size() + 1), beyond_(tree.arcs().size()),
      of_velocity_(std::size_t(tree.nu)), p_(tree.arcs().size()), a_(tree.arcs().size()) {}

template <int D> void TreeInertia<D>::project(const TreeMotion<D>& x, std::span<Wrench<D>> f, double* Q) const {
  const auto& arcs = tree_.arcs();
  for (const auto& part : tree_.parts()) std::fill_n(Q + part.u, part.of.variables.size(), 0.0);
  for (std::size_t k = arcs.size(); k-- > 0;) {
    const Arc<D>& arc = arcs[k];
    const Wrench<D>& beyond = f[std::size_t(arc.child)];
    for (int n = arc.u; n < arc.u + arc.nu; ++n) Q[n] = dot(x.h[std::size_t(n)], beyond);
    if (arc.follows())
      for (int n = arc.h; n < arc.h + arc.nh; ++n) Q[tree_.velocity_of(n)] += dot(x.h[std::size_t(n)], beyond);
    if (arc.above >= 0) add_from(f[std::size_t(arc.parent)], x.way[k], beyond);
  }
}

template <int D>
void TreeInertia<D>::accelerations(const TreeMotion<D>& x, const double* a, bool with_bias,
                                   std::span<Twist<D>> of_bodies) const {
  const auto& arcs = tree_.arcs();
  of_bodies[0] = {};
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    const Arc<D>& arc = arcs[k];
    Twist<D>& to = of_bodies[std::size_t(arc.child)];
    to = of_bodies[std::size_t(arc.parent)].at(x.way[k]);
    for (int n = arc.h; n < arc.h + arc.nh; ++n) to.add(a[tree_.velocity_of(n)], x.h[std::size_t(n)]);
  }
  if (with_bias)
    for (std::size_t b = 1; b < of_bodies.size(); ++b) of_bodies[b].add(1, x.bias[b]);
}

template <int D> void TreeInertia<D>::solve(const TreeMotion<D>& x, const double* g, double* a) {
  const auto& arcs = tree_.arcs();
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    beyond_[k] = own_[std::size_t(arcs[k].child)];
    p_[k] = {Vec<D>::Zero(), Vec<spins<D>>::Zero()};
  }
  for (std::size_t k = arcs.size(); k-- > 0;) {
    const Arc<D>& arc = arcs[k];
    Inertia<D>& I = beyond_[k];
    Wrench<D>& p = p_[k];
    for (int n = arc.u + arc.nu; n-- > arc.u;) {
      const Twist<D>& h = x.h[std::size_t(n)];
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
    Twist<D> now = arc.above >= 0 ? a_[std::size_t(arc.above)].at(x.way[k]) : Twist<D>{};
    for (int n = arc.u; n < arc.u + arc.nu; ++n) {
      const Elimination& el = of_velocity_[std::size_t(n)];
      a[n] = (el.e - dot(now, el.U)) * el.per_d;
      now.add(a[n], x.h[std::size_t(n)]);
    }
    a_[k] = now;
  }
}

template class TreeInertia<2>;
template class TreeInertia<3>;
}  // namespace mubody
