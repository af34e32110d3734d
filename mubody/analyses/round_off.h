#pragma once
// The error that round-off leaves in a driven motion, found by experiment: a state is computed again as round-off might
// have left it just as well, and what the channels differ by is a sample of their error.   docs/theory/estimate.md
#include "mubody/analyses/bridge.h"
#include "mubody/analyses/differences.h"

namespace mubody {
class RoundOff {
 public:
  using State = Driven::State;
  /// Of a motion with so many rows.
  RoundOff(System&, bool redundant, std::size_t rows);

  /// Takes samples at a row, if others have not shown as much; `bridge` if the row lies on one.
  void see(const State&, const Bridge* bridge);
  Accuracy accuracy(const Results&) const;

 private:
  Driven k_;
  Differences differences_;
  std::minstd_rand draw_;
  std::size_t every_, samples_, row_ = 0;
  double weakest_ = 1;  // the least hold at which samples were taken
};
}  // namespace mubody
