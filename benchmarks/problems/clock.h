#pragma once
// CPU time, so that other programs on a busy machine count as little as possible.
#include <algorithm>
#include <ctime>

namespace mubody::bench {
inline double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}
template <class F> double seconds_of(F&& f) {
  const double from = processor_time();
  f();
  return processor_time() - from;
}

/// How many repetitions of `f` take that long.
template <class F> long enough(F&& f, double seconds) {
  long times = 1;
  while (seconds_of([&] { f(times); }) < seconds) times *= 2;
  return times;
}

/// The time of one call [s]: the least of some repetitions.
template <class F> double fastest(F&& f, double seconds, int repetitions) {
  const long times = enough(f, seconds);
  double least = 1e300;
  for (int k = 0; k < repetitions; ++k) least = std::min(least, seconds_of([&] { f(times); }) / double(times));
  return least;
}
}  // namespace mubody::bench
