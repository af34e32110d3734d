#include "mubody/sweep/workers.h"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace mubody {
void run_workers(int threads, const Worker& worker, const NextPoint& next, const TakeRow& take) {
  std::mutex mutex;
  std::exception_ptr error;
  const NextPoint next_alone = [&]() -> std::optional<std::size_t> {
    const std::scoped_lock lock(mutex);
    return error ? std::nullopt : next();
  };
  const TakeRow take_alone = [&](const SweepRow& row) {
    const std::scoped_lock lock(mutex);
    if (!error) take(row);
  };
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
    for (int k = 0; k < threads; ++k) all.emplace_back(work);
  }
  if (error) std::rethrow_exception(error);
}
}  // namespace mubody
