#include <algorithm>

#include "mubody/lanes/lanes.h"
#include "mubody/signals/one_instant.h"

// How motions in lanes meet the instants at which functions of time change, and those at which signals are sampled.  The
// rules are those of simulation/loop_breakpoints.cpp.                               docs/theory/breakpoints.md
namespace mubody {
using namespace lanes;

namespace {
constexpr double few = 4;  // times what counts as little: no step is shorter
}  // namespace

bool LaneBatch::Lanes::One::at_break() const {
  return next_break < task.breaks.size() &&
         mubody::before(task.breaks[next_break], span()) <= t + few * little(t);
}
double LaneBatch::Lanes::One::begin_at(double time) const {
  return task.end - time < few * little(task.end) ? task.end : time;
}
double LaneBatch::Lanes::One::next_instant(const std::vector<RecordedModel::Sampled>& all) const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < all.size(); ++k)
    next = std::min(next, task.start + double(instants[k]) * all[k].period);
  return next;
}
bool LaneBatch::Lanes::One::at_instant(const std::vector<RecordedModel::Sampled>& all) const {
  return next_instant(all) <= t + few * little(t);
}
double LaneBatch::Lanes::One::rows_until(const std::vector<RecordedModel::Sampled>& all) const {
  return at_instant(all) ? std::nextafter(t - few * little(t), t - 1) : t;
}
void LaneBatch::Lanes::One::aim(const std::vector<RecordedModel::Sampled>& all) {
  const double end = std::min(task.end, next_instant(all));
  const bool breaks = next_break < task.breaks.size();
  const double before_break = breaks ? mubody::before(task.breaks[next_break], span()) : end;
  until = breaks && task.breaks[next_break].jumps && before_break <= end
              ? before_break
              : begin_at(std::min(before_break, end));
}
void LaneBatch::Lanes::One::restart(double time) {
  t = before = from = time;
  grid.start(time);
  sizes = {};
  retried = false;
}

/// Lets lanes pass the instants that they have reached; rows that had to wait for that are taken.
void LaneBatch::Lanes::pause(const Mask& which) {
  const auto& sampled = m_.recorded().sampled;
  Mask samples{}, jumps{}, waited{};
  for (std::size_t l = 0; l < W; ++l)
    if (which[l] && lanes_[l].state == running) samples[l] = waited[l] = lanes_[l].at_instant(sampled);
  for (bool more = true; more;) {
    jumps.fill(false), more = false;
    for (std::size_t l = 0; l < W; ++l) {
      One& one = lanes_[l];
      if (!which[l] || one.state != running || !one.at_break()) continue;
      more = true;
      jumps[l] = one.task.breaks[one.next_break++].jumps;
      waited[l] = waited[l] || jumps[l];
    }
    if (any(jumps)) cross(jumps);
  }
  if (any(samples)) sample(samples);
  if (any(waited)) output(waited);
  for (std::size_t l = 0; l < W; ++l)
    if (which[l]) lanes_[l].aim(sampled);
}

/// Goes from a little before a breakpoint to a little after it, and lets steps begin anew there.  What lanes were before is
/// in y0_, for rows that lie between.
void LaneBatch::Lanes::cross(const Mask& which) {
  Row turn = times(), to = turn;
  for (std::size_t l = 0; l < W; ++l) {
    if (!which[l]) continue;
    const One& one = lanes_[l];
    const Breakpoint& b = one.task.breaks[one.next_break - 1];
    const double after = b.t + beside(b, one.span());
    to[l] = std::max(one.t, one.task.end > b.t ? std::min(after, one.task.end) : after);
    turn[l] = std::clamp(b.t, one.t, to[l]);
  }
  Mask first = which;
  for (std::size_t l = 0; l < W; ++l) first[l] = which[l] && lanes_[l].before != lanes_[l].t;
  lanes::take(first, y_, ny_, y0_);
  Row h;
  const Row t = times();
  for (std::size_t l = 0; l < W; ++l) h[l] = turn[l] - t[l];
  go_on(which, t, h);
  for (std::size_t l = 0; l < W; ++l) h[l] = to[l] - turn[l];
  go_on(which, to, h);
  for (std::size_t l = 0; l < W; ++l)
    if (which[l]) lanes_[l].restart(lanes_[l].begin_at(to[l]));
  std::fill_n(lost_, ny_ * W, 0.0);
  lanes::take(which, lost_, ny_, residue_);
}

/// Moves states along their rates at a time.  The stages of the last step stay, since rows of other lanes may need them.
void LaneBatch::Lanes::go_on(const Mask& which, const Row& t, const Row& h) {
  load(y_, t);
  derive(k(stages_), &which);
  terms_[0] = {h, k(stages_)};
  add(y_, terms_.data(), 1, ny_, row_);
  lanes::take(which, row_, ny_, y_);
}

/// Lets signals take their samples whose instants have come.
void LaneBatch::Lanes::sample(const Mask& which) {
  const RecordedModel& m = m_.recorded();
  Row t = times();
  for (std::size_t l = 0; l < W; ++l) {
    if (!which[l]) continue;
    One& one = lanes_[l];
    t[l] = std::max(t[l], one.next_instant(m.sampled));
    for (std::size_t k = 0; k < m.sampled.size(); ++k) {
      const RecordedModel::Sampled& s = m.sampled[k];
      const double next = one.task.start + double(one.instants[k]) * s.period;
      const bool due = next <= t[l] + one_instant * s.period;
      x_[std::size_t(s.due) * W + l] = due;
      x_[std::size_t(s.since) * W + l] = one.instants[k] > 0 ? s.period : 0;
      one.instants[k] += due;
    }
  }
  load(y_, t);
  sample_(x_, answer_);
  for (std::size_t k = 0; k < m.at_instants.size(); ++k)
    lanes::take(which, answer_ + int(k) * W, 1, x_ + m.at_instants[k].input * W);
}
}  // namespace mubody
