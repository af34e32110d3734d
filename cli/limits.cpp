#include "cli/limits.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <sys/time.h>

#include "cli/exit.h"
#include "mubody/model/units.h"
#include "mubody/study/options.h"
#include "mubody/text/bytes.h"
#include "mubody/text/node.h"

namespace mubody::cli {
namespace {
// A program that may take less can neither read a model nor start threads.
constexpr double least_memory = 32e6;  // [bytes]
bool memory_is_limited = false;        // by us, and not by the system

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
    throw UsageError(
        fmt::format("--limit takes a time, as in 10 or \"2 min\"; got {}: {}", io::in_quotes(text), e.what()));
  }
  if (x > 0 && std::isfinite(x)) return x;
  throw UsageError(
      fmt::format("--limit must be a positive time, as in 10 or \"2 min\"; got {}", io::in_quotes(text)));
}

double limit_of_memory(const std::string& text) {
  const std::optional<double> bytes = io::bytes_of(text);
  if (!bytes)
    throw UsageError(
        fmt::format("--memory-limit takes a size, as in 500MB or 2GB; got {}", io::in_quotes(text)));
  if (*bytes < least_memory)
    throw UsageError(
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
    throw Hindrance("--memory-limit: this system does not say how much memory a program takes");
  constexpr double most = 1e18;
  limit.rlim_cur = std::min({limit.rlim_cur, limit.rlim_max, rlim_t(std::min(*now + *memory, most))});
  if (setrlimit(RLIMIT_DATA, &limit) != 0)
    throw Hindrance("--memory-limit: this system does not let a program limit its memory");
  memory_is_limited = true;
#ifdef __GLIBC__
  // Large blocks go back to the system as soon as they are free, so that one point of a sweep leaves nothing to the next.
  constexpr int large = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, large);
#endif
}

namespace {
// What the program says when the time is over; a handler of a signal cannot put words together.
// It has no owner that could be gone when the handler looks.
constexpr std::size_t longest_message = 200;
char time_is_over[longest_message];
std::size_t time_is_over_size = 0;
bool is_lifted = false;

extern "C" void end_at_limit(int) {
  // Nobody is left to tell if this fails.
  if (::write(STDERR_FILENO, time_is_over, time_is_over_size) < 0) _exit(solver_failed);
  _exit(solver_failed);
}

// Analyses look at the clock themselves and end with what they have.  Where they cannot look, in one large elimination or
// while a file is read, there is nothing to keep, and the program ends a little later.
void end_program_after(double limit) {
  if (is_lifted) return;
  constexpr double longer = 1.1, at_least = 0.1, most = 1e8;  // [s]
  const auto message = fmt::format_to_n(
      time_is_over, longest_message,
      "mubody: the limit of {:.6g} s of CPU time was reached before there was an answer; raise it with --limit "
      "or analysis.limit, or ask for less\n",
      limit);
  time_is_over_size = std::min(message.size, longest_message);
  std::signal(SIGPROF, end_at_limit);
  const double seconds = std::min(longer * limit + at_least, most), whole = std::floor(seconds);
  const itimerval timer{{}, {time_t(whole), suseconds_t(1e6 * (seconds - whole))}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}
}  // namespace

void lift_limit_of_time() {
  is_lifted = true;
  const itimerval never{};
  setitimer(ITIMER_PROF, &never, nullptr);
}

void Limits::begin() const {
  hold_memory();
  renew_time();
}

void Limits::renew_time() const {
  if (time) end_program_after(*time);
}

void Limits::hold_time(Study& study) const {
  std::optional<double>& limit = study.analysis.patience.limit;
  if (time)
    limit = time;
  else if (limit)
    end_program_after(*limit);
}

std::string no_more_threads() {
  return memory_is_limited ? "--memory-limit leaves no room for the stack of another thread; raise it"
                           : "the system does not let this user start another thread; end other programs first";
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
