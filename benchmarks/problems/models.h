#pragma once
// The model files of the measured examples, as they were when the program was built.
#include <string_view>

namespace mubody::bench {
/// The text of examples/<name>/model.toml, or of problems/stiff/<name>.toml; empty if it is not among them.
std::string_view model_text(std::string_view name);
}  // namespace mubody::bench
