#pragma once
// The model files of examples that are measured, as they were when the program was built.
#include <string_view>

namespace mubody::bench {
/// The text of examples/<name>/model.toml; empty if it is none of those.
std::string_view model_text(std::string_view name);
}  // namespace mubody::bench
