#pragma once
// The board on which signals are noted: all of them are computed once, each after those that it reads, before the forces
// that follow them.                                                            docs/theory/signals.md
#include <limits>
#include <span>
#include <vector>

#include "mubody/math/memory.h"
#include "mubody/signals/board_of.h"
#include "mubody/signals/past.h"

namespace mubody {
class Board : public BoardOf<double> {
 public:
  Board() = default;
  Board(const std::vector<Noted>& all, std::vector<int> order);

  bool any() const { return !all_.empty(); }
  /// What is noted, by number; the place in memory stays the same.
  std::span<const double> values() const { return values_; }

  /// Computes everything at a state; z are the states of the blocks, and their rates are written unless null.
  template <class Source> void evaluate(double t, const double* z, double* rates, const Source& source) const {
    note(t, z, rates, Own<const Board>{*this, t}, source);
  }

  /// The states before anything is known of the motion.
  void rest(double* z) const;
  /// The states at the start, for what evaluate() has computed there.
  template <class Source> void start(double t, double* z, const Source& source) {
    const Answers<Source> seen{source, values_};
    const Own<Board> own{*this, t};
    // A block may begin with what another one shows at its own start, or at its first instant: every round settles one more
    // of such a chain.
    for (std::size_t round = 0; round < moving_.size(); ++round) {
      for (const int number : order_) {
        const auto k = std::size_t(number);
        if (all_[k].sample && items_[k].count == 0) items_[k].sample.held = found(k, t, true, own, seen);
        values_[k] = value(k, t, z, own, seen);
      }
      for (const std::size_t k : moving_) block(k).start(input(k, t, seen), z + first_[k]);
      evaluate(t, z, nullptr, source);
    }
  }

  /// The next time at which a signal is sampled or a delay begins to show its input [s].
  double next_instant() const;
  /// Samples the signals whose instant has come; the first time all of them.
  template <class Source> void pass_instant(double t, const double* z, const Source& source) {
    begin_delays(t);
    note_instant(t, z, Own<Board>{*this, t}, source);
    count_instants(t);
  }
  /// What sampled signals hold and keep from their last instant on, one after the other.
  void samples(std::vector<double>& all) const {
    all.clear();
    for (const std::size_t k : sampled_) {
      const SampleOf<double>& sample = items_[k].sample;
      all.push_back(sample.held);
      all.insert(all.end(), sample.memory.begin(), sample.memory.end());
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
    double delay = 0;    // [s] of a delay that is not sampled
    bool shows = false;  // it shows its input, and no longer what was before the start
    Past past{};
    SampleOf<double> sample{};
    double origin = 0;  // [s] the first instant
    long count = 0;     // how many there were

    double shown(double t) const { return past.at(t - delay); }
    void list(Memory& m) { m(shows, past, sample.held, sample.memory, origin, count); }
  };
  template <class B> struct Own {
    B& board;
    double t;

    auto& sample(std::size_t k) const { return board.items_[k].sample; }
    bool due(std::size_t k) const { return board.is_due(k, t); }
    double since(std::size_t k) const { return board.items_[k].count > 0 ? *board.all_[k].sample : 0; }
    const Item* past(std::size_t k) const { return board.items_[k].shows ? &board.items_[k] : nullptr; }
  };
  bool is_due(std::size_t k, double t) const;
  double next_of(std::size_t k) const;
  void begin_delays(double t);
  void count_instants(double t);

  std::vector<Item> items_;
  std::vector<std::size_t> delayed_;  // delays that are not sampled
};
}  // namespace mubody
