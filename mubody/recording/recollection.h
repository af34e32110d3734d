#pragma once
// Numbers that recorded equations keep from one accepted state to the next: each is an input of the graph, and what takes
// its place at the next accepted state is a node.
//
//   docs/theory/recording.md
#include <array>
#include <optional>
#include <vector>

#include "mubody/recording/recorded.h"

namespace mubody {
class Recollection {
 public:
  struct Kept {
    int input;
    std::optional<double> start;  // none: what it becomes at the start
    Recorded next;                // what it becomes
  };

  /// Numbers that are kept are inputs from the `first` on.
  Recollection(Computation& graph, int first) : graph_(&graph), first_(first) {}

  /// Keeps one more number, which begins with `start`; returns its place.
  int keep(std::optional<double> start = 0) {
    kept_.push_back({first_ + int(kept_.size()), start, Recorded::input(*graph_, first_ + int(kept_.size()))});
    return int(kept_.size()) - 1;
  }
  Recorded operator[](int place) const { return Recorded::input(*graph_, kept_[std::size_t(place)].input); }
  void becomes(int place, const Recorded& next) { kept_[std::size_t(place)].next = next; }
  /// The time since the last accepted state, which is kept once for all.
  Recorded since(const Recorded& t) {
    if (time_ < 0) time_ = keep(std::nullopt);
    becomes(time_, t);
    return t - (*this)[time_];
  }
  const std::vector<Kept>& all() const { return kept_; }

 private:
  Computation* graph_;
  int first_, time_ = -1;
  std::vector<Kept> kept_;
};

/// A number that is known at accepted states and is expected to go on from there at its rate.
class Followed {
 public:
  explicit Followed(Recollection& memory, std::optional<double> start = 0)
      : memory_(&memory), at_{memory.keep(start), memory.keep(start)} {}
  Recorded expected(const Recorded& t) const {
    return (*memory_)[at_[0]] + (*memory_)[at_[1]] * memory_->since(t);
  }
  void becomes(const Recorded& x, const Recorded& rate) const {
    memory_->becomes(at_[0], x), memory_->becomes(at_[1], rate);
  }

 private:
  Recollection* memory_;
  std::array<int, 2> at_;
};
}  // namespace mubody
