#pragma once
// Block factors beside those of the equations of motion, for treatments that correct states in a metric of their own.
#include <memory>
#include <utility>

#include "mubody/system/dynamics.h"

namespace mubody {
/// Workspace that suits one system: a copy has none, and makes its own.
template <class T> class OwnOf {
 public:
  OwnOf() = default;
  OwnOf(const OwnOf&) {}
  OwnOf& operator=(const OwnOf&) { return own_.reset(), *this; }
  ~OwnOf() = default;

  /// Makes one with `make`, unless there is one for that system; returns whether it did.
  template <class Make> bool prepare(const Dynamics& d, const Make& make) {
    if (own_ && system_ == &d.system) return false;
    own_ = make();
    system_ = &d.system;
    return true;
  }
  explicit operator bool() const { return own_ != nullptr; }
  T& operator*() { return *own_; }
  T* operator->() { return own_.get(); }

 private:
  std::unique_ptr<T> own_;
  const System* system_ = nullptr;
};

/// Corrections as by Dynamics, with masses that a treatment chooses.
class OwnDynamics {
 public:
  /// A dynamics for the system of another; `weigh` is called with a new one.
  template <class Weigh> Dynamics& of(const Dynamics& d, const Weigh& weigh) {
    const auto make = [&] { return std::make_unique<Dynamics>(d.system, d.is_redundant()); };
    if (own_.prepare(d, make)) weigh(*own_);
    return *own_;
  }
  /// Adds its work since the last call to that of another.
  void count(Dynamics& d) {
    d.factorizations += std::exchange(own_->factorizations, 0);
    d.solves += std::exchange(own_->solves, 0);
    d.corrections += std::exchange(own_->corrections, 0);
  }
  /// Forgets the factors, so that a run goes on after a restore exactly as after the save.
  void forget() {
    if (own_) own_->forget();
  }

 private:
  OwnOf<Dynamics> own_;
};

/// Factors of D in a metric of displacements, at the positions where they are asked for.
class OwnFactors {
 public:
  /// The factors of the equations of others, in which a displacement weighs 1/w, and does not move where w is zero.  Sizes are
  /// those that independence() is measured by; none: those of the rows.
  void weigh(const Dynamics& d, const VecX& w, const std::vector<double>& sizes = {}) {
    own_.prepare(d, [&] { return std::make_unique<SaddlePoint>(d.system.structure); });
    own_->set_inverse_mass(w);
    sizes_ = sizes;
    forget();
  }
  bool suits(const Dynamics& d) {
    return own_ && !own_.prepare(d, [&] { return std::make_unique<SaddlePoint>(d.system.structure); });
  }
  /// Factors D of the terms unless the factors are those of (t, q); returns whether it did.
  bool factor(Dynamics& d, double t, const In& q) {
    if (t == t_ && q == q_) return false;
    factor(d);
    t_ = t;
    q_ = q;
    return true;
  }
  void factor(Dynamics& d) {
    const System::Metric* const lengths = sizes_.empty() ? d.system.lengths() : nullptr;
    own_->factor(d.terms.D, 0, lengths ? lengths->row_sizes : sizes_);
    forget();
    ++d.factorizations;
  }
  bool is_at(const In& q) const { return q == q_; }
  double independence() { return own_->independence(); }
  void solve(Dynamics& d, const In& g, const In& c, Out x, Out lambda) {
    own_->solve(g, c, x, lambda);
    ++d.solves;
  }
  void forget() { t_ = std::numeric_limits<double>::quiet_NaN(); }

 private:
  OwnOf<SaddlePoint> own_;
  std::vector<double> sizes_;
  double t_ = std::numeric_limits<double>::quiet_NaN();
  VecX q_;
};
}  // namespace mubody
