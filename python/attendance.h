#pragma once
// Threads at work without the interpreter's lock, and one that waits for them and looks whether the user wants to stop: only
// the main thread of a program is told of that.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>

#include "python/bind.h"

namespace mubody::python {
class Attendance {
 public:
  explicit Attendance(std::size_t workers) : left_(workers) {}

  /// What a worker does; the first exception is kept for wait().
  template <class Work> void work(const Work& work) {
    std::exception_ptr error;
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = error;
    --left_;
    done_.notify_one();
  }

  /// Until all workers are done; they see `stopped` when the user has asked for it.  Throws what one of them threw.
  void wait(Watching& watching, std::atomic<bool>& stopped) {
    constexpr std::chrono::milliseconds patience(20);
    std::unique_lock lock(mutex_);
    while (!done_.wait_for(lock, patience, [&] { return left_ == 0; })) {
      lock.unlock();
      if (!stopped && !watching(0)) stopped = true;
      lock.lock();
    }
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  std::size_t left_;
  std::exception_ptr error_;
};
}  // namespace mubody::python
