#include <algorithm>
#include <limits>

#include "mubody/lanes/lanes.h"

namespace mubody {
using namespace lanes;

namespace {
constexpr double most_violation = 1e-9;  // the most that a correction may leave, as System::gap() measures it
}  // namespace

/// Moves positions and velocities of some lanes back onto the constraints; see Dynamics::project_positions().
void LaneBatch::Lanes::project(const Mask& which) {
  if (m_.in_space()) {
    tidy_(x_, answer_);
    lanes::take(which, answer_, nq_, state_);
  }
  if (m_.gap_lengths().empty()) return;
  Row length, angle, size, before;
  largest_of(m_.lengths(), state_, length, angle);
  for (int l = 0; l < W; ++l) {
    auto& most = length[std::size_t(l)];
    most = std::max(most, at(l).task.scales.length),
    angle[std::size_t(l)] = std::max(angle[std::size_t(l)], 1.0);
  }
  before.fill(std::numeric_limits<double>::infinity());
  Mask going = which;
  bool back = false;
  for (int round = 0;; ++round) {
    gaps_(x_, phi_);
    measure_gap(m_.row_lengths(), length, angle, size);
    const Mask worse = take_back(going, size, before);
    back = back || any(worse);
    for (std::size_t l = 0; l < W; ++l) {
      const LaneTask& task = lanes_[l].task;
      if (!going[l] || (size[l] > task.tolerance && round < task.iterations && size[l] < 0.5 * before[l]))
        continue;
      going[l] = false;
    }
    if (!any(going)) break;
    for (std::size_t l = 0; l < W; ++l) before[l] = going[l] ? size[l] : before[l];
    lanes::take(going, state_, nq_, best_);
    close_(x_, answer_);
    lanes::take(going, answer_, nq_, state_);
  }
  if (back) gaps_(x_, phi_);
  // Corrections know nothing of equations that are left out.  They have to close all the same.
  measure_gap(m_.gap_lengths(), length, angle, size);
  settle_(x_, answer_);
  lanes::take(which, answer_, nu_, state_ + nq_ * W);
  doubt(answer_ + nu_ * W, &which);
  for (int l = 0; l < W; ++l)
    if (which[std::size_t(l)] && !(size[std::size_t(l)] < most_violation)) give_up(l);
}
void LaneBatch::Lanes::measure_gap(const std::vector<bool>& are_lengths, const Row& length, const Row& angle,
                                   Row& size) const {
  Row slides, turns;
  largest_of(are_lengths, phi_, slides, turns);
  for (std::size_t l = 0; l < W; ++l) {
    const double a = slides[l] / length[l], b = turns[l] / angle[l];
    size[l] = a <= b ? b : a == a ? a : a + b;
  }
}
/// Undoes the last correction where it has made things worse, which is not in the first round.
LaneBatch::Lanes::Mask LaneBatch::Lanes::take_back(Mask& going, const Row& size, const Row& before) {
  Mask worse{};
  for (std::size_t l = 0; l < W; ++l) {
    worse[l] = going[l] && !(size[l] < before[l]);
    if (worse[l]) going[l] = false;
  }
  if (any(worse)) lanes::take(worse, best_, nq_, state_);
  return worse;
}
/// Notes what a correction has left of |Φ|, in equations that are left out too.
void LaneBatch::Lanes::note_violation(int lane) {
  double worst = 0, share = 0;
  for (std::size_t r = 0; r < m_.gap_lengths().size(); ++r) {
    const double size = std::abs(phi_[int(r) * W + lane]);
    worst = std::max(worst, size);
    share = std::max(share, m_.gap_lengths()[r] ? size / at(lane).task.scales.length : size);
  }
  at(lane).violation = std::max(at(lane).violation, worst);
  at(lane).violation_share = std::max(at(lane).violation_share, share);
}
/// Takes accepted states as those from which turns are counted.
void LaneBatch::Lanes::keep(const Mask& which) {
  if (m_.recorded().kept.empty() || !any(which)) return;
  load(y_, each([](const One& one) { return one.t; }));
  keep_(x_, answer_);
  for (std::size_t k = 0; k < m_.recorded().kept.size(); ++k)
    lanes::take(which, answer_ + int(k) * W, 1, x_ + m_.recorded().kept[k].input * W);
}

}  // namespace mubody
