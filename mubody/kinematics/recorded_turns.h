#pragma once
// Turns of recorded angles: the equations of Turns, with what is remembered as numbers that are kept from one accepted
// state to the next.
#include "mubody/kinematics/frame.h"
#include "mubody/recording/recollection.h"
#include "mubody/recording/recorded_vectors.h"

namespace mubody {
class RecordedTurns {
 public:
  RecordedTurns() = default;
  RecordedTurns(Recollection& memory, const Recorded& t) : memory_(&memory), t_(t) {}
  static void aim(const Recorded&) {}
  template <class S> S count(std::size_t k, const S& angle) const {
    std::array<int, 2>& at = places_[k];
    if (at[0] < 0) at = {memory_->keep(), memory_->keep()};
    const Recorded next = (*memory_)[at[0]] + (*memory_)[at[1]] * memory_->since(t_);
    const S s = nearest(angle, Turns::without_doubt(next));
    memory_->becomes(at[0], s.x);
    memory_->becomes(at[1], s.v);
    return s;
  }

 private:
  Recollection* memory_ = nullptr;
  Recorded t_;
  mutable std::array<std::array<int, 2>, 3> places_{{{-1, -1}, {-1, -1}, {-1, -1}}};
};
template <> struct Counting<Recorded> { using Turns = RecordedTurns; };
}  // namespace mubody
