#pragma once
// What is asked of a model file besides its contents.
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace mubody::io {
/// Values that are changed, "key.of.a.value=value" as on the command line, and whether the file comes from a stranger.
struct Settings : std::vector<std::string> {
  Settings() = default;
  Settings(std::initializer_list<std::string> all) : vector(all) {}
  Settings(std::vector<std::string> all, bool from_stranger = false)
      : vector(std::move(all)), untrusted(from_stranger) {}

  /// The model and its data lie below its folder once links are resolved, and no message quotes what data files or a
  /// text that is no TOML contain.                                            docs/user/untrusted.md
  bool untrusted = false;
  /// FMUs under [controllers] may be loaded, which is to say that their code runs.
  bool allow_fmu = false;
  /// The file that states the changes, such as a summary of results; empty if the user gave them.
  std::string from;
};
}  // namespace mubody::io
