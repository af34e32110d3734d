#pragma once
// The models that 'mubody new' copies.  The folder is the registry: every cli/templates/NAME.toml is one.
#include <span>
#include <string>
#include <string_view>

namespace mubody::cli {
struct Template {
  std::string_view name, text;

  /// The first sentence of the comment at its head.
  std::string sentence() const;
};

/// By name.
std::span<const Template> templates();
}  // namespace mubody::cli
