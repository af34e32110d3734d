#pragma once
// The error that a step may make in each number of the state.
//
//   atol_k + rtol min(|y_k|, most_k),  and never less than the round-off of y_k          docs/theory/scales.md
//
// Without an atol of the user, atol_k is 0.01 rtol times the size that the equation gives for that number.
#include "mubody/integrators/integrator.h"
#include "mubody/math/finite.h"
#include "mubody/math/spread.h"

namespace mubody {
inline constexpr double round_off_of_numbers = 4 * std::numeric_limits<double>::epsilon();

/// The error that a number, or lanes of numbers, may have where it is as large as `size`; `most` of that counts.
template <class Real>
MUBODY_INLINE Real allowed_error(const Real& absolute, const Real& relative, const Real& size,
                                 const Real& most) {
  return larger(absolute + relative * smaller(size, most), round_off_of_numbers * size);
}

class Tolerance {
 public:
  void start(const Ode& f, const StepControl& control, Eigen::Index n) {
    controlled_ = control.controlled < 0 ? n : Eigen::Index(control.controlled);
    rtol_ = control.rtol;
    const Sizes* sizes = f.sizes();
    absolute_.setConstant(n, control.absolute());
    if (sizes && !control.atol) absolute_ *= sizes->size;
    if (!sizes) unlimited_.setConstant(n, std::numeric_limits<double>::infinity());
    most_ = sizes ? sizes->most.data() : unlimited_.data();
  }

  /// How many numbers of the state, from the first, count for the error.
  Eigen::Index controlled() const { return controlled_; }
  /// The error that number k may have where it is as large as this.
  double of(Eigen::Index k, double size) const { return allowed_error(absolute_[k], rtol_, size, most_[k]); }
  /// The largest number of x, each relative to its tolerance between y and z; not a number if one is none.
  double largest(const VecX& x, const VecX& y, const VecX& z) const {
    const Eigen::Index whole = controlled_ - controlled_ % 4;
    Eigen::Array4d most = Eigen::Array4d::Zero(), sum = most;  // the sum does not lose what is no number
    for (Eigen::Index k = 0; k < whole; k += 4) {
      const auto four = [k](const double* numbers) { return Eigen::Array4d::Map(numbers + k); };
      const Eigen::Array4d size = four(y.data()).abs().max(four(z.data()).abs());
      const Eigen::Array4d allowed =
          (four(absolute_.data()) + rtol_ * size.min(four(most_))).max(round_off_of_numbers * size);
      const Eigen::Array4d shares = four(x.data()).abs() / allowed;
      most = most.max(shares);
      sum += shares;
    }
    double worst = std::isnan(sum.sum()) ? sum.sum() : most.maxCoeff();
    for (Eigen::Index k = whole; k < controlled_; ++k)
      keep_largest(worst, std::abs(x[k]) / of(k, std::max(std::abs(y[k]), std::abs(z[k]))));
    return worst;
  }
  /// The same of y itself, as far as it counts: an angle that has turned often is no larger than its size.
  double largest(const VecX& y) const {
    double worst = 0;
    for (Eigen::Index k = 0; k < controlled_; ++k) {
      const double size = std::abs(y[k]), s = std::min(size, most_[k]) / of(k, size);
      keep_largest(worst, s);
    }
    return worst;
  }

 private:
  Eigen::ArrayXd absolute_, unlimited_;
  const double* most_ = nullptr;  // as the equation has it now, or unlimited_
  double rtol_ = 0;
  Eigen::Index controlled_ = 0;
};
}  // namespace mubody
