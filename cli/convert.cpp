// mubody convert: the same model in another format.
#include <fmt/format.h>

#include "cli/commands.h"
#include "mubody/mubodyna/from_study.h"
#include "mubody/mubodyna/to_model.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_table.h"
#include "mubody/text/write_toml.h"

namespace mubody::cli {
namespace {
namespace fs = std::filesystem;

std::string format_of(const ConvertOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string ending = fs::path(options.to).extension().string();
  if (ending == ".toml" || ending == ".mub") return ending.substr(1);
  throw UsageError(
      fmt::format("which format shall '{}' have? Give it the ending .toml or .mub, or say --format toml or mub",
                  options.to));
}
}  // namespace

int convert(const ConvertOptions& options) {
  namespace mub = io::mubodyna;
  constexpr std::size_t most_megabytes = 16;
  const std::string format = format_of(options);
  const fs::path file = model_file(options.from);
  std::error_code ignored;
  if (fs::equivalent(file, options.to, ignored))
    throw UsageError(fmt::format("'{}' would be written over itself", options.to));
  const Study study = io::read_study(file.string(), options.settings);  // what is wrong with it is said here
  const std::string text = io::read_text_file(file.string(), most_megabytes, "a model file");
  const bool is_mub = mub::is_mubodyna(text, file.string());

  std::string converted;
  if (format == "mub") {
    try {
      converted = mub::text_of(mub::file_of(study));
    } catch (const ModelError& e) {
      throw ModelError(located(file, e.what()));
    }
  } else if (is_mub) {
    io::Node model = mub::model_of(mub::read_file(text, file.string()));
    for (const std::string& setting : options.settings) io::apply_override(model, setting);
    converted = io::toml_text(model);
  } else {
    throw UsageError(fmt::format("'{}' is a TOML file already", options.from));
  }
  try {
    io::write_text(converted, options.to);
  } catch (const std::runtime_error& e) {
    throw UsageError(e.what());
  }
  return done;
}
}  // namespace mubody::cli
