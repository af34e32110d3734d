#include "mubody/integrators/newton_matrix.h"

namespace mubody {
namespace {
// Up to so many numbers solutions with dense factors cost less than those of blocks, by about one evaluation.
constexpr int few = 64;
}  // namespace

void NewtonMatrix::begin(Ode& f, Eigen::Index n) {
  size_.setOnes(n);
  if (const Sizes* sizes = f.sizes()) size_ = sizes->size;
  rate_ = moved_ = VecX::Zero(n);
  if (slopes_.rows() != n) {
    slopes_.setZero(n, n), matrix_.setIdentity(n, n);
    factors_.compute(matrix_);  // takes the memory that later ones need
  }
  exact_ = nullptr;
  refused_ = false;
}

void NewtonMatrix::renew(Ode& f, double t, VecX& y, double c, StepStatistics& count) {
  exact_ = refused_ ? nullptr : f.implicit();
  if (exact_ && exact_->pays(spent_) && exact_->stand_at(t, y)) {
    ++count.evaluations;
    if (factor(c)) return;
    refused_ = true;
  }
  exact_ = nullptr;
  differ(f, t, y, count);
  factor(c);
}

// Nothing depends on quadratures: their columns stay zero.
void NewtonMatrix::differ(Ode& f, double t, VecX& y, StepStatistics& count) {
  const Eigen::Index columns = y.size() - f.quadratures();
  f.rates(t, y, rate_);
  for (Eigen::Index j = 0; j < columns; ++j) {
    const double kept = y[j];
    y[j] += 1.5e-8 * std::sqrt(size_[j] * (size_[j] + std::abs(kept)));  // √ε of both: round-off grows with y
    const double by = y[j] - kept;
    f.rates(t, y, moved_);
    y[j] = kept;
    slopes_.col(j) = (moved_ - rate_) / by;
  }
  count.evaluations += 1 + columns;
  spent_ += double(columns);
}

bool NewtonMatrix::factor(double c) {
  if (exact_) return exact_->factor(c);
  matrix_ = -c * slopes_;
  matrix_.diagonal().array() += 1;
  factors_.compute(matrix_);
  spent_ += factors_cost * double(matrix_.size());
  return true;
}

void NewtonMatrix::solve(const In& r, VecX& x) {
  if (exact_) return exact_->solve(r, x);
  factors_.solve(r, x);
  if (x.size() < few) spent_ = std::max(0.0, spent_ - 1);
}
}  // namespace mubody
