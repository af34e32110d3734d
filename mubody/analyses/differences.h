#pragma once
// What the channels of states differ by that should be the same: samples of their error.  docs/theory/estimate.md
#include "mubody/results/results.h"
#include "mubody/system/dynamics.h"

namespace mubody {
class Differences {
 public:
  explicit Differences(System&);

  /// Takes a state as the one with which others are compared; the dynamics are those of the state.
  void take(double t, const VecX& q, const VecX& u, const Dynamics& d) { read(t, q, u, d, here_); }
  /// Compares another with it.
  void compare(double t, const VecX& q, const VecX& u, const Dynamics&);
  /// How many were compared.
  long compared() const { return compared_; }
  /// The digits that the largest differences leave; `method` says where the states come from.
  Accuracy accuracy(const Results&, std::string method) const;

 private:
  void read(double t, const VecX& q, const VecX& u, const Dynamics&, VecX& values);

  System& s_;
  VecX nu_, here_, there_, worst_, worst_at_;
  long compared_ = 0;
};
}  // namespace mubody
