#include "mubody/formulations/tree_walk.h"

namespace mubody {
template <int D>
void Tree<D>::move_bodies(const double* q, const double* u, BodyState* bodies, TreeMotion<D>& x) const {
  for (const Part& part : parts_)
    part.of.map->at(q + part.q, u + part.u, x.followed.data() + part.from, x.scratch.data());
  tree_walk::move_bodies(*this, q, u, bodies, x);
}
template <int D> void Tree<D>::rates(const double* q, const double* u, double* dq) const {
  tree_walk::rates(*this, q, u, dq);
}
template <int D> void Tree<D>::move(double* q, const double* du) const { tree_walk::move(*this, q, du); }
template <int D> void Tree<D>::tidy(double* q) const { tree_walk::tidy(*this, q); }

template void Tree<2>::move_bodies(const double*, const double*, BodyState*, TreeMotion<2>&) const;
template void Tree<3>::move_bodies(const double*, const double*, BodyState*, TreeMotion<3>&) const;
template void Tree<2>::rates(const double*, const double*, double*) const;
template void Tree<3>::rates(const double*, const double*, double*) const;
template void Tree<2>::move(double*, const double*) const;
template void Tree<3>::move(double*, const double*) const;
template void Tree<2>::tidy(double*) const;
template void Tree<3>::tidy(double*) const;
}  // namespace mubody
