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
    if (!followed_[k]) followed_[k].emplace(*memory_);
    const S s = nearest(angle, Turns::without_doubt(followed_[k]->expected(t_)));
    followed_[k]->becomes(s.x, s.v);
    return s;
  }
  /// What is kept where something is found by a search, which begins with what is found at the start.
  Followed follow() const { return Followed(*memory_, std::nullopt); }
  const Recorded& time() const { return t_; }

 private:
  Recollection* memory_ = nullptr;
  Recorded t_;
  mutable std::array<std::optional<Followed>, 3> followed_;
};
template <> struct Counting<Recorded> { using Turns = RecordedTurns; };
}  // namespace mubody
