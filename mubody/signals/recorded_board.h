#pragma once
// The board on which signals are noted, recorded.                              docs/theory/signals.md
// Who records gives the states of blocks, and for sampled signals what they keep; and gets what these become at an instant.
#include "mubody/signals/board_of.h"

namespace mubody {
using RecordedSample = SampleOf<Recorded>;

template <class Source> class RecordedBoard : public BoardOf<Recorded> {
 public:
  RecordedBoard(const std::vector<Noted>& all, std::vector<int> order, const Source& source)
      : BoardOf(all, std::move(order)), source_(source) {}

  /// What is noted, by number.
  const std::vector<Recorded>& values() const { return values_; }

  /// Records everything at a state; z are the states of the blocks, `kept` has what each signal keeps, by number, and the
  /// rates of the states are written.
  void evaluate(const Recorded& t, const Recorded* z, const std::vector<RecordedSample>& kept,
                Recorded* rates) {
    struct Own {
      const std::vector<RecordedSample>& kept;
      const RecordedSample& sample(std::size_t k) const { return kept[k]; }
    };
    note(t, z, rates, Own{kept}, source_);
  }

  /// Records an instant: what signals keep after it.  `due` is 1 where the instant of a signal has come, else 0, and
  /// `since` the time since its last one, 0 at its first; both by number.
  void pass_instant(const Recorded& t, const Recorded* z, std::vector<RecordedSample>& kept,
                    const std::vector<Recorded>& due, const std::vector<Recorded>& since) {
    struct Own {
      std::vector<RecordedSample>& kept;
      const std::vector<Recorded>&is_due, &times;
      RecordedSample& sample(std::size_t k) const { return kept[k]; }
      Condition due(std::size_t k) const { return is_due[k] != 0; }
      const Recorded& since(std::size_t k) const { return times[k]; }
    };
    note_instant(t, z, Own{kept, due, since}, source_);
  }

 private:
  const Source& source_;
};
}  // namespace mubody
