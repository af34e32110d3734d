#pragma once
// Points are handed out to threads one by one, so that all threads are busy to the end however long a point
// takes.
#include <functional>
#include <optional>
#include <stdexcept>

#include "mubody/sweep/row.h"

namespace mubody {
/// Returns the next point to compute; none when there are no more, or the sweep is to stop.
using NextPoint = std::function<std::optional<std::size_t>()>;
/// Takes a row that is done.
using TakeRow = std::function<void(const SweepRow&)>;
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
