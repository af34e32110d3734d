#pragma once
// C that the program has written itself, compiled once and loaded: kept by its content, so that the same code is never compiled
// twice.
//
//   docs/performance.md
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "mubody/compiled/kept.h"

namespace mubody::io {
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
