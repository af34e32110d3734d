#include "mubody/integrators/implicit_stage.h"

#include <fmt/format.h>

namespace mubody {
namespace {
constexpr double solved = 1e-12;  // relative error left in a step, negligible against that of the formula
constexpr double stalled = 1e-9;  // the best possible where the rates themselves are iterated to a tolerance
constexpr int most_iterations = 12;
constexpr int few_iterations = 4;   // with more, the matrix is renewed
constexpr double same_step = 1e-6;  // relative difference of steps that share a matrix
}  // namespace

void ImplicitStage::begin(Ode& f, const VecX& y) {
  const Eigen::Index n = y.size();
  size_.setOnes(n);
  most_.setConstant(n, std::numeric_limits<double>::infinity());
  if (const Sizes* sizes = f.sizes()) size_ = sizes->size, most_ = sizes->most;
  predicted_ = residual_ = rate_ = moved_ = y;
  matrix_.begin(f, n);
  forget();
}

bool ImplicitStage::solve(Ode& f, double t, double c, const VecX& known, VecX& y, StepStatistics& count) {
  predicted_ = y;
  if (std::abs(matrix_of_ - c) <= same_step * std::abs(c)) {
    if (iterate(f, t, c, known, y, count)) return true;
    y = predicted_;
  }
  matrix_.renew(f, t, y, c, count);
  matrix_of_ = c;
  return iterate(f, t, c, known, y, count);
}

bool ImplicitStage::iterate(Ode& f, double t, double c, const VecX& known, VecX& y, StepStatistics& count) {
  // What a change of each number is measured against: as integrators/tolerance.h does, and never below round-off.
  constexpr double round_off = 4 * std::numeric_limits<double>::epsilon() / solved;
  double last = 0;
  for (int k = 1; k <= most_iterations; ++k) {
    f.rates(t, y, rate_);
    ++count.evaluations;
    ++count.iterations;
    residual_ = known + c * rate_ - y;
    matrix_.solve(residual_, moved_);
    y += moved_;
    const auto counted = (size_ + y.array().abs().min(most_)).max(round_off * y.array().abs());
    const double size = (moved_.array() / counted).abs().maxCoeff();
    if (!std::isfinite(size) || !y.allFinite()) return false;
    const double share = k > 1 ? size / last : 0.5;  // share of the error that an iteration leaves
    if (size <= solved || (share < 1 && size * share / (1 - share) <= solved)) {
      if (k > few_iterations) forget();
      return true;
    }
    if (k > 2 && share > 0.5 && size <= stalled) return true;
    if (k > 2 && share > 0.9) return false;
    last = size;
  }
  return false;
}

std::string ImplicitStage::no_solution(double t) {
  return fmt::format(
      "the implicit equations of the step from t = {:.6g} s have no solution nearby, or the step is "
      "too large to find it",
      t);
}
}  // namespace mubody
