#pragma once
// Interpolation of vectors with their rates: the polynomial of degree 2n − 1 through n values and n rates, by divided
// differences in which every node counts twice.  Stoer & Bulirsch (2002), sec. 2.1.5.
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
class Hermite {
 public:
  void clear() { nodes_.clear(), newton_.clear(), last_.clear(); }

  /// Adds a node, at a time that none has yet.
  void add(double t, const VecX& value, const VecX& rate) {
    take(t, value, nullptr);
    take(t, value, &rate);
  }

  /// The value and its rate at a time.
  void at(double t, VecX& value, VecX& rate) const {
    value = newton_.back();
    rate.setZero(value.size());
    for (std::size_t k = newton_.size() - 1; k-- > 0;) {
      rate = (t - nodes_[k]) * rate + value;
      value = (t - nodes_[k]) * value + newton_[k];
    }
  }

 private:
  // One more column of divided differences; `rate` where the node is there already.
  void take(double t, const VecX& value, const VecX* rate) {
    std::vector<VecX> next{value};
    for (std::size_t k = 0; k < last_.size(); ++k)
      next.push_back(k == 0 && rate ? *rate : VecX((next[k] - last_[k]) / (t - nodes_[nodes_.size() - 1 - k])));
    nodes_.push_back(t);
    newton_.push_back(next.back());
    last_ = std::move(next);
  }

  std::vector<double> nodes_;
  std::vector<VecX> newton_, last_;  // coefficients; differences that end at the last node
};
}  // namespace mubody
