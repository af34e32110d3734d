#include "mubody/sweep/workers.h"

#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace mubody {
ThreadsError::ThreadsError(std::size_t how_many, int asked)
    : std::runtime_error(
          fmt::format("{} of {} thread{} could be started", how_many, asked, asked == 1 ? "" : "s")),
      started(how_many), wanted(asked) {}

std::vector<std::size_t> NextPoint::some(std::size_t most) const {
  if (some_) return some_(most);
  std::vector<std::size_t> all;
  while (all.size() < most) {
    const auto index = one_();
    if (!index) break;
    all.push_back(*index);
  }
  return all;
}
void TakeRow::all(std::span<const SweepRow> rows) const {
  if (all_) return all_(rows);
  for (const SweepRow& row : rows) one_(row);
}

void run_workers(int threads, const Worker& worker, const NextPoint& next, const TakeRow& take) {
  std::mutex mutex;
  std::exception_ptr error;
  const NextPoint next_alone(
      [&]() -> std::optional<std::size_t> {
        const std::scoped_lock lock(mutex);
        return error ? std::nullopt : next();
      },
      [&](std::size_t most) {
        const std::scoped_lock lock(mutex);
        return error ? std::vector<std::size_t>() : next.some(most);
      });
  const TakeRow take_alone(
      [&](const SweepRow& row) {
        const std::scoped_lock lock(mutex);
        if (!error) take(row);
      },
      [&](std::span<const SweepRow> rows) {
        const std::scoped_lock lock(mutex);
        if (!error) take.all(rows);
      });
  const auto work = [&] {
    try {
      worker(next_alone, take_alone);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> all;
    // No point is handed out before all threads are there, so that too many of them leave no row.
    const std::scoped_lock lock(mutex);
    try {
      while (int(all.size()) < threads) all.emplace_back(work);
    } catch (const std::system_error&) {
      error = std::make_exception_ptr(ThreadsError(all.size(), threads));
    } catch (...) {
      error = std::current_exception();  // those that have started find no point
    }
  }
  if (error) std::rethrow_exception(error);
}
}  // namespace mubody
