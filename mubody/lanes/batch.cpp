#include "mubody/lanes/batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mubody/lanes/equations.h"
#include "mubody/lanes/observe.h"
#include "mubody/lanes/tolerance.h"

namespace mubody {
namespace {
constexpr int W = LaneReal::lanes;
using Real = LaneReal;
using Mask = LaneMask;
using Numbers = std::array<double, W>;

constexpr double most_violation = 1e-9;  // the most that a correction may leave, as System::gap() measures it
constexpr double infinity = std::numeric_limits<double>::infinity();

MUBODY_INLINE Real gathered(const Numbers& x) {
  Real r;
  for (int k = 0; k < W; ++k) r[k] = x[std::size_t(k)];
  return r;
}
}  // namespace

class LaneBatch::Lanes {
 public:
  Lanes(LaneStructure structure, const Tableau& table, std::vector<LaneKept> kept)
      : s_(std::move(structure)), T_(table), kept_(std::move(kept)), angles_(s_.angles()),
        held_(std::ranges::any_of(s_.joints, [](const auto& j) { return j.i == ground || j.j == ground; })),
        nv_(s_.velocities()), ny_(s_.states()), stages_(int(table.b.size())) {
    // All numbers lie in one piece of memory.
    const Elimination& e = s_.elimination;
    const int m = s_.rows(), rows = int(e.below.size()) + m;
    const auto lay_out = [&](auto&& place) {
      for (Real** vector : {&y_, &y0_, &y1_, &stage_, &error_, &residue_, &lost_, &best_, &row_})
        place(*vector, ny_);
      place(k_, stages_ * ny_);
      for (Real** vector : {&terms_.phi, &terms_.rate, &terms_.gamma, &lambda_, &work_}) place(*vector, m);
      for (Real** vector : {&terms_.Q, &a_, &inverse_mass_}) place(*vector, nv_);
      place(terms_.D, 6 * m), place(weighted_, 6 * m), place(S_, e.places()), place(raw_, rows);
      place(numbers_, s_.numbers());
      place(sum_.value, int(kept_.size())), place(sum_.time, int(kept_.size()));
    };
    std::size_t size = 0;
    lay_out([&](Real*&, int n) { size += std::size_t(n) * W; });
    memory_.assign(size, 0);
    double* next = memory_.data();
    lay_out([&](Real*& vector, int n) {
      vector = reinterpret_cast<Real*>(next);
      next += std::size_t(n) * W;
    });
    bodies_.resize(std::size_t(s_.bodies) + 1);
  }

  const LaneStructure& structure() const { return s_; }
  bool is_free(int lane) const { return lanes_[std::size_t(lane)].state == idle; }

  void start(int lane, const LaneTask& task) {
    // Lanes that have never been used compute along, so they get the numbers of a sound mechanism.
    const bool first = std::ranges::none_of(lanes_, &One::used);
    for (int k = 0; k < W; ++k)
      if (k == lane || first) fill(k, task);
    One& one = lanes_[std::size_t(lane)];
    one = One{};
    one.used = true;
    one.state = running;
    one.task = task;
    one.task.control.max_step = task.control.longest_over(task.end - task.start);
    one.t = one.before = task.start;
    sum_.clear(lane);
    fresh_ = true;
  }

  void step() {
    if (fresh_) {  // results at the start
      output([](const One& one) { return one.steps == 0 && one.next == 0; });
      fresh_ = false;
    }
    attempt();
    output([](const One& one) { return one.accepted; });
    for (One& one : lanes_)
      if (one.state == running && !(one.t < one.task.end)) one.state = ended;
  }

  double stop(int lane) {
    lanes_[std::size_t(lane)].state = idle;
    return lanes_[std::size_t(lane)].t;
  }

  std::optional<LaneOutcome> take(int lane) {
    One& one = lanes_[std::size_t(lane)];
    if (one.state != ended && one.state != left) return {};
    LaneOutcome out;
    out.given_up = one.state == left;
    one.state = idle;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      out.kept.push_back(sum_.value[k][lane]);
      if (kept_[k].what == LaneKept::max || kept_[k].what == LaneKept::min)
        out.kept.push_back(sum_.time[k][lane]);
    }
    Statistics& st = out.statistics;
    st.steps = one.steps, st.rejected = one.rejected;
    st.smallest_step = one.smallest, st.largest_step = one.largest;
    st.largest_violation = one.violation, st.violation_share = one.violation_share;
    st.energy_residual = sum_.residual[lane];
    st.energy_scale = sum_.energy_scale[lane];
    st.load_scale = sum_.load_scale[lane];
    return out;
  }

 private:
  enum State { idle, running, ended, left };
  struct One {
    bool used = false, accepted = false, retried = false;
    State state = idle;
    LaneTask task;
    double t = 0, before = 0;         // now, and at the start of the last step [s]
    double h = 0, last_error = 1e-4;  // of step control
    double trial = 0;                 // the end of the step that is tried [s]
    long steps = 0, rejected = 0, count = 0;
    std::size_t next = 0;  // index of the next result
    double smallest = 0, largest = 0, violation = 0, violation_share = 0;
  };

  template <class Is> MUBODY_INLINE Mask mask(const Is& is) const {
    Mask m;
    for (int k = 0; k < W; ++k) m.set(k, lanes_[std::size_t(k)].state == running && is(lanes_[std::size_t(k)]));
    return m;
  }
  template <class Of> MUBODY_INLINE Real each(const Of& of) const {
    Real r;
    for (int k = 0; k < W; ++k) r[k] = of(lanes_[std::size_t(k)]);
    return r;
  }

  void fill(int lane, const LaneTask& task) {
    for (int k = 0; k < s_.numbers(); ++k) numbers_[k][lane] = task.numbers[std::size_t(k)];
    for (int k = 0; k < nv_; ++k) {
      y_[k][lane] = y0_[k][lane] = task.q[k];
      y_[nv_ + k][lane] = y0_[nv_ + k][lane] = task.u[k];
      const int mass = s_.body_at(k / 3) + (k % 3 == 2 ? 1 : 0);
      inverse_mass_[k][lane] = 1 / task.numbers[std::size_t(mass)];
    }
    for (int k = 2 * nv_; k < ny_; ++k) y_[k][lane] = y0_[k][lane] = 0;
    for (int k = 0; k < ny_; ++k) residue_[k][lane] = 0;
    tolerance_.take(lane, task.control, task.scales);
    Mask only{};
    only.set(lane, true);
    limit_rates(only);
  }

  /// Gives up the lanes of the mask: they are too close to a singular position, or not finite.
  void doubt(const Mask& bad) {
    for (int k = 0; k < W; ++k)
      if (bad[k] && lanes_[std::size_t(k)].state == running) lanes_[std::size_t(k)].state = left;
  }

  // The mechanics, at a state --------------------------------------------------------------------------------

  MUBODY_INLINE void constrain(const Real* y) {
    move_bodies(s_, y, y + nv_, bodies_.data());
    lane_constraints(s_, numbers_, bodies_.data(), terms_);
    weak_ = factor(s_.elimination, terms_.D, inverse_mass_, weighted_, S_, raw_);
  }
  /// Solves S λ = b, where b is in λ.  It is D W g − c for M a + Dᵀ λ = g, D a = c.
  MUBODY_INLINE void multipliers() { solve(s_.elimination, S_, work_, lambda_); }
  /// Adds −W Dᵀ λ to a.
  MUBODY_INLINE void pull_back(Real* a) const {
    for (const LaneEntry& e : s_.elimination.entries) a[e.column] -= weighted_[e.at] * lambda_[e.row];
  }

  MUBODY_CLONES void accelerations(const Real* y) {
    constrain(y);
    lane_forces(s_, numbers_, bodies_.data(), terms_);
    for (int k = 0; k < nv_; ++k) a_[k] = inverse_mass_[k] * terms_.Q[k];
    for (int r = 0; r < s_.rows(); ++r) lambda_[r] = -terms_.gamma[r];
    for (const LaneEntry& e : s_.elimination.entries) lambda_[e.row] += terms_.D[e.at] * a_[e.column];
    multipliers();
    pull_back(a_);
    Real widest(0);
    for (int b = 0; b < s_.bodies; ++b) widest = larger(widest, magnitude(y[3 * b + 2]));
    bad_ |= weak_ | ~(widest < largest_lane_angle);
  }

  MUBODY_CLONES void rates(const Real* y, Real* dy) {
    accelerations(y);
    for (int k = 0; k < nv_; ++k) dy[k] = y[nv_ + k], dy[nv_ + k] = a_[k];
    if (s_.has_power()) dy[2 * nv_] = terms_.supplied, dy[2 * nv_ + 1] = terms_.dissipated;
  }

  /// Notes what a correction has left of |Φ|.
  void note_violation(One& one, int lane) const {
    double worst = 0, share = 0;
    for (int r = 0; r < s_.rows(); ++r) {
      const double size = std::abs(terms_.phi[r][lane]);
      worst = std::max(worst, size);
      share = std::max(share, angles_[std::size_t(r)] ? size : size / one.task.scales.length);
    }
    one.violation = std::max(one.violation, worst);
    one.violation_share = std::max(one.violation_share, share);
  }

  /// Moves positions and velocities of some lanes back onto the constraints; left_over_ is what remains of |Φ|.
  MUBODY_CLONES void project(Real* y, const Mask& which) {
    const int m = s_.rows();
    Real size(0), before = Real(infinity);
    const LaneRoom room(each([](const One& one) { return one.task.scales.length; }), y, nv_);
    left_over_ = size;
    const Real tolerance = each([](const One& one) { return one.task.tolerance; });
    const Real most = each([](const One& one) { return double(one.task.iterations); });
    Mask going = which;
    bool back = false;
    for (int round = 0;; ++round) {
      constrain(y);
      bad_ |= which & weak_;
      size = room.gap(terms_.phi, angles_);
      const Mask worse = going & ~(size < before);  // not in the first round
      if (any(worse)) {                             // the last correction is undone
        for (int k = 0; k < nv_; ++k) y[k] = choose(worse, best_[k], y[k]);
        left_over_ = choose(worse, before, left_over_);
        going &= ~worse;
        back = true;
      }
      const Mask stop = going & (~(size > tolerance) | (most <= double(round)) | ~(size < 0.5 * before));
      left_over_ = choose(stop, size, left_over_);
      going &= ~stop;
      if (!any(going)) break;
      before = choose(going, size, before);
      for (int r = 0; r < m; ++r) lambda_[r] = terms_.phi[r];
      multipliers();
      for (int k = 0; k < nv_; ++k) a_[k] = Real(0), best_[k] = choose(going, y[k], best_[k]);
      pull_back(a_);
      for (int k = 0; k < nv_; ++k) y[k] = choose(going, y[k] + a_[k], y[k]);
    }
    if (back) constrain(y);
    for (int r = 0; r < m; ++r) lambda_[r] = terms_.rate[r];
    multipliers();
    for (int k = 0; k < nv_; ++k) a_[k] = Real(0);
    pull_back(a_);
    for (int k = 0; k < nv_; ++k) y[nv_ + k] = choose(which, y[nv_ + k] + a_[k], y[nv_ + k]);
    bad_ |= which & ~(left_over_ < most_violation);
  }

  // Steps ----------------------------------------------------------------------------------------------------

  /// Computes y1_ from y, whose rates are known if `first`; the compensated sum is that of
  /// integrators/runge_kutta.cpp.
  MUBODY_CLONES void stages(const Real* y, const Real& h, bool first) {
    for (int i = first ? 1 : 0; i < stages_; ++i) {
      const double* a = T_.a[std::size_t(i)].data();
      for (int n = 0; n < ny_; ++n) stage_[n] = y[n];
      for (int j = 0; j < i; ++j) {
        if (a[j] == 0) continue;
        const Real weight = h * a[j];
        for (int n = 0; n < ny_; ++n) stage_[n] += weight * k_[j * ny_ + n];
      }
      rates(stage_, k_ + i * ny_);
    }
    for (int n = 0; n < ny_; ++n) lost_[n] = residue_[n];
    for (int i = 0; i < stages_; ++i) {
      if (T_.b[std::size_t(i)] == 0) continue;
      const Real weight = h * T_.b[std::size_t(i)];
      for (int n = 0; n < ny_; ++n) lost_[n] += weight * k_[i * ny_ + n];
    }
    for (int n = 0; n < ny_; ++n) {
      y1_[n] = y[n] + lost_[n];
      lost_[n] -= y1_[n] - y[n];
    }
  }

  /// Sets size_ to the largest of the controlled numbers, each divided by its tolerance; NaN if one is NaN.
  MUBODY_CLONES void scale(const Real* x, const Real* y, const Real* z) {
    size_ = tolerance_.largest(nv_, x, y, z);
  }
  MUBODY_CLONES void scale_state() { size_ = tolerance_.largest(nv_, y_); }
  MUBODY_CLONES void limit_rates(const Mask& which) {
    tolerance_.limit_rates(which, y_ + nv_, s_.bodies, held_);
  }

  MUBODY_CLONES void estimate(const Real& h) {
    for (int n = 0; n < ny_; ++n) error_[n] = Real(0);
    for (int i = 0; i < stages_; ++i) {
      const Real weight = h * T_.e[std::size_t(i)];
      for (int n = 0; n < ny_; ++n) error_[n] += weight * k_[i * ny_ + n];
    }
  }

  // The starting step size, for lanes that have none.
  void first_steps() {
    scale_state();
    const Real d0 = size_;
    scale(k_, y_, y_);
    const Real d1 = size_;
    Real h0;
    for (int k = 0; k < W; ++k) {
      const LaneTask& task = lanes_[std::size_t(k)].task;
      h0[k] = first_trial(d0[k], d1[k], task.end - task.start);
    }
    for (int n = 0; n < ny_; ++n) stage_[n] = y_[n] + h0 * k_[n];
    rates(stage_, k_ + ny_);
    for (int n = 0; n < ny_; ++n) error_[n] = (k_[ny_ + n] - k_[n]) / h0;
    scale(error_, y_, y_);
    const Real d2 = size_;
    for (int k = 0; k < W; ++k) {
      One& one = lanes_[std::size_t(k)];
      if (one.h != 0) continue;
      const double chosen = first_step(h0[k], std::max(d1[k], d2[k]), T_.order, one.task.end - one.task.start);
      one.h = one.task.control.step.value_or(chosen);
    }
  }

  /// Chooses where the next step of each lane ends.
  void choose_ends() {
    for (One& one : lanes_) {
      if (one.state != running) {
        one.trial = one.t;
        continue;
      }
      const LaneTask& task = one.task;
      if (T_.e.empty()) {
        one.h = *task.control.step;
        one.trial = task.start + double(one.count + 1) * one.h;
        if (one.trial > task.end - 1e-9 * one.h) one.trial = task.end;
        continue;
      }
      one.h = std::min(one.h, *task.control.max_step);
      one.trial = one.t + one.h;
      if (one.trial > task.end - 0.01 * one.h) one.trial = task.end;
      const double least =
          16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(one.t), std::abs(task.end));
      if (one.trial - one.t < least || one.steps >= task.control.steps) one.state = left, one.trial = one.t;
    }
  }

  /// Accepts or rejects the step of a lane by proportional-integral control: Hairer & Wanner, Solving ODEs II,
  /// sec. IV.2.
  void judge_step(One& one, double size) const {
    one.accepted = false;
    if (one.state != running) return;
    if (T_.e.empty()) {
      one.accepted = std::isfinite(size);
      if (!one.accepted) one.state = left;
      return;
    }
    const double beta = 0.04, exponent = 1.0 / T_.order - 0.75 * beta, h = one.trial - one.t;
    if (!(size <= 1)) {
      ++one.rejected;
      one.h = h * (std::isfinite(size) ? std::clamp(0.9 * std::pow(size, -exponent), 0.1, 0.9) : 0.1);
      one.retried = true;
      return;
    }
    const double wanted = 0.9 * std::pow(std::max(size, 1e-10), -exponent) * std::pow(one.last_error, beta);
    const bool cut = one.trial == one.task.end && h < one.h;
    if (!cut) one.h = h * std::clamp(wanted, 0.2, one.retried ? 1.0 : 5.0);
    one.last_error = std::max(size, 1e-4);
    one.accepted = true;
    one.retried = false;
  }

  MUBODY_CLONES void take_over(const Mask& accepted) {
    for (int n = 0; n < ny_; ++n) {
      y0_[n] = choose(accepted, y_[n], y0_[n]);
      y_[n] = choose(accepted, y1_[n], y_[n]);
      residue_[n] = choose(accepted, lost_[n], residue_[n]);
    }
  }

  void attempt() {
    bad_ = Mask{};
    rates(y_, k_);
    if (!T_.e.empty() &&
        std::ranges::any_of(lanes_, [](const One& one) { return one.state == running && one.h == 0; }))
      first_steps();
    choose_ends();
    const Real h = each([](const One& one) { return one.trial - one.t; });
    stages(y_, h, true);
    if (T_.e.empty()) {
      size_ = Real(0);
      for (int n = 0; n < ny_; ++n) size_ += y1_[n] - y1_[n];  // NaN if one is not finite
    } else {
      estimate(h);
      scale(error_, y_, y1_);
    }
    doubt(bad_);
    for (int k = 0; k < W; ++k) judge_step(lanes_[std::size_t(k)], size_[k]);

    const Mask accepted = mask([](const One& one) { return one.accepted; });
    take_over(accepted);
    bad_ = Mask{};
    project(y_, accepted);
    doubt(bad_ & accepted);
    limit_rates(accepted);
    for (int k = 0; k < W; ++k) {
      One& one = lanes_[std::size_t(k)];
      if (!one.accepted) continue;
      one.before = one.t;
      one.t = one.trial;
      ++one.steps, ++one.count;
      one.largest = std::max(one.largest, one.t - one.before);
      one.smallest = one.steps == 1 ? one.t - one.before : std::min(one.smallest, one.t - one.before);
      note_violation(one, k);
    }
  }

  // Results --------------------------------------------------------------------------------------------------

  /// Sets row_ to the states of lanes at times within their last steps.
  MUBODY_CLONES void interpolate(const Numbers& when) {
    Real h, theta;
    for (int k = 0; k < W; ++k) {
      const One& one = lanes_[std::size_t(k)];
      h[k] = one.t - one.before;
      theta[k] = h[k] > 0 ? (when[std::size_t(k)] - one.before) / h[k] : 1;
    }
    if (T_.dense.empty()) {  // a shorter step from the start of the last one is taken
      const Real shorter = gathered(when) - each([](const One& one) { return one.before; });
      stages(y0_, shorter, false);
      for (int n = 0; n < ny_; ++n) row_[n] = y1_[n];
      return;
    }
    for (int n = 0; n < ny_; ++n) row_[n] = y0_[n];
    for (int i = 0; i < stages_; ++i) {
      const std::vector<double>& dense = T_.dense[std::size_t(i)];
      Real weight(0);
      for (std::size_t c = dense.size(); c-- > 0;) weight = (weight + dense[c]) * theta;
      weight *= h;
      for (int n = 0; n < ny_; ++n) row_[n] += weight * k_[i * ny_ + n];
    }
  }

  MUBODY_CLONES void record(const Real& t, const Mask& due) {
    observe(s_, numbers_, bodies_.data(), terms_, Seen{row_, a_, lambda_, t, due}, kept_, sum_);
  }

  /// Records the results that are due in lanes for which `has` is true, one after the other.
  template <class Has> void output(const Has& has) {
    for (;;) {
      const Mask due = mask([&](const One& one) {
        return has(one) && one.next < one.task.times.size() && one.task.times[one.next] <= one.t;
      });
      if (!any(due)) return;
      Numbers when{};
      Mask within = due;
      for (int k = 0; k < W; ++k) {
        const One& one = lanes_[std::size_t(k)];
        when[std::size_t(k)] = due[k] ? one.task.times[one.next] : one.t;
        within.set(k, due[k] && when[std::size_t(k)] < one.t);
      }
      bad_ = Mask{};
      if (any(within)) {
        interpolate(when);
        for (int n = 0; n < ny_; ++n) row_[n] = choose(within, row_[n], y_[n]);
        project(row_, within);
        for (int k = 0; k < W; ++k)
          if (within[k]) note_violation(lanes_[std::size_t(k)], k);
      } else {
        for (int n = 0; n < ny_; ++n) row_[n] = y_[n];
      }
      accelerations(row_);
      doubt(bad_ & due);
      record(gathered(when), due);
      for (int k = 0; k < W; ++k)
        if (due[k]) ++lanes_[std::size_t(k)].next;
    }
  }

  LaneStructure s_;
  const Tableau& T_;
  std::vector<LaneKept> kept_;
  std::vector<bool> angles_;  // by row
  bool held_;                 // a joint holds a body to the ground
  int nv_, ny_, stages_;
  std::vector<double> memory_;
  Real *y_, *y0_, *y1_, *stage_, *error_, *residue_, *lost_, *best_, *row_, *k_;
  Real *lambda_, *work_, *a_, *inverse_mass_, *weighted_, *S_, *raw_, *numbers_;
  LaneTerms terms_{};
  std::vector<LaneBody> bodies_;
  LaneTolerance tolerance_{};
  Real left_over_{}, size_{};
  Mask weak_{}, bad_{};
  Summary sum_{};
  std::array<One, W> lanes_;
  bool fresh_ = false;
};

LaneBatch::LaneBatch(LaneStructure structure, const Tableau& table, std::vector<LaneKept> kept)
    : lanes_(std::make_unique<Lanes>(std::move(structure), table, std::move(kept))) {}
LaneBatch::~LaneBatch() = default;

const LaneStructure& LaneBatch::structure() const { return lanes_->structure(); }
bool LaneBatch::is_free(int lane) const { return lanes_->is_free(lane); }
void LaneBatch::start(int lane, const LaneTask& task) { lanes_->start(lane, task); }
void LaneBatch::step() { lanes_->step(); }
double LaneBatch::stop(int lane) { return lanes_->stop(lane); }
std::optional<LaneOutcome> LaneBatch::take(int lane) { return lanes_->take(lane); }
}  // namespace mubody
