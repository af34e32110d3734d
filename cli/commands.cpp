#include "cli/commands.h"

namespace mubody::cli {
std::filesystem::path model_file(const std::string& model) {
  const std::filesystem::path path(model);
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return path;
  for (const char* name : {"model.toml", "model.mub"})
    if (std::filesystem::exists(path / name, ignored)) return path / name;
  throw ModelError(Place{model}, "this is a folder, and there is no model.toml in it");
}

std::string earlier_remains(const std::filesystem::path& place, bool ours) {
  return ours ? "; what is in '" + place.string() + "' is of an earlier run" : "";
}

std::string located(const std::filesystem::path& file, const std::string& message) {
  return message.starts_with(file.string()) ? message : file.string() + ": " + message;
}

std::string located(const std::filesystem::path& file, const Place& place, const std::string& message) {
  return place.file.empty() ? located(file, message) : text(place) + ": " + message;
}
}  // namespace mubody::cli
