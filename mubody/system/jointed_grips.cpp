// Dry friction in joint coordinates: the rows of grips along the tree, and what the joints of the tree carry.
#include <algorithm>

#include "mubody/system/jointed.h"

namespace mubody {
template <int D> void Jointed<D>::take_grips() {
  grips = whole_.grips;
  grips.take_size(nu);
  loads_.assign(wrenches_.size(), Vec<D>::Zero());
  through_ = loads_;
  for (const Grip& g : grips.all) {
    const auto arc = std::ranges::find(tree_.arcs(), g.joint, &Arc<D>::joint);
    grip_arcs_.push_back(arc != tree_.arcs().end() ? arc->child : -1);
    grip_rows_.push_back(joints[std::size_t(g.joint)].first);
  }
}

template <int D> void Jointed<D>::measure_grips(double t) {
  whole_.measure_grips_here(t);
  grips.rate = whole_.grips.rate;
  grips.bias = whole_.grips.bias;
  for (int k = 0; k < grips.size(); ++k) {
    const auto& it = whole_.grip_set().items()[std::size_t(k)];
    std::ranges::fill(wrenches_, Wrench<D>{Vec<D>::Zero(), Vec<spins<D>>::Zero()});
    const auto put = [&](int body, const Vec<C>& row) {
      if (body == ground) return;
      const Wrench<D> f = Body<D>::wrench(bodies()[body], row.data());
      grips.bias[k] += dot(at_.bias[std::size_t(body)], f);
      add(wrenches_[std::size_t(body)], 1, f);
    };
    put(it.i.body, it.on_i);
    put(it.j.body, it.on_j);
    inertia_.project(at_, wrenches_, grips.rows.col(k).data());
  }
}

// The joint of an arc carries the forces on all bodies beyond it, less those that their accelerations need.  Friction of
// the joint itself is among them, and acts along its axis or about it, which is no load.
template <int D>
void Jointed<D>::grip_loads(const Terms&, const In& a, const In& lambda, std::optional<int> alone,
                            MatX& loads) {
  inertia_.accelerations(at_, a.data(), false, twists_);
  for (std::size_t b = 1; b < through_.size(); ++b) {
    if (alone)
      through_[b].setZero();
    else
      through_[b] = loads_[b];
    through_[b] -= masses_[b - 1].mass * twists_[b].v;
  }
  if (alone) {
    const auto& it = whole_.grip_set().items()[std::size_t(*alone)];
    if (it.i.body != ground) through_[std::size_t(it.i.body)] += it.on_i.template head<D>();
    if (it.j.body != ground) through_[std::size_t(it.j.body)] += it.on_j.template head<D>();
  }
  for (const Chord& chord : chords_)
    for (const auto& side : chord.sides)
      for (int r = 0; r < chord.rows; ++r)
        through_[std::size_t(side.body)] -=
            lambda[chord.row + r] *
            Body<D>::wrench(bodies()[side.body], rows_.D.data() + side.from + r * C).force;
  for (std::size_t k = tree_.arcs().size(); k-- > 0;) {
    const Arc<D>& arc = tree_.arcs()[k];
    if (arc.above >= 0) through_[std::size_t(arc.parent)] += through_[std::size_t(arc.child)];
  }
  for (int k = 0; k < grips.size(); ++k) {
    const int beyond = grip_arcs_[std::size_t(k)];
    if (beyond >= 0)
      loads.col(k) = whole_.grip_set().load(k, bodies(), through_[std::size_t(beyond)]);
    else
      loads.col(k) = whole_.load_here(k, rows_.D, lambda.data() + grip_rows_[std::size_t(k)]);
  }
}

// The forces of friction on bodies, among all others on them, and in the channels.
template <int D> void Jointed<D>::show_grips(double t) {
  whole_.measure_grips_here(t);
  whole_.grips.force = grips.force;
  for (int k = 0; k < grips.size(); ++k) {
    whole_.grips.all[std::size_t(k)].mode = grips.all[std::size_t(k)].mode;
    const auto& it = whole_.grip_set().items()[std::size_t(k)];
    const auto push = [&](int body, const Vec<C>& row) {
      if (body != ground)
        add(wrenches_[std::size_t(body)], grips.force[k], Body<D>::wrench(bodies()[body], row.data()));
    };
    push(it.i.body, it.on_i);
    push(it.j.body, it.on_j);
  }
}

template void Jointed<2>::take_grips();
template void Jointed<2>::measure_grips(double);
template void Jointed<2>::show_grips(double);
template void Jointed<2>::grip_loads(const Terms&, const In&, const In&, std::optional<int>, MatX&);
template void Jointed<3>::take_grips();
template void Jointed<3>::measure_grips(double);
template void Jointed<3>::show_grips(double);
template void Jointed<3>::grip_loads(const Terms&, const In&, const In&, std::optional<int>, MatX&);
}  // namespace mubody
