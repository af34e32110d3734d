#include "mubody/sweep/quick_points.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/device/c/motion.h"
#include "mubody/math/dense.h"
#include "mubody/simulation/particles.h"
#include "mubody/solvers/assembly.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
constexpr double same = 1e-10;     // of its size: a number that is exact
constexpr double same_size = 0.5;  // of a number that is a size
constexpr double beyond = 0.1;     // share of the tolerance at which assembly stops, as in solvers/assembly.cpp
constexpr double largest_turn = 0.5;  // [rad] per correction, as there
constexpr std::size_t most_checks = 16;

/// The least and largest values of variables among points of a sweep.
std::vector<SweptRange> ranges_of(const SweepPlan& plan) {
  constexpr std::size_t most = 20000;
  std::vector<SweptRange> all;
  for (const std::size_t index : plan.some(most)) {
    const std::vector<double> v = plan.point(index);
    if (all.empty())
      for (const double x : v) all.push_back({x, x});
    for (std::size_t n = 0; n < v.size(); ++n)
      all[n] = {std::min(all[n].low, v[n]), std::max(all[n].high, v[n])};
  }
  return all;
}
bool changes_the_analysis(const SweepPlan& plan) {
  return std::ranges::any_of(plan.variables(), [](const SweptVariable& v) {
    return v.key.starts_with("analysis.") || v.key.starts_with("output.");
  });
}
}  // namespace

QuickPoints::QuickPoints(const MotionPlan& plan, const MotionCode& code, const Study& first)
    : plan_(plan), code_(code), options_(first.analysis) {
  if (!plan.lanes) return;
  gaps_ = plan.lanes->gaps(), slopes_ = plan.lanes->gap_slopes();
  const std::unique_ptr<System> s = build_system(first.mechanism);
  for (const std::string& name : s->displacement_names)
    held_.push_back(std::ranges::find(options_.assembly.hold, name) != options_.assembly.hold.end());
}

/// The numbers of a motion, then the rough start and the metric of its correction.
std::optional<std::vector<double>> QuickPoints::read(const Sweep& sweep,
                                                     const std::vector<double>& point) const {
  try {
    const Study s = with_time_begun(sweep.study(point));
    const auto task = plan_.task(s);
    if (!task || task->times != times_ || int(task->breaks.size()) != breaks_) return {};
    std::vector<double> all = code_.numbers(*task);
    if (!plan_.lanes) return all;
    Mechanism m = s.mechanism;
    std::vector<std::string> unused;
    take_particles(s.analysis, m, unused);
    const std::unique_ptr<System> system = build_system(m);
    VecX q = VecX::Zero(system->nq), u = VecX::Zero(system->nu);
    system->start(q, u);
    const VecX metric = assembly_metric(*system);
    all.insert(all.end(), q.begin(), q.end());
    all.insert(all.end(), metric.begin(), metric.end());
    return all;
  } catch (const ModelError&) {
    return {};
  }
}

std::shared_ptr<const QuickPoints> QuickPoints::find(const Sweep& sweep, const MotionPlan& plan,
                                                     const MotionCode& code, std::string& why) {
  std::shared_ptr<QuickPoints> quick;
  if (changes_the_analysis(sweep.plan)) return why = "the analysis itself varies", nullptr;
  try {
    const Study first = with_time_begun(sweep.study(sweep.plan.point(0)));
    const auto task = plan.task(first);
    if (!task) return why = "the first point cannot be run", nullptr;
    quick.reset(new QuickPoints(plan, code, first));
    quick->times_ = task->times, quick->breaks_ = int(task->breaks.size());
  } catch (const ModelError& e) {
    return why = e.what(), nullptr;
  }
  const MotionEquations& m = plan.equations;
  const std::size_t first_q = std::size_t(MB_FIRST + 2 * m.controlled), nq = std::size_t(m.positions);
  const std::size_t rough = plan.lanes ? nq + std::size_t(m.velocities) : 0;
  std::vector<bool> is_size(std::size_t(code.numbers(quick->breaks_)) + rough, false);
  is_size[MB_LENGTH] = is_size[MB_TIME] = true;
  std::fill_n(is_size.begin() + MB_FIRST, 2 * m.controlled, true);
  const auto at = [&](const std::vector<double>& point) { return quick->read(sweep, point); };
  std::vector<std::size_t> missing;
  std::vector<bool> without_positions = is_size;
  if (plan.lanes) std::fill_n(without_positions.begin() + std::ptrdiff_t(first_q), nq, true);
  quick->map_ = PointMap::find(ranges_of(sweep.plan), at, without_positions, missing);
  if (!quick->map_)
    return why = missing.empty() ? "some points cannot be assembled"
                                 : fmt::format("number {} of a point depends on too much", missing.front()),
           nullptr;
  for (std::size_t k = 0; k < nq; ++k)
    quick->assembles_ = quick->assembles_ || !quick->map_->is_exact(first_q + k);
  if (quick->assembles_ &&
      (m.in_space || !plan.lanes || !plan.lanes->left_out().empty() || quick->options_.assembly.as_given))
    return why = "points are assembled quickly in body coordinates of the plane alone", nullptr;
  Work work(*quick);
  for (const std::size_t index : sweep.plan.some(most_checks)) {
    const std::vector<double> point = sweep.plan.point(index);
    const auto task = plan.task(with_time_begun(sweep.study(point)));
    const std::vector<double>* const numbers = work(point);
    if (task && numbers && !quick->agrees(*numbers, *task))
      return why = "numbers are no smooth functions", nullptr;
  }
  return quick;
}

bool QuickPoints::agrees(const std::vector<double>& numbers, const LaneTask& task) const {
  const std::vector<double> wanted = code_.numbers(task);
  if (wanted.size() != numbers.size() || task.times != times_) return false;
  const int sizes_end = MB_FIRST + 2 * plan_.equations.controlled;
  for (int n = 0; n < int(numbers.size()); ++n) {
    const bool is_size = n == MB_LENGTH || n == MB_TIME || (n >= MB_FIRST && n < sizes_end);
    const double x = numbers[std::size_t(n)], y = wanted[std::size_t(n)];
    if (x != y && !(std::abs(x - y) <= (is_size ? same_size * std::abs(y) : same * std::max(1.0, std::abs(y)))))
      return false;
  }
  return true;
}

QuickPoints::Work::Work(const QuickPoints& of)
    : of_(of), inputs_(std::size_t(of.plan_.equations.arguments), 0.0) {
  if (!of.gaps_) return;
  gaps_.emplace(*of.gaps_), slopes_.emplace(*of.slopes_);
  phi_.resize(std::size_t(of.gaps_->outputs())), trial_.resize(std::size_t(of.slopes_->outputs()));
}

const std::vector<double>* QuickPoints::Work::operator()(const std::vector<double>& point) {
  (*of_.map_)(point, numbers_);
  if (of_.assembles_ && !assemble()) return nullptr;
  numbers_.resize(std::size_t(of_.code_.numbers(of_.breaks_)));
  return &numbers_;
}

// As Assembler::correct() does, where no value is left out: Newton's method with the correction of least size in the metric, which
// leaves held values as they are.  Where that needs shorter corrections, the point is left to it.
bool QuickPoints::Work::assemble() {
  const LaneModel& m = *of_.plan_.lanes;
  const int nq = m.positions(), rows = m.rows(), first = RecordedModel::first_q();
  const std::size_t first_q = std::size_t(MB_FIRST + 2 * m.controlled());
  const double* const rough = numbers_.data() + of_.code_.numbers(of_.breaks_);
  const double* const parameters = numbers_.data() + first_q + std::size_t(m.controlled());
  const double length = numbers_[MB_LENGTH];
  gaps_->set_parameters(*of_.gaps_, parameters);
  slopes_->set_parameters(*of_.slopes_, parameters);
  inputs_[0] = numbers_[MB_START];
  std::copy_n(rough, nq, inputs_.begin() + first);
  const auto evaluate = [&](double& largest) {
    (*of_.gaps_)(inputs_.data(), phi_.data(), *gaps_);
    double sum = 0;
    largest = 0;
    for (int r = 0; r < rows; ++r) {
      const double x = std::abs(phi_[std::size_t(r)]) / (m.row_lengths()[std::size_t(r)] ? length : 1);
      largest = std::max(largest, x), sum += x * x;
    }
    return std::sqrt(sum);
  };
  double largest = 0, all = evaluate(largest);
  for (int round = 0; largest > beyond * of_.options_.assembly.tolerance; ++round) {
    if (round >= of_.options_.assembly.iterations || !std::isfinite(all)) return false;
    (*of_.slopes_)(inputs_.data(), trial_.data(), *slopes_);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    D_ = Eigen::Map<const Rows>(trial_.data(), rows, nq);
    MatX DW = D_;
    for (int k = 0; k < nq; ++k) DW.col(k) *= of_.held_[std::size_t(k)] ? 0 : 1 / rough[nq + k];
    MatX S = MatX::Zero(rows, rows);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) S(i, j) = DW.row(i).dot(D_.row(j));
    const Lu lu(S);
    const VecX step = -DW.transpose() * lu.solve(Eigen::Map<const VecX>(phi_.data(), rows));
    double turn = 0;
    for (int k = 0; k < nq; ++k)
      if (!m.lengths()[std::size_t(k)]) turn = std::max(turn, std::abs(step[k]));
    const double share = turn > largest_turn ? largest_turn / turn : 1;
    for (int k = 0; k < nq; ++k) inputs_[std::size_t(first + k)] += share * step[k];
    const double before = all;
    all = evaluate(largest);
    if (!(all < (1 - 1e-4) * before)) return false;
  }
  std::copy_n(inputs_.begin() + first, nq, numbers_.begin() + std::ptrdiff_t(first_q));
  return true;
}
}  // namespace mubody
