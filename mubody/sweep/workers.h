#pragma once
// Points are handed out to threads one by one, so that all threads are busy to the end however long a point
// takes.
#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "mubody/sweep/row.h"

namespace mubody {
/// Returns the next point to compute; none when there are no more, or the sweep is to stop.
class NextPoint {
 public:
  using One = std::function<std::optional<std::size_t>()>;
  using Some = std::function<std::vector<std::size_t>(std::size_t most)>;

  template <std::convertible_to<One> F> NextPoint(F one) : one_(std::move(one)) {}
  NextPoint(One one, Some some) : one_(std::move(one)), some_(std::move(some)) {}
  std::optional<std::size_t> operator()() const { return one_(); }
  /// So many at most at once, for workers that run many; none when there are no more.
  std::vector<std::size_t> some(std::size_t most) const;

 private:
  One one_;
  Some some_;  // if that is shorter than one after the other
};
/// Takes a row that is done.
class TakeRow {
 public:
  using One = std::function<void(const SweepRow&)>;
  using All = std::function<void(std::span<const SweepRow>)>;

  template <std::convertible_to<One> F> TakeRow(F one) : one_(std::move(one)) {}
  TakeRow(One one, All all) : one_(std::move(one)), all_(std::move(all)) {}
  void operator()(const SweepRow& row) const { one_(row); }
  /// All of them at once, if that is shorter.
  void all(std::span<const SweepRow>) const;

 private:
  One one_;
  All all_;
};
/// Computes points until there are no more.
using Worker = std::function<void(const NextPoint&, const TakeRow&)>;

/// Not all threads could be started, for whatever reason; whoever asked for them says what to do.
struct ThreadsError : std::runtime_error {
  std::size_t started;
  int wanted;
  ThreadsError(std::size_t how_many, int asked);
};

/// Runs so many workers at once, in threads of their own; only one of them calls `next` or `take` at a time.
/// The first exception of a worker stops the others and is thrown from here.  Throws ThreadsError.
void run_workers(int threads, const Worker&, const NextPoint& next, const TakeRow& take);
}  // namespace mubody
