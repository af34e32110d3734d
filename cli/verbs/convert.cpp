// mubody convert: the same model in another format.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/verb.h"
#include "mubody/mubodyna/from_study.h"
#include "mubody/mubodyna/to_model.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"
#include "mubody/text/write_toml.h"

namespace mubody::cli {
struct ConvertOptions {
  std::string from, to, format;  // format: toml or mub; by the ending of `to` if empty
  io::Settings settings;
  Limits limits;
  bool force = false;

  void declare(Options& o) {
    o.argument({.name = "FROM",
                .proposes = Proposes::files,
                .meaning = "the model: a TOML or MUBODYNA file, or a folder with one"},
               from);
    o.argument(
        {.name = "TO", .proposes = Proposes::files, .meaning = "the file to write; replaced with --force only"},
        to);
    o.settings(settings, "analysis.treatment=standard");
    o.limits(limits);
    o.format(format, {"toml", "mub"}, "the format of TO, whatever its ending");
    o.force(force);
  }
};

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

int convert(const ConvertOptions& options) {
  namespace mub = io::mubodyna;
  const std::string format = format_of(options);
  const fs::path file = model_file(options.from);
  io::DataFiles data;
  Study study = io::read_study(file.string(), options.settings, &data);  // reports what is wrong with it
  options.limits.hold_time(study);
  io::CommandFiles files = files_of_model(file, data, options.settings);
  files.outputs.push_back({"the model in the other format", options.to});
  check_files(files);
  // A model may have been edited since it was converted, so that every file that is there is the user's.
  with_files([&] { io::check_target(options.to, {"mubody", nullptr}, {options.force}); });
  const std::string text = io::read_file(file, io::files::model);
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
  with_files([&] { io::write_file(options.to, converted, until_interrupted()); });
  return done;
}
}  // namespace

Verb convert_verb() {
  return Verb::of(
      convert,
      {.name = "convert",
       .shelf = Shelf::files,
       .sentence = "write a model in another format",
       .description =
           {R"(Reads the model FROM and writes it to the file TO: as TOML if it ends with .toml, as a
            MUBODYNA input file if it ends with .mub. Both give the same motion, to the last bit. Names of
            elements stand in comments of the MUBODYNA file, behind "!".)",
            R"(What MUBODYNA cannot say (spatial models, other joints, forces, functions of time, treatments
            or integrators) is an error that names it; nothing is written then.)"},
       .exits = {{done, "done"},
                 {failed, "a file that cannot be written, or an internal error"},
                 {wrong_input,
                  "wrong usage, the model is invalid, or the other format cannot say what it says"},
                 {solver_failed, "the limit of CPU time was reached"}},
       .examples = {"mubody convert leg.mub leg.toml",
                    "mubody convert four_bar.toml four_bar.mub --set analysis.integrator=rk4 \\\n"
                    "    --set analysis.step=1e-3 --set analysis.treatment=baumgarte --set output.step=1e-3"}});
}
}  // namespace mubody::cli
