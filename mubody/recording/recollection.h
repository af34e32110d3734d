#pragma once
// Numbers that recorded equations keep from one accepted state to the next: each is an input of the graph, and what takes
// its place at the next accepted state is a node.
//
//   docs/theory/recording.md
#include <vector>

#include "mubody/recording/recorded.h"

namespace mubody {
class Recollection {
 public:
  struct Kept {
    int input;
    double start = 0;
    Recorded next;  // what it becomes
  };

  /// Numbers that are kept are inputs from the `first` on.
  Recollection(Computation& graph, int first) : graph_(&graph), first_(first) {}

  /// Keeps one more number, which begins with `start`; returns its place.
  int keep(double start = 0) {
    kept_.push_back({first_ + int(kept_.size()), start, Recorded::input(*graph_, first_ + int(kept_.size()))});
    return int(kept_.size()) - 1;
  }
  Recorded operator[](int place) const { return Recorded::input(*graph_, kept_[std::size_t(place)].input); }
  void becomes(int place, const Recorded& next) { kept_[std::size_t(place)].next = next; }
  /// The time since the last accepted state, which is kept once for all.
  Recorded since(const Recorded& t) {
    if (time_ < 0) time_ = keep();
    becomes(time_, t);
    return t - (*this)[time_];
  }
  const std::vector<Kept>& all() const { return kept_; }

 private:
  Computation* graph_;
  int first_, time_ = -1;
  std::vector<Kept> kept_;
};
}  // namespace mubody
