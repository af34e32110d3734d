#include "cli/terminal.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/ioctl.h>

#include "cli/exit.h"
#include "cli/limits.h"
#include "mubody/model/escape.h"

namespace mubody::cli {
namespace {
constexpr std::size_t page = 112, narrowest = 60;
constexpr int bar_width = 30;
constexpr double redraw_every = 0.1;  // [s]

// Threads of a sweep read it while a handler writes it.
std::atomic<int> stop_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);
std::string stdout_trouble;  // the first reason why stdout could not be written

extern "C" void note_interrupt(int number) {
  const int error = errno;  // of what was interrupted
  stop_signal = number;
  std::signal(number, SIG_DFL);
  errno = error;
}

bool colours() {
  static const bool wanted = [] {
    const char *no = std::getenv("NO_COLOR"), *term = std::getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no && *no) && term && std::string_view(term) != "dumb";
  }();
  return wanted;
}

std::string dressed(std::string_view text, const char* code) {
  const std::string shown = for_terminal_lines(text);
  return colours() ? fmt::format("\033[{}m{}\033[0m", code, shown) : shown;
}
}  // namespace

std::size_t line_width() {
  winsize size{};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return page;
  return std::max<std::size_t>(size.ws_col, narrowest);
}

std::string shown(const std::filesystem::path& path) { return for_terminal(path.string()); }

std::string bold(std::string_view text) { return dressed(text, "1"); }
std::string good(std::string_view text) { return dressed(text, "32"); }
std::string bad(std::string_view text) { return dressed(text, "31"); }

void begin_keeping() {
  static bool keeping = false;
  if (keeping) return;
  keeping = true;
  lift_limit_of_time();
  // A program in the background may inherit that Ctrl-C is ignored.
  for (const int number : {SIGINT, SIGTERM})
    if (std::signal(number, note_interrupt) == SIG_IGN) std::signal(number, SIG_IGN);
}
int interrupt_signal() { return stop_signal; }

void expect_failing_writes() {
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
  // The next file that is opened would get the number of a closed stream and with it what is printed.  A stream that is
  // open the wrong way round still fails when it is used.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
}

void remember_trouble_of_stdout(const std::string& why) {
  if (stdout_trouble.empty()) stdout_trouble = why;
}

void flush_stdout() {
  if (std::fflush(stdout) != 0) remember_trouble_of_stdout(std::generic_category().message(errno));
}

std::string trouble_of_stdout() {
  flush_stdout();
  if (std::ferror(stdout) != 0 || !std::cout) remember_trouble_of_stdout("a part of it is lost");
  return stdout_trouble;
}

double Stopwatch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string duration(double seconds) {
  if (seconds < 1) return fmt::format("{:.0f} ms", 1e3 * seconds);
  if (seconds < 60) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 2 : 0);
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

ProgressBar::ProgressBar(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO)) {}

ProgressBar::~ProgressBar() {
  if (drawn_) note("\r\033[K");
}

void ProgressBar::show(double share) {
  if (!wanted_ || (++calls_ & 15) != 0) return;  // reading the clock every time would be slow
  const double now = watch_.seconds();
  if (now < next_) return;
  next_ = now + redraw_every;
  drawn_ = true;
  share = std::clamp(share, 0.0, 1.0);
  const int filled = static_cast<int>(share * bar_width);
  const double to_go = std::ceil(now * (1 - share) / share);
  const std::string left =
      share <= 0 ? "" : (to_go < 60 ? fmt::format("{:.0f} s", to_go) : duration(to_go)) + " to go";
  note(fmt::format("\r[{:#>{}}{:.>{}}] {:3.0f} %  {}\033[K", "", filled, "", bar_width - filled, 100 * share,
                   left));
}
}  // namespace mubody::cli
