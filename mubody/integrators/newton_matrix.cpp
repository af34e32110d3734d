#include "mubody/integrators/newton_matrix.h"

namespace mubody {
namespace {
// Up to so many numbers solutions with dense factors cost less than those of blocks, by about one evaluation.
constexpr int few = 64;
// What derivatives, factors and solutions of blocks cost [evaluations], as measured in a mechanism of six bodies in space.
constexpr double dense_solve_work = 0.5;
constexpr double derivatives_work = 8, factor_work = 8, complex_factor_work = 18, solve_work = 1.5,
                 complex_solve_work = 2.7;
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
  work_ = 0;
}

void NewtonMatrix::renew(Ode& f, double t, VecX& y, double c, StepStatistics& count,
                         std::span<const Complex> others) {
  exact_ = refused_ ? nullptr : f.implicit();
  if (exact_ && exact_->pays(spent_) && exact_->stand_at(t, y)) {
    ++count.evaluations;
    work_ += derivatives_work;
    if (factor(c, others)) return;
    refused_ = true;
  }
  exact_ = nullptr;
  differ(f, t, y, count);
  factor(c, others);
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

bool NewtonMatrix::factor(double c, std::span<const Complex> others) {
  if (exact_) {
    work_ += factor_work + complex_factor_work * double(others.size());
    bool serves = exact_->factor(c);
    for (std::size_t k = 0; serves && k < others.size(); ++k) serves = exact_->factor(k, others[k]);
    return serves;
  }
  matrix_ = -c * slopes_;
  matrix_.diagonal().array() += 1;
  factors_.compute(matrix_);
  spent_ += factors_cost * double(matrix_.size());
  work_ += factors_cost * double(matrix_.size());
  for (std::size_t k = 0; k < others.size(); ++k) factor_dense(k, others[k]);
  return true;
}

//   ⎡ I − Re c J    Im c J  ⎤ ⎡ Re x ⎤   ⎡ Re r ⎤
//   ⎣  −Im c J    I − Re c J⎦ ⎣ Im x ⎦ = ⎣ Im r ⎦
void NewtonMatrix::factor_dense(std::size_t which, Complex c) {
  const Eigen::Index n = slopes_.rows();
  if (complex_factors_.size() <= which) complex_factors_.resize(which + 1);
  twice_.resize(2 * n, 2 * n);
  twice_.topLeftCorner(n, n) = -c.real() * slopes_;
  twice_.topRightCorner(n, n) = c.imag() * slopes_;
  twice_.bottomLeftCorner(n, n) = -c.imag() * slopes_;
  twice_.bottomRightCorner(n, n) = -c.real() * slopes_;
  twice_.diagonal().array() += 1;
  complex_factors_[which].compute(twice_);
  spent_ += factors_cost * double(twice_.size());
  work_ += factors_cost * double(twice_.size());
}

void NewtonMatrix::solve(const In& r, VecX& x) {
  work_ += exact_ ? solve_work : dense_solve_work;
  if (exact_) return exact_->solve(r, x);
  factors_.solve(r, x);
  if (x.size() < few) spent_ = std::max(0.0, spent_ - 1);
}

void NewtonMatrix::solve(std::size_t which, const CVecX& r, CVecX& x) {
  work_ += exact_ ? complex_solve_work : 4 * dense_solve_work;
  if (exact_) return exact_->solve(which, r, x);
  const Eigen::Index n = r.size();
  right_.resize(2 * n);
  right_.head(n) = r.real();
  right_.tail(n) = r.imag();
  complex_factors_[which].solve(right_, solution_);
  x.real() = solution_.head(n);
  x.imag() = solution_.tail(n);
}
}  // namespace mubody
