#include "mubody/lanes/lanes.h"

namespace mubody {
using namespace lanes;

/// Sets row_ to the states of lanes at times within their last steps.
void LaneBatch::Lanes::interpolate(const Row& when) {
  const Row before = each([](const One& one) { return one.before; });
  if (T_.dense.empty()) {  // a shorter step from the start of the last one is taken
    Row shorter;
    for (std::size_t l = 0; l < W; ++l) shorter[l] = when[l] - before[l];
    stages(y0_, before, shorter, false);
    std::copy_n(y1_, ny_ * W, row_);
    return;
  }
  for (std::size_t i = 0; i < std::size_t(stages_); ++i) {
    terms_[i].k = k(int(i));
    for (std::size_t l = 0; l < W; ++l) {
      const double h = lanes_[l].t - before[l], theta = h > 0 ? (when[l] - before[l]) / h : 1;
      double weight = 0;
      for (auto c = T_.dense[i].rbegin(); c != T_.dense[i].rend(); ++c) weight = (weight + *c) * theta;
      terms_[i].weight[l] = h * weight;
    }
  }
  add(y0_, terms_.data(), stages_, ny_, row_);
}

/// Takes the results that are due in some lanes, one after the other.
void LaneBatch::Lanes::output(const Mask& which, bool before_pause) {
  for (;;) {
    Mask due, within;
    Row when;
    for (std::size_t l = 0; l < W; ++l) {
      const One& one = lanes_[l];
      due[l] = which[l] && one.state == running && one.next < one.task.times.size() &&
               one.task.times[one.next] <= (before_pause ? one.rows_until(m_.recorded().sampled) : one.t);
      when[l] = due[l] ? one.task.times[one.next] : one.t;
      within[l] = due[l] && when[l] < one.t;
    }
    if (!any(due)) return;
    std::copy_n(y_, ny_ * W, row_);
    if (any(within)) {
      interpolate(when);
      Mask others;
      for (std::size_t l = 0; l < W; ++l) others[l] = !within[l];
      lanes::take(others, y_, ny_, row_);
    }
    load(row_, when);
    if (any(within)) project(within);
    for (int l = 0; l < W; ++l)
      if (within[std::size_t(l)]) note_violation(l);
    record(due, when);
  }
}

void LaneBatch::Lanes::record(const Mask& due, const Row& when) {
  seen_by_(x_, observed_);
  doubt(observed_ + (observe_.outputs() - 1) * W, &due);
  for (int l = 0; l < W; ++l) {
    if (!due[std::size_t(l)]) continue;
    One& one = at(l);
    one.sum.take(m_, kept_, one.task.scales.length,
                 {when[std::size_t(l)], observed_ + l, row_ + nc_ * W + l, state_ + l});
    ++one.next;
  }
}

}  // namespace mubody
