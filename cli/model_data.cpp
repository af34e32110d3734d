#include "cli/model_data.h"

#include <fmt/format.h>

#include "mubody/text/text_file.h"

namespace mubody::cli {
namespace fs = std::filesystem;
namespace {
/// The name and content of a file; the name alone if it cannot be read, and so is no data of the model.
std::string content_of(const fs::path& file) {
  const std::string name = file.filename().string();
  try {
    return fmt::format("\n{}\n{}", name, io::read_file(file, io::files::data));
  } catch (const io::FileError&) {
    return "\n" + name;
  }
}
}  // namespace

std::string data_of(const std::string& model, const fs::path& folder, bool untrusted) {
  std::string all;
  std::error_code none;
  for (std::size_t from = model.find('"'); from != std::string::npos;) {
    const std::size_t to = model.find_first_of("\"\n", from + 1);
    if (to == std::string::npos) break;
    const fs::path file = folder / model.substr(from + 1, to - from - 1);
    if (model[to] == '"' && to > from + 1 && fs::is_regular_file(file, none) &&
        (!untrusted || io::lies_below(file, folder)))
      all += content_of(file);
    from = model.find('"', model[to] == '"' ? to + 1 : to);
  }
  return all;
}
}  // namespace mubody::cli
