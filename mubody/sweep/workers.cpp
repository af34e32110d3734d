#include "mubody/sweep/workers.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

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
    // No point is handed out before all threads are there, so that too many of them leave no row.
    const std::scoped_lock lock(mutex);
    try {
      while (int(all.size()) < threads) all.emplace_back(work);
    } catch (const std::system_error&) {
      error = std::make_exception_ptr(std::runtime_error(fmt::format(
          "the system lets the program start {} threads and not {}; ask for fewer of them, as in --threads {}",
          all.size(), threads, std::max<std::size_t>(1, all.size() / 2))));
    }
  }
  if (error) std::rethrow_exception(error);
}
}  // namespace mubody
