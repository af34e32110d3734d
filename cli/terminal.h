#pragma once
// The terminal: its width and colours, Ctrl-C, and a progress bar.
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace mubody::cli {
/// The width of the terminal at stdout, or of a page if stdout is no terminal.
std::size_t line_width();

/// A path for stdout, on one line, whatever characters its name has.
std::string shown(const std::filesystem::path&);

/// Text for stdout, emphasised if that is a terminal with colours.
std::string bold(std::string_view);
std::string good(std::string_view);
std::string bad(std::string_view);

/// From now on there is something to keep, results or files that are being written.  The first Ctrl-C, or SIGTERM, asks to
/// stop, and a second one ends the program at once; the limit of time no longer ends it, for an analysis looks at the clock
/// by itself.  Until then a signal or the limit ends the program at once.
void begin_keeping();
/// The signal that asked to stop, SIGINT or SIGTERM; 0 if there was none.
int interrupt_signal();

/// Lets writes that fail, to a closed pipe or beyond a limit of the size of files, return an error in place of ending the
/// program, and keeps files from being taken for a standard stream that is closed.
void expect_failing_writes();
/// Flushes stdout, and remembers why that failed.
void flush_stdout();
void remember_trouble_of_stdout(const std::string& why);
/// Why something could not be written to stdout since the start; "" if all has been written.
std::string trouble_of_stdout();

class Stopwatch {
 public:
  double seconds() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// "130 ms", "1.25 s", "2 min 5 s", "3 h 12 min".
std::string duration(double seconds);

/// A bar on stderr that appears after one second.
class ProgressBar {
 public:
  /// Shows nothing if stderr is no terminal.
  explicit ProgressBar(bool wanted);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  /// Shows the share that is done; cheap enough to call in every step.
  void show(double share);

 private:
  bool wanted_, drawn_ = false;
  unsigned calls_ = 0;
  double next_ = 1;  // [s] since the start
  Stopwatch watch_;
};

/// What an analysis asks from time to time: shows how far it is, and says whether it shall go on.
///
/// With the first question the motion has begun, and there will be something to keep: interrupts are watched from then on,
/// and at the latest when the analysis is over.
class ShownProgress {
 public:
  explicit ShownProgress(bool wanted) : bar_(wanted) {}
  ShownProgress(const ShownProgress&) = delete;
  ShownProgress& operator=(const ShownProgress&) = delete;
  ~ShownProgress() { begin_keeping(); }

  bool operator()(double share) {
    begin_keeping();
    bar_.show(share);
    return interrupt_signal() == 0;
  }

 private:
  ProgressBar bar_;
};
}  // namespace mubody::cli
