#pragma once
// What a run may take: CPU time and memory.                                                docs/user/limits.md
#include <optional>
#include <string>

namespace mubody {
struct Study;
}

namespace mubody::cli {
/// The options --limit and --memory-limit.
struct Limits {
  std::optional<double> time;    // [s]
  std::optional<double> memory;  // [bytes]

  /// Keeps the program from taking more memory from now on, and begins the time: the program ends as soon as it is over,
  /// unless the limit is lifted before.  Every verb that has limits begins with this.  Throws Hindrance where the system
  /// cannot do that.
  void begin() const;
  /// Begins the time anew, for the next step of a preparation whose steps have it each for itself.
  void renew_time() const;
  /// Gives the study its limit of time, in place of the one that the model has, which counts otherwise.
  void hold_time(Study&) const;

 private:
  void hold_memory() const;
};

/// From now on the program no longer ends at the limit of time by itself: an analysis looks at the clock, or the answer is
/// being written.
void lift_limit_of_time();

/// Throws UsageError.
double limit_of_time(const std::string& text);
double limit_of_memory(const std::string& text);

/// What to say when there is not enough memory.
std::string memory_is_exhausted();
/// What to say when the program cannot start another thread: our own limit of memory leaves no room, or the system refuses.
std::string no_more_threads();
}  // namespace mubody::cli
