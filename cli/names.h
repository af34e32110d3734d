#pragma once
// Names of elements that shells propose.
#include <string>
#include <string_view>
#include <vector>

namespace mubody::cli {
/// The kinds in a category of 'mubody list', or in all categories if the name is empty.
std::vector<std::string> names_in(std::string_view category);
/// The categories and all kinds in them.
std::vector<std::string> categories_and_names();
}  // namespace mubody::cli
