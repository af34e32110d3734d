#include "mubody/lanes/batch.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "mubody/lanes/summary.h"

namespace mubody {
using namespace lanes;

namespace {
constexpr double most_violation = 1e-9;  // the most that a correction may leave, as System::gap() measures it
}  // namespace

class LaneBatch::Lanes {
 public:
  Lanes(std::shared_ptr<const LaneModel> model, const Tableau& table, std::vector<LaneKept> kept)
      : model_(std::move(model)), m_(*model_), T_(table), kept_(std::move(kept)), observe_(m_.observe(kept_)),
        rates_(m_.rates()), gaps_(m_.gaps()), tidy_(m_.tidy()), close_(m_.close()), settle_(m_.settle()),
        keep_(m_.keep()), seen_by_(observe_), nq_(m_.positions()), nu_(m_.velocities()), nc_(m_.controlled()),
        ny_(m_.states()), stages_(int(table.b.size())), terms_(table.b.size()) {
    const auto lay_out = [&](auto&& place) {
      for (double** vector : {&y_, &y0_, &y1_, &error_, &residue_, &lost_, &row_}) place(*vector, ny_);
      place(k_, stages_ * (ny_ + 1));
      place(x_, m_.recorded().arguments()), place(best_, nq_), place(phi_, m_.rows());
      place(answer_, std::max({nq_, nu_ + 1, int(m_.recorded().kept.size())}));
      place(observed_, observe_.outputs()), place(absolute_, nc_), place(most_, nc_), place(none_, ny_);
      place(parameters_, m_.parameters());
    };
    std::size_t size = 0;
    lay_out([&](double*&, int n) { size += std::size_t(n) * W; });
    memory_.assign(size + W, 0);
    double* next = memory_.data();
    while (reinterpret_cast<std::uintptr_t>(next) % 64 != 0) ++next;
    lay_out([&](double*& vector, int n) {
      vector = next;
      next += std::size_t(n) * W;
    });
    state_ = x_ + W;
  }

  bool is_free(int lane) const { return lanes_[std::size_t(lane)].state == idle; }

  void start(int lane, const LaneTask& task) {
    // Lanes that have never been used compute along, so they get the numbers of a sound mechanism.
    const bool first = std::ranges::none_of(lanes_, &One::used);
    for (int l = 0; l < W; ++l)
      if (l == lane || first) fill(l, task);
    One& one = lanes_[std::size_t(lane)];
    one = One{};
    one.used = one.fresh = true;
    one.state = running;
    one.task = task;
    one.task.control.max_step = task.control.longest_over(task.end - task.start);
    one.t = one.before = task.start;
    one.grid.start(task.start);
    one.sum = Summary(kept_.size());
    fresh_ = true;
  }

  void step() {
    if (fresh_) begin();
    attempt();
    output(accepted_);
    keep(accepted_);
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
    out.kept = one.sum.kept(kept_);
    Statistics& st = out.statistics;
    st.steps = one.counts.steps, st.rejected = one.counts.rejected;
    st.smallest_step = one.counts.smallest, st.largest_step = one.counts.largest;
    st.largest_violation = one.violation, st.violation_share = one.violation_share;
    st.energy_residual = one.sum.residual;
    st.energy_scale = one.sum.energy_scale;
    st.load_scale = one.sum.load_scale;
    return out;
  }

 private:
  enum State { idle, running, ended, left };
  struct One {
    bool used = false, fresh = false, retried = false;
    State state = idle;
    LaneTask task;
    double t = 0, before = 0;  // now, and at the start of the last step [s]
    double trial = 0;          // the end of the step that is tried [s]
    StepSizes sizes;
    Grid grid;  // for fixed steps
    Grid::Step on_grid{};
    StepStatistics counts;
    std::size_t next = 0;  // index of the next result
    double violation = 0, violation_share = 0;
    Summary sum;
  };
  One& at(int lane) { return lanes_[std::size_t(lane)]; }
  template <class Of> Row each(const Of& of) const {
    Row r;
    for (int l = 0; l < W; ++l) r[std::size_t(l)] = of(lanes_[std::size_t(l)]);
    return r;
  }

  void fill(int lane, const LaneTask& task) {
    const auto put = [&](double* to, const auto& from) {
      for (int k = 0; k < int(from.size()); ++k) to[k * W + lane] = from[decltype(from.size())(k)];
    };
    for (double* y : {y_, y0_}) {
      put(y, task.q), put(y + nq_ * W, task.u), put(y + (nq_ + nu_) * W, task.z);
      for (int k = nc_; k < ny_; ++k) y[k * W + lane] = 0;
    }
    for (int k = 0; k < ny_; ++k) residue_[k * W + lane] = 0;
    put(parameters_, task.parameters);
    for (const RecordedModel::Kept& k : m_.recorded().kept) x_[k.input * W + lane] = k.start;
    relative_[std::size_t(lane)] = task.control.rtol;
    for (int k = 0; k < nc_; ++k) {
      absolute_[k * W + lane] = task.control.absolute() * (task.control.atol ? 1 : task.sizes.size[k]);
      most_[k * W + lane] = task.sizes.most[k];
    }
    limit_rates(lane, task.scales);
  }

  /// Lets rates count as far as they differ between bodies; see EquationEngine::limit_rates().
  void limit_rates(int lane, const Scales& scales) {
    const int each = nu_ / std::max(m_.bodies(), 1), slides = m_.in_space() ? 3 : 2, turns = each - slides;
    const bool one = m_.bodies() == 1;
    Spread<double> slide(one || m_.held()), turn(one);
    for (int b = 0; b < m_.bodies(); ++b) {
      double u[6];
      for (int k = 0; k < each; ++k) u[k] = y_[(nq_ + b * each + k) * W + lane];
      slide.add(u, slides), turn.add(u + slides, turns);
    }
    const double sliding = std::max(slide.size(slides), scales.speed()),
                 turning = std::max(turn.size(turns), 1 / scales.time);
    for (int k = 0; k < nu_; ++k) most_[(nq_ + k) * W + lane] = k % each < slides ? sliding : turning;
  }

  /// Gives up lanes that are too close to a singular position, or not finite.
  void doubt(const double* independence, const Mask* which = nullptr) {
    for (int l = 0; l < W; ++l)
      if (!(independence[l] >= 0) && (!which || (*which)[std::size_t(l)])) give_up(l);
  }
  void give_up(int lane) {
    if (at(lane).state == running) at(lane).state = left;
  }

  // The equations at the state in x_ ---------------------------------------------------------------------------

  void load(const double* y, const Row& t) {
    std::copy(t.begin(), t.end(), x_);
    std::copy_n(y, nc_ * W, state_);
  }
  void derive(double* dy) {
    rates_(x_, dy);
    doubt(dy + ny_ * W);
  }

  /// Moves positions and velocities of some lanes back onto the constraints; see Dynamics::project_positions().
  void project(const Mask& which) {
    if (m_.in_space()) {
      tidy_(x_, answer_);
      lanes::take(which, answer_, nq_, state_);
    }
    if (m_.rows() == 0) return;
    Row length, angle, size, before, left_over{};
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
      measure_gap(length, angle, size);
      const Mask worse = take_back(going, size, before, left_over);
      back = back || any(worse);
      for (std::size_t l = 0; l < W; ++l) {
        const LaneTask& task = lanes_[l].task;
        if (!going[l] || (size[l] > task.tolerance && round < task.iterations && size[l] < 0.5 * before[l]))
          continue;
        left_over[l] = size[l], going[l] = false;
      }
      if (!any(going)) break;
      for (std::size_t l = 0; l < W; ++l) before[l] = going[l] ? size[l] : before[l];
      lanes::take(going, state_, nq_, best_);
      close_(x_, answer_);
      lanes::take(going, answer_, nq_, state_);
    }
    if (back) gaps_(x_, phi_);
    settle_(x_, answer_);
    lanes::take(which, answer_, nu_, state_ + nq_ * W);
    doubt(answer_ + nu_ * W, &which);
    for (int l = 0; l < W; ++l)
      if (which[std::size_t(l)] && !(left_over[std::size_t(l)] < most_violation)) give_up(l);
  }
  void measure_gap(const Row& length, const Row& angle, Row& size) const {
    Row slides, turns;
    largest_of(m_.row_lengths(), phi_, slides, turns);
    for (std::size_t l = 0; l < W; ++l) {
      const double a = slides[l] / length[l], b = turns[l] / angle[l];
      size[l] = a <= b ? b : a == a ? a : a + b;
    }
  }
  /// Undoes the last correction where it has made things worse, which is not in the first round.
  Mask take_back(Mask& going, const Row& size, const Row& before, Row& left_over) {
    Mask worse{};
    for (std::size_t l = 0; l < W; ++l) {
      worse[l] = going[l] && !(size[l] < before[l]);
      if (worse[l]) left_over[l] = before[l], going[l] = false;
    }
    if (any(worse)) lanes::take(worse, best_, nq_, state_);
    return worse;
  }
  /// Notes what a correction has left of |Φ|.
  void note_violation(int lane) {
    double worst = 0, share = 0;
    for (int r = 0; r < m_.rows(); ++r) {
      const double size = std::abs(phi_[r * W + lane]);
      worst = std::max(worst, size);
      share = std::max(share, m_.row_lengths()[std::size_t(r)] ? size / at(lane).task.scales.length : size);
    }
    at(lane).violation = std::max(at(lane).violation, worst);
    at(lane).violation_share = std::max(at(lane).violation_share, share);
  }
  /// Takes accepted states as those from which turns are counted.
  void keep(const Mask& which) {
    if (m_.recorded().kept.empty() || !any(which)) return;
    load(y_, each([](const One& one) { return one.t; }));
    keep_(x_, answer_);
    for (std::size_t k = 0; k < m_.recorded().kept.size(); ++k)
      lanes::take(which, answer_ + int(k) * W, 1, x_ + m_.recorded().kept[k].input * W);
  }

  // Steps ----------------------------------------------------------------------------------------------------

  /// What lanes need that have just got a mechanism: parameters, turns, results at the start.
  void begin() {
    for (Evaluator* e : {&rates_, &gaps_, &tidy_, &close_, &settle_, &keep_, &seen_by_}) e->set(parameters_);
    Mask fresh;
    for (std::size_t l = 0; l < W; ++l) fresh[l] = lanes_[l].fresh, lanes_[l].fresh = false;
    keep(fresh);
    output(fresh);
    fresh_ = false;
  }

  double* k(int stage) const { return k_ + stage * (ny_ + 1) * W; }
  /// The terms h w k of a sum over some stages.
  template <class Weights> int weigh(const Row& h, const Weights& w, int stages) {
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
  void stages(const double* y, const Row& t, const Row& h, bool first) {
    for (int i = first ? 1 : 0; i < stages_; ++i) {
      add(y, terms_.data(), weigh(h, T_.a[std::size_t(i)], i), nc_, state_);
      for (std::size_t l = 0; l < W; ++l) x_[l] = t[l] + T_.c[std::size_t(i)] * h[l];
      derive(k(i));
    }
    add(residue_, terms_.data(), weigh(h, T_.b, stages_), ny_, lost_);
    add_compensated(y, ny_, y1_, lost_);
  }

  // The starting step size, for lanes that have none.
  void first_steps(const Row& t) {
    Row d0, d1, d2, h0;
    largest(allowed(), y_, nc_, d0);
    largest(allowed(), k(0), y_, y_, nc_, d1);
    for (std::size_t l = 0; l < W; ++l) {
      const LaneTask& task = lanes_[l].task;
      h0[l] = first_trial(d0[l], d1[l], task.end - task.start);
    }
    terms_[0] = {h0, k(0)};
    add(y_, terms_.data(), 1, nc_, state_);
    for (std::size_t l = 0; l < W; ++l) x_[l] = t[l] + h0[l];
    derive(k(1));
    for (int n = 0; n < nc_ * W; ++n) error_[n] = (k(1)[n] - k(0)[n]) / h0[std::size_t(n % W)];
    largest(allowed(), error_, y_, y_, nc_, d2);
    for (std::size_t l = 0; l < W; ++l) {
      One& one = lanes_[l];
      if (one.sizes.next != 0) continue;
      const LaneTask& task = one.task;
      const double chosen = first_step(h0[l], std::max(d1[l], d2[l]), T_.order, task.end - task.start);
      one.sizes.next = std::max(task.control.step.value_or(chosen), 16 * StepSizes::shortest(one.t, task.end));
    }
  }
  Allowed allowed() const { return {absolute_, most_, relative_.data()}; }

  /// Chooses where the next step of each lane ends.
  void choose_ends() {
    for (One& one : lanes_) {
      const LaneTask& task = one.task;
      one.trial = one.t;
      if (one.state != running) continue;
      if (T_.e.empty()) {
        one.on_grid = one.grid.next(*task.control.step, task.end);
        one.trial = one.on_grid.ends ? task.end : one.on_grid.to;
        continue;
      }
      one.trial = one.sizes.end_of_next(one.t, *task.control.max_step, task.end);
      if (!(one.trial - one.t >= StepSizes::shortest(one.t, task.end)) ||
          one.counts.steps >= task.control.steps)
        one.state = left, one.trial = one.t;
    }
  }

  /// Accepts or rejects the step of a lane.
  bool judge_step(One& one, double size) const {
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
    one.sizes.accept(h, size, T_.order, one.retried, one.trial == one.task.end);
    one.retried = false;
    return true;
  }

  void attempt() {
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

  void accept() {
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

  // Results --------------------------------------------------------------------------------------------------

  /// Sets row_ to the states of lanes at times within their last steps.
  void interpolate(const Row& when) {
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
  void output(const Mask& which) {
    for (;;) {
      Mask due, within;
      Row when;
      for (std::size_t l = 0; l < W; ++l) {
        const One& one = lanes_[l];
        due[l] = which[l] && one.state == running && one.next < one.task.times.size() &&
                 one.task.times[one.next] <= one.t;
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

  void record(const Mask& due, const Row& when) {
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

  std::shared_ptr<const LaneModel> model_;
  const LaneModel& m_;
  const Tableau& T_;
  std::vector<LaneKept> kept_;
  Tape observe_;
  Evaluator rates_, gaps_, tidy_, close_, settle_, keep_, seen_by_;
  int nq_, nu_, nc_, ny_, stages_;
  std::vector<double> memory_;
  double *y_, *y0_, *y1_, *error_, *residue_, *lost_, *row_, *k_;
  double *x_, *state_;  // what tapes read, and the state in it
  double *best_, *phi_, *answer_, *observed_, *absolute_, *most_, *none_, *parameters_;
  Row relative_{};
  std::vector<Term> terms_;
  Mask accepted_{};
  std::array<One, W> lanes_;
  bool fresh_ = false;
};

LaneBatch::LaneBatch(std::shared_ptr<const LaneModel> model, const Tableau& table, std::vector<LaneKept> kept)
    : lanes_(std::make_unique<Lanes>(std::move(model), table, std::move(kept))) {}
LaneBatch::~LaneBatch() = default;

bool LaneBatch::is_free(int lane) const { return lanes_->is_free(lane); }
void LaneBatch::start(int lane, const LaneTask& task) { lanes_->start(lane, task); }
void LaneBatch::step() { lanes_->step(); }
double LaneBatch::stop(int lane) { return lanes_->stop(lane); }
std::optional<LaneOutcome> LaneBatch::take(int lane) { return lanes_->take(lane); }
}  // namespace mubody
