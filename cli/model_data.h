#pragma once
// The data that a model reads besides its own file.
#include <filesystem>
#include <string>

namespace mubody::cli {
/// The names and contents of the files that the text of a model quotes, for data may change as well; of a stranger's model
/// only those below its folder.
std::string data_of(const std::string& model, const std::filesystem::path& folder, bool untrusted);
}  // namespace mubody::cli
