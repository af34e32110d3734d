#pragma once
// The board on which signals are noted, recorded: what Board computes with doubles, in the same order.
//                                                                              docs/theory/signals.md
// Who records gives the states of blocks, and for sampled signals what they keep; and gets what these become at an instant.
#include <vector>

#include "mubody/signals/noted.h"

namespace mubody {
/// What a sampled signal keeps from one instant to the next.
struct RecordedSample {
  Recorded held;                 // the value found at the last instant
  std::vector<Recorded> memory;  // of its block
};

/// `Source` answers what the board cannot know, as for Board.
template <class Source> class RecordedBoard {
 public:
  RecordedBoard(const std::vector<Noted>& all, std::vector<int> order, const Source& source)
      : all_(all), order_(std::move(order)), source_(source), first_(all.size()), values_(all.size()) {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      Noted& n = all_[k];
      if (n.sample && n.what) (*n.what)->prepare(*n.sample);
      first_[k] = states_;
      if (!n.sample && n.what) states_ += (*n.what)->states();
    }
  }

  /// How many states the blocks have together.
  int states() const { return states_; }
  /// How many numbers the block of a sampled signal keeps.
  int memory(std::size_t k) const {
    return all_[k].sample && all_[k].what ? block(k).memory(*all_[k].sample) : 0;
  }
  /// What is noted, by number.
  const std::vector<Recorded>& values() const { return values_; }

  /// Records everything at a state; z are the states of the blocks, `kept` has what each signal keeps, by number, and the
  /// rates of the states are written.
  void evaluate(const Recorded& t, const Recorded* z, const std::vector<RecordedSample>& kept,
                Recorded* rates) {
    for (const int number : order_) {
      const auto k = std::size_t(number);
      values_[k] = value(k, t, z, kept);
    }
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (!all_[k].sample && all_[k].what && block(k).states() > 0)
        block(k).rates(input(k, t), z + first_[k], rates + first_[k]);
  }

  /// Records an instant: what signals keep after it.  `due` is 1 where the instant of a signal has come, else 0, and
  /// `since` the time since its last one, 0 at its first; both by number.
  void pass_instant(const Recorded& t, const Recorded* z, std::vector<RecordedSample>& kept,
                    const std::vector<Recorded>& due, const std::vector<Recorded>& since) {
    std::vector<RecordedSample> now = kept;
    for (const int number : order_) {
      const auto k = std::size_t(number);
      if (all_[k].sample) take(k, t, since[k], due[k] != 0, now[k]);
      values_[k] = value(k, t, z, now);
    }
    for (std::size_t k = 0; k < all_.size(); ++k) {
      if (memory(k) == 0) continue;
      std::vector<Recorded> next = now[k].memory;
      block(k).update(instant(k, t, since[k]), next.data());
      for (std::size_t m = 0; m < next.size(); ++m)
        now[k].memory[m] = choose(due[k] != 0, next[m], kept[k].memory[m]);
    }
    kept = std::move(now);
  }

 private:
  const AnyBlock& block(std::size_t k) const { return **all_[k].what; }
  Recorded seen(const StateVariable& v) const {
    if (v.quantity != StateVariable::noted) return source_(v);
    if (std::size_t(v.number) >= values_.size())
      throw ModelError("a signal reads another one that is not in the model");
    return values_[std::size_t(v.number)];
  }
  Recorded of(const Signal& s, const Recorded& t) const {
    return s(t, [this](const StateVariable& v) { return seen(v); });
  }
  BlockInputOf<Recorded> input(std::size_t k, const Recorded& t) const {
    const AnyBlock& b = block(k);
    return {.t = t, .u = of(b.input(), t), .v = b.other() ? of(*b.other(), t) : Recorded(0)};
  }
  BlockInputOf<Recorded> instant(std::size_t k, const Recorded& t, const Recorded& since) const {
    BlockInputOf<Recorded> in = input(k, t);
    in.T = *all_[k].sample, in.since = since;
    return in;
  }
  Recorded value(std::size_t k, const Recorded& t, const Recorded* z,
                 const std::vector<RecordedSample>& kept) const {
    const Noted& n = all_[k];
    if (n.sample) return kept[k].held;
    switch (n.kind) {
      case Noted::joint: return source_.joint(n.element, n.part, n.rate);
      case Noted::force: return source_.force(n.element, n.part);
      case Noted::block: break;
      default: return of(n.signal, t);
    }
    return block(k).output(block(k).direct(false) ? input(k, t) : BlockInputOf<Recorded>{.t = t},
                           z + first_[k]);
  }
  /// The value of a sampled signal, where its instant has come; its block begins at the first one.
  void take(std::size_t k, const Recorded& t, const Recorded& since, const Condition& due,
            RecordedSample& now) const {
    if (!all_[k].what) {
      now.held = choose(due, of(all_[k].signal, t), now.held);
      return;
    }
    const BlockInputOf<Recorded> in = instant(k, t, since);
    std::vector<Recorded> begun = now.memory;
    block(k).start(in, begun.data());
    for (std::size_t m = 0; m < begun.size(); ++m) now.memory[m] = choose(since == 0, begun[m], now.memory[m]);
    now.held = choose(due, block(k).sampled(in, now.memory.data()), now.held);
  }

  std::vector<Noted> all_;
  std::vector<int> order_;
  const Source& source_;
  std::vector<int> first_;  // of the states of each
  int states_ = 0;
  std::vector<Recorded> values_;
};
}  // namespace mubody
