#include <algorithm>

#include "mubody/lanes/lanes.h"

namespace mubody {
using namespace lanes;

/// The terms h w k of a sum over some stages.
template <class Weights> int LaneBatch::Lanes::weigh(const Row& h, const Weights& w, int stages) {
  int count = 0;
  for (int j = 0; j < stages; ++j) {
    if (w[std::size_t(j)] == 0) continue;
    Term& term = terms_[std::size_t(count++)];
    for (std::size_t l = 0; l < W; ++l) term.weight[l] = h[l] * w[std::size_t(j)];
    term.k = k(j);
  }
  return count;
}

/// Computes y1_ from y at t, whose rates are known if `first`; the compensated sum is that of
/// integrators/runge_kutta.cpp.
void LaneBatch::Lanes::stages(const double* y, const Row& t, const Row& h, bool first) {
  for (int i = first ? 1 : 0; i < stages_; ++i) {
    add(y, terms_.data(), weigh(h, T_.a[std::size_t(i)], i), nc_, state_);
    for (std::size_t l = 0; l < W; ++l) x_[l] = t[l] + T_.c[std::size_t(i)] * h[l];
    derive(k(i));
  }
  add(residue_, terms_.data(), weigh(h, T_.b, stages_), ny_, lost_);
  add_compensated(y, ny_, y1_, lost_);
}

// The starting step size, for lanes that have none.
void LaneBatch::Lanes::first_steps(const Row& t) {
  Row d0, d1, d2, h0;
  Mask needs;
  for (std::size_t l = 0; l < W; ++l) needs[l] = lanes_[l].sizes.next == 0;
  largest(allowed(), y_, nc_, d0);
  largest(allowed(), k(0), y_, y_, nc_, d1);
  for (std::size_t l = 0; l < W; ++l) {
    h0[l] = first_trial(d0[l], d1[l], lanes_[l].until - lanes_[l].from);
  }
  terms_[0] = {h0, k(0)};
  add(y_, terms_.data(), 1, nc_, state_);
  for (std::size_t l = 0; l < W; ++l) x_[l] = t[l] + h0[l];
  derive(k(1), &needs);
  for (int n = 0; n < nc_ * W; ++n) error_[n] = (k(1)[n] - k(0)[n]) / h0[std::size_t(n % W)];
  largest(allowed(), error_, y_, y_, nc_, d2);
  for (std::size_t l = 0; l < W; ++l) {
    One& one = lanes_[l];
    if (!needs[l]) continue;
    const double chosen = first_step(h0[l], std::max(d1[l], d2[l]), T_.order, one.until - one.from);
    one.sizes.next =
        std::max(one.task.control.step.value_or(chosen), 16 * StepSizes::shortest(one.t, one.until));
  }
}
/// Chooses where the next step of each lane ends.
void LaneBatch::Lanes::choose_ends() {
  for (One& one : lanes_) {
    const LaneTask& task = one.task;
    one.trial = one.t;
    if (one.state != running) continue;
    if (T_.e.empty()) {
      one.on_grid = one.grid.next(*task.control.step, one.until);
      one.trial = one.on_grid.ends ? one.until : one.on_grid.to;
      continue;
    }
    one.trial = one.sizes.end_of_next(one.t, *task.control.max_step, one.until);
    if (!(one.trial - one.t >= StepSizes::shortest(one.t, one.until)) || one.counts.steps >= task.control.steps)
      one.state = left, one.trial = one.t;
  }
}

/// Accepts or rejects the step of a lane.
bool LaneBatch::Lanes::judge_step(One& one, double size) const {
  if (one.state != running) return false;
  if (T_.e.empty()) {
    if (!std::isfinite(size)) one.state = left;
    if (one.state == running) one.grid.take(one.on_grid, *one.task.control.step);
    return one.state == running;
  }
  const double h = one.trial - one.t;
  if (!(size <= 1)) {
    ++one.counts.rejected;
    one.sizes.next = h * StepSizes::shorter(size, T_.order);
    one.retried = true;
    return false;
  }
  one.sizes.accept(h, size, T_.order, one.retried, one.trial == one.until);
  one.retried = false;
  return true;
}

void LaneBatch::Lanes::attempt() {
  const Row t = each([](const One& one) { return one.t; });
  load(y_, t);
  derive(k(0));
  const auto has_none = [](const One& one) { return one.state == running && one.sizes.next == 0; };
  if (!T_.e.empty() && std::ranges::any_of(lanes_, has_none)) first_steps(t);
  choose_ends();
  const Row h = each([](const One& one) { return one.trial - one.t; });
  stages(y_, t, h, true);
  Row size;
  finite(y1_, ny_, size);
  if (!T_.e.empty()) {
    Row error;
    add(none_, terms_.data(), weigh(h, T_.e, stages_), nc_, error_);
    largest(allowed(), error_, y_, y1_, nc_, error);
    for (std::size_t l = 0; l < W; ++l) size[l] += error[l];
  }
  for (std::size_t l = 0; l < W; ++l) accepted_[l] = judge_step(lanes_[l], size[l]);
  accept();
}

void LaneBatch::Lanes::accept() {
  lanes::take(accepted_, y_, ny_, y0_);
  lanes::take(accepted_, y1_, ny_, y_);
  lanes::take(accepted_, lost_, ny_, residue_);
  if (!any(accepted_)) return;
  load(y_, each([](const One& one) { return one.trial; }));
  project(accepted_);
  lanes::take(accepted_, state_, nc_, y_);
  for (int l = 0; l < W; ++l) {
    if (!accepted_[std::size_t(l)]) continue;
    One& one = at(l);
    one.before = one.t;
    one.t = one.trial;
    one.counts.count(one.t - one.before);
    limit_rates(l, one.task.scales);
    note_violation(l);
  }
}

}  // namespace mubody
