#pragma once
// Points handed out to threads one by one, so that all are busy to the end however long each point takes.
#include <functional>
#include <optional>

#include "mubody/sweep/row.h"

namespace mubody {
/// The next point to compute; none when there are no more, or the sweep is to stop.
using NextPoint = std::function<std::optional<std::size_t>()>;
/// Takes a row that is done.
using TakeRow = std::function<void(const SweepRow&)>;
/// Computes points until there are no more.
using Worker = std::function<void(const NextPoint&, const TakeRow&)>;

/// Runs so many workers at once, in threads of their own; next and take are called by one of them at a time.  The first
/// exception of a worker stops the others and is thrown here.
void run_workers(int threads, const Worker&, const NextPoint& next, const TakeRow& take);
}  // namespace mubody
