#pragma once
// "did you mean ...?" for misspelt words.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mubody {
/// "; did you mean 'x'?" with the known word nearest to `word`, or "" when none is near.
std::string suggestion(std::string_view word, std::span<const std::string_view> known);
std::string suggestion(std::string_view word, const std::vector<std::string>& known);
}  // namespace mubody
