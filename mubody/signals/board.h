#pragma once
// The board on which signals are noted: all of them are computed once, each after those that it reads, before the forces
// that follow them.                                                            docs/theory/signals.md
#include <limits>
#include <span>
#include <vector>

#include "mubody/math/memory.h"
#include "mubody/signals/noted.h"
#include "mubody/signals/past.h"

namespace mubody {
/// `Source` answers what the board cannot know:
///
///   source(variable)            a number of the motion of a body
///   source.joint(k, part, rate) a coordinate of a joint
///   source.force(k, part)       a result of a force
class Board {
 public:
  Board() = default;
  /// `order`: numbers of all that is noted, each after those that it reads at the same instant.
  Board(const std::vector<Noted>& all, std::vector<int> order);

  bool any() const { return !all_.empty(); }
  const std::vector<Noted>& all() const { return all_; }
  /// How many states the blocks have together.
  int states() const { return states_; }
  /// What is noted, by number; the place in memory stays the same.
  std::span<const double> values() const { return values_; }

  /// Computes everything at a state; z are the states of the blocks, and their rates are written unless null.
  template <class Source> void evaluate(double t, const double* z, double* rates, const Source& source) const {
    const Answers<Source> seen{source, values_};
    for (const int k : order_) values_[std::size_t(k)] = value(std::size_t(k), t, z, seen);
    if (!rates) return;
    for (const std::size_t k : moving_)
      block(k).rates(input(k, t, seen), z + items_[k].first, rates + items_[k].first);
  }

  /// The states before anything is known of the motion.
  void rest(double* z) const;
  /// The states at the start, for what evaluate() has computed there.
  template <class Source> void start(double t, double* z, const Source& source) {
    const Answers<Source> seen{source, values_};
    // A block may begin with what another one shows at its own start, or at its first instant: every round settles one more
    // of such a chain.
    for (std::size_t round = 0; round < moving_.size(); ++round) {
      for (const int number : order_) {
        const auto k = std::size_t(number);
        if (all_[k].sample && items_[k].count == 0) items_[k].held = found(k, t, seen);
        values_[k] = value(k, t, z, seen);
      }
      for (const std::size_t k : moving_) block(k).start(input(k, t, seen), z + items_[k].first);
      evaluate(t, z, nullptr, source);
    }
  }

  /// The next time at which a signal is sampled or a delay begins to show its input [s].
  double next_instant() const;
  /// Samples the signals whose instant has come; the first time all of them.  Each sees what others have found at the same
  /// instant, and what blocks keep changes after that.
  template <class Source> void pass_instant(double t, const double* z, const Source& source) {
    const Answers<Source> seen{source, values_};
    begin_delays(t);
    for (const int number : order_) {
      const auto k = std::size_t(number);
      if (is_due(k, t)) items_[k].held = found(k, t, seen);
      values_[k] = value(k, t, z, seen);
    }
    for (const std::size_t k : sampled_) {
      if (!is_due(k, t)) continue;
      Item& it = items_[k];
      if (all_[k].what) block(k).update(instant(k, t, seen), it.memory.data());
      if (it.count == 0) it.origin = t;
      ++it.count;
    }
  }
  /// What sampled signals hold and keep from their last instant on, one after the other.
  void samples(std::vector<double>& all) const {
    all.clear();
    for (const std::size_t k : sampled_) {
      all.push_back(items_[k].held);
      all.insert(all.end(), items_[k].memory.begin(), items_[k].memory.end());
    }
  }
  /// Takes an accepted state, for which evaluate() was called, into the past of delays.
  template <class Source> void note_past(double t, const Source& source) {
    const Answers<Source> seen{source, values_};
    for (const std::size_t k : delayed_) items_[k].past.take(t, input(k, t, seen).u, items_[k].delay);
  }
  double shortest_delay() const;
  void memory(Memory&);

 private:
  struct Item {
    int first = 0;       // of its states
    double delay = 0;    // [s] of a delay that is not sampled
    bool shows = false;  // it shows its input, and no longer what was before the start
    Past past{};
    double held = 0;             // the value found at the last instant
    std::vector<double> memory;  // what a sampled block keeps
    double origin = 0;           // [s] the first instant
    long count = 0;              // how many there were

    void list(Memory& m) { m(shows, past, held, memory, origin, count); }
  };
  template <class Source> struct Answers {
    const Source& source;
    std::span<const double> values;

    double operator()(const StateVariable& v) const {
      if (v.quantity != StateVariable::noted) return source(v);
      if (std::size_t(v.number) >= values.size())
        throw ModelError("a signal reads another one that is not in the model");
      return values[std::size_t(v.number)];
    }
  };

  const AnyBlock& block(std::size_t k) const { return **all_[k].what; }
  template <class Seen> BlockInput input(std::size_t k, double t, const Seen& seen) const {
    const AnyBlock& b = block(k);
    return {.t = t, .u = b.input()(t, seen), .v = b.other() ? (*b.other())(t, seen) : 0};
  }
  /// The input of a sampled block.
  template <class Seen> BlockInput instant(std::size_t k, double t, const Seen& seen) const {
    BlockInput in = input(k, t, seen);
    in.T = *all_[k].sample;
    in.since = items_[k].count > 0 ? in.T : 0;
    return in;
  }
  template <class Seen> double value(std::size_t k, double t, const double* z, const Seen& seen) const {
    const Noted& n = all_[k];
    const Item& it = items_[k];
    if (n.sample) return it.held;
    switch (n.kind) {
      case Noted::joint: return seen.source.joint(n.element, n.part, n.rate);
      case Noted::force: return seen.source.force(n.element, n.part);
      case Noted::block: break;
      default: return n.signal(t, seen);
    }
    if (it.shows) return it.past.at(t - it.delay);
    return block(k).output(block(k).direct(false) ? input(k, t, seen) : BlockInput{.t = t}, z + it.first);
  }
  /// The value of a sampled signal at its instant.
  template <class Seen> double found(std::size_t k, double t, const Seen& seen) {
    const Noted& n = all_[k];
    Item& it = items_[k];
    if (!n.what) return n.signal(t, seen);
    const BlockInput in = instant(k, t, seen);
    if (it.count == 0) block(k).start(in, it.memory.data());
    return block(k).sampled(in, it.memory.data());
  }
  bool is_due(std::size_t k, double t) const;
  double next_of(std::size_t k) const;
  void begin_delays(double t);

  std::vector<Noted> all_;
  std::vector<int> order_;
  std::vector<Item> items_;
  std::vector<std::size_t> moving_, sampled_,
      delayed_;  // blocks with states; sampled signals; delays that are not
  int states_ = 0;
  mutable std::vector<double> values_;
};
}  // namespace mubody
