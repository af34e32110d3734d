#pragma once
// Which messages are passed on to whoever has made an instance.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "mubody/fmi/log_categories.h"

namespace mubody::fmu {
enum class Severity { event, warning, discard, error };

/// Errors are always told, since nothing else says what is wrong.  Without logging, so are warnings and discarded steps; with it,
/// all that belongs to the chosen categories.
class Listening {
 public:
  Listening() : Listening(false) {}
  explicit Listening(bool on) { choose(on, 0, nullptr); }
  /// No names stand for all categories.  Returns whether all names are those of categories; if not, it will listen to warnings.
  bool choose(bool on, std::size_t n, const char* const* names) {
    const bool all = !on || n == 0;
    wanted_.fill(all);
    wanted_[std::size_t(Severity::event)] = on && all;
    bool known = true;
    for (std::size_t k = 0; on && k < n; ++k) known &= add(names[k]);
    wanted_[std::size_t(Severity::warning)] |= !known;
    wanted_[std::size_t(Severity::error)] = true;
    return known;
  }
  bool to(Severity s) const { return wanted_[std::size_t(s)]; }

 private:
  bool add(const char* name) {
    const auto* const at = std::ranges::find(io::log_categories, std::string_view(name ? name : ""));
    if (at == std::end(io::log_categories)) return false;
    wanted_[std::size_t(at - io::log_categories)] = true;
    return true;
  }
  std::array<bool, std::size(io::log_categories)> wanted_{};
};

inline const char* category(Severity s) { return io::log_categories[std::size_t(s)]; }
inline constexpr const char* not_all_categories =
    "some of the categories are not among those of the description";
}  // namespace mubody::fmu
