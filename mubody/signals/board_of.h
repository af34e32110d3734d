#pragma once
// The order in which signals are computed, with any scalar: each after those that it reads; at an instant those that are
// sampled then see what others have found at the same instant, and what blocks keep changes after that.
//                                                                              docs/theory/signals.md
#include <vector>

#include "mubody/signals/noted.h"

namespace mubody {
/// What a sampled signal keeps from one instant to the next.
template <class R> struct SampleOf {
  R held = 0;               // the value found at the last instant
  std::vector<R> memory{};  // of its block
};

/// Changes numbers where a condition holds.
template <class Change> void where(bool holds, std::vector<double>& numbers, const Change& change) {
  if (holds) change(numbers.data());
}
template <class Change>
void where(const Condition& holds, std::vector<Recorded>& numbers, const Change& change) {
  std::vector<Recorded> changed = numbers;
  change(changed.data());
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = choose(holds, changed[k], numbers[k]);
}

/// `Source` answers what the board cannot know:
///
///   source(variable)            a number of the motion of a body
///   source.joint(k, part, rate) a coordinate of a joint
///   source.force(k, part)       a result of a force
///
/// `Own` what signals remember, by number:
///
///   own.sample(k)               what a sampled signal keeps
///   own.due(k), own.since(k)    whether its instant has come, and the time since its last one, 0 at its first
///   own.past(k)                 a pointer to what a block shows of the past, null if nothing
template <class R> class BoardOf {
 public:
  BoardOf() = default;
  /// `order`: numbers of all that is noted, each after those that it reads at the same instant.
  BoardOf(const std::vector<Noted>& all, std::vector<int> order)
      : all_(all), order_(std::move(order)), first_(all.size()), values_(all.size(), R(0)) {
    for (std::size_t k = 0; k < all_.size(); ++k) {
      const Noted& n = all_[k];
      first_[k] = states_;
      if (n.sample) sampled_.push_back(k);
      if (n.sample && n.what) (*all_[k].what)->prepare(*n.sample);
      if (n.sample || !n.what) continue;
      states_ += block(k).states();
      if (block(k).states() > 0) moving_.push_back(k);
    }
  }
  const std::vector<Noted>& all() const { return all_; }
  /// How many states the blocks have together.
  int states() const { return states_; }
  /// How many numbers the block of a sampled signal keeps.
  int memory(std::size_t k) const {
    return all_[k].sample && all_[k].what ? block(k).memory(*all_[k].sample) : 0;
  }

 protected:
  template <class Source> struct Answers {
    const Source& source;
    const std::vector<R>& values;

    R operator()(const StateVariable& v) const {
      if (v.quantity != StateVariable::noted) return source(v);
      if (std::size_t(v.number) >= values.size())
        throw ModelError("a signal reads another one that is not in the model");
      return values[std::size_t(v.number)];
    }
  };
  const AnyBlock& block(std::size_t k) const { return **all_[k].what; }

  /// Everything at a state; rates of the states z are written unless null.
  template <class Own, class Source>
  void note(const R& t, const R* z, R* rates, const Own& own, const Source& source) const {
    const Answers<Source> seen{source, values_};
    for (const int k : order_) values_[std::size_t(k)] = value(std::size_t(k), t, z, own, seen);
    if (!rates) return;
    for (const std::size_t k : moving_) block(k).rates(input(k, t, seen), z + first_[k], rates + first_[k]);
  }
  template <class Own, class Source>
  void note_instant(const R& t, const R* z, const Own& own, const Source& source) const {
    const Answers<Source> seen{source, values_};
    for (const int number : order_) {
      const auto k = std::size_t(number);
      if (all_[k].sample) {
        const auto due = own.due(k);
        R& held = own.sample(k).held;
        held = branch(
            due, [&]() -> R { return found(k, t, due, own, seen); }, [&]() -> R { return held; });
      }
      values_[k] = value(k, t, z, own, seen);
    }
    for (const std::size_t k : sampled_)
      if (all_[k].what)
        where(own.due(k), own.sample(k).memory, [&](R* m) { block(k).update(instant(k, t, own, seen), m); });
  }

  template <class Seen> BlockInputOf<R> input(std::size_t k, const R& t, const Seen& seen) const {
    const AnyBlock& b = block(k);
    return {.t = t, .u = b.input()(t, seen), .v = b.other() ? (*b.other())(t, seen) : R(0)};
  }
  /// The input of a sampled block.
  template <class Own, class Seen>
  BlockInputOf<R> instant(std::size_t k, const R& t, const Own& own, const Seen& seen) const {
    BlockInputOf<R> in = input(k, t, seen);
    in.T = *all_[k].sample, in.since = own.since(k);
    return in;
  }
  template <class Own, class Seen>
  R value(std::size_t k, const R& t, const R* z, const Own& own, const Seen& seen) const {
    const Noted& n = all_[k];
    if (n.sample) return own.sample(k).held;
    switch (n.kind) {
      case Noted::joint: return seen.source.joint(n.element, n.part, n.rate);
      case Noted::force: return seen.source.force(n.element, n.part);
      case Noted::block: break;
      default: return n.signal(t, seen);
    }
    if constexpr (requires { own.past(k); })
      if (const auto* past = own.past(k)) return past->shown(t);
    return block(k).output(block(k).direct(false) ? input(k, t, seen) : BlockInputOf<R>{.t = t}, z + first_[k]);
  }
  /// The value of a sampled signal whose instant has come; its block begins at the first one.
  template <class Due, class Own, class Seen>
  R found(std::size_t k, const R& t, const Due& due, const Own& own, const Seen& seen) const {
    if (!all_[k].what) return all_[k].signal(t, seen);
    const BlockInputOf<R> in = instant(k, t, own, seen);
    std::vector<R>& memory = own.sample(k).memory;
    where(due && in.since == R(0), memory, [&](R* m) { block(k).start(in, m); });
    return block(k).sampled(in, memory.data());
  }

  std::vector<Noted> all_;
  std::vector<int> order_;
  std::vector<int> first_;                     // of the states of each
  std::vector<std::size_t> moving_, sampled_;  // blocks with states; sampled signals
  int states_ = 0;
  mutable std::vector<R> values_;
};
}  // namespace mubody
