#pragma once
// Where the resources of an FMU lie.
#include <filesystem>
#include <string_view>

namespace mubody::fmu {
/// The folder of "file:///tmp/my%20unit/resources"; a plain path is taken as it is.  Throws ModelError.
std::filesystem::path folder_of_uri(std::string_view uri);
}  // namespace mubody::fmu
