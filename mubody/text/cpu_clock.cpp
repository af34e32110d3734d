#include "mubody/text/cpu_clock.h"

#include <ctime>

namespace mubody::io {
double thread_cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}
}  // namespace mubody::io
