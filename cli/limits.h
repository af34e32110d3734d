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

  /// Keeps the program from taking more memory from now on.  Throws UsageError where the system cannot do that.
  void hold_memory() const;
  /// Gives the study its limit of time, in place of the one that the model has.
  void hold_time(Study&) const;
};

/// Throws ModelError, as a wrong value of analysis.limit does.
double limit_of_time(const std::string& text);
double limit_of_memory(const std::string& text);

/// What to say when there is not enough memory.
std::string memory_is_exhausted();
}  // namespace mubody::cli
