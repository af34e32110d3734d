#include "cli/limits.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/resource.h>

#include "cli/exit.h"
#include "mubody/model/errors.h"
#include "mubody/model/units.h"
#include "mubody/study/options.h"
#include "mubody/text/bytes.h"
#include "mubody/text/node.h"

namespace mubody::cli {
namespace {
// A program that may take less can neither read a model nor start threads.
constexpr double least_memory = 32e6;  // [bytes]

/// The memory for data that the program has [bytes]; none if the system does not say.
std::optional<double> memory_now() {
  std::ifstream in("/proc/self/statm");
  double size = 0, resident = 0, shared = 0, text = 0, library = 0, data = 0;
  if (!(in >> size >> resident >> shared >> text >> library >> data)) return {};
  return data * double(sysconf(_SC_PAGESIZE));
}
}  // namespace

double limit_of_time(const std::string& text) {
  double x = 0;
  try {
    x = to_si(text, "s");
  } catch (const UnitError& e) {
    throw ModelError(
        fmt::format("--limit takes a time, as in 10 or \"2 min\"; got {}: {}", io::in_quotes(text), e.what()));
  }
  if (x > 0 && std::isfinite(x)) return x;
  throw ModelError(
      fmt::format("--limit must be a positive time, as in 10 or \"2 min\"; got {}", io::in_quotes(text)));
}

double limit_of_memory(const std::string& text) {
  const std::optional<double> bytes = io::bytes_of(text);
  if (!bytes)
    throw ModelError(
        fmt::format("--memory-limit takes a size, as in 500MB or 2GB; got {}", io::in_quotes(text)));
  if (*bytes < least_memory)
    throw ModelError(
        fmt::format("--memory-limit must be at least {}, for the program itself needs some; got {}",
                    io::bytes_text(least_memory), io::in_quotes(text)));
  return *bytes;
}

// What counts is memory that may be written, not addresses that are only set aside: every thread sets aside more of these
// than it ever needs.
void Limits::hold_memory() const {
  if (!memory) return;
  const std::optional<double> now = memory_now();
  rlimit limit{};
  if (!now || getrlimit(RLIMIT_DATA, &limit) != 0)
    throw UsageError("--memory-limit: this system does not say how much memory a program takes");
  constexpr double most = 1e18;
  limit.rlim_cur = std::min({limit.rlim_cur, limit.rlim_max, rlim_t(std::min(*now + *memory, most))});
  if (setrlimit(RLIMIT_DATA, &limit) != 0)
    throw UsageError("--memory-limit: this system does not let a program limit its memory");
#ifdef __GLIBC__
  // Large blocks go back to the system as soon as they are free, so that one point of a sweep leaves nothing to the next.
  constexpr int large = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, large);
#endif
}

void Limits::hold_time(Study& study) const {
  if (time) study.analysis.patience.limit = time;
}

std::string memory_is_exhausted() {
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return fmt::format(
      "there is not enough memory{}; ask for less: fewer results (output.step), fewer channels or a shorter "
      "time{}",
      limited ? fmt::format(": the program may take {} in all", io::bytes_text(double(limit.rlim_cur))) : "",
      limited ? ", or raise --memory-limit" : "");
}
}  // namespace mubody::cli
