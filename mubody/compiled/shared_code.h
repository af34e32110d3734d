#pragma once
// C that the program has written itself, compiled once and loaded: kept by its content, so that the same code is never compiled
// twice.
//
//   docs/performance.md
//
// It is kept in a folder that belongs to the user alone, $XDG_CACHE_HOME/mubody or ~/.cache/mubody; whatever lies there and is not
// his, or can be written by others, is neither used nor loaded.
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace mubody::io {
/// No compiler, no folder, or code that does not compile; the message says which.
struct NotCompiled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class SharedCode {
 public:
  /// Compiles the source, unless that was done before, and loads it.  Throws NotCompiled.
  explicit SharedCode(const std::string& source);

  /// A function of the code by its name.  Throws NotCompiled if there is none.
  template <class F> F* function(const std::string& name) const { return reinterpret_cast<F*>(find(name)); }
  /// Whether it had been compiled before.
  bool was_there() const { return was_there_; }
  /// How long the compiler took [s]; 0 if it was there.
  double seconds() const { return seconds_; }

 private:
  void* find(const std::string& name) const;

  std::shared_ptr<void> library_;
  bool was_there_ = false;
  double seconds_ = 0;
};

/// Compiles sources in C99 into one shared library for any machine of this kind, whose symbols are hidden unless they say
/// otherwise.  Throws NotCompiled.
void compile_library(const std::vector<std::filesystem::path>& sources, const std::filesystem::path& library);

/// The compiler that is found: $CC, cc, gcc or clang; empty if there is none.
std::string c_compiler();
}  // namespace mubody::io
