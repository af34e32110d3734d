// mubody emit: the equations of motion of any model as C.
#include <iostream>

#include <fmt/format.h>

#include "cli/c_files.h"
#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/code/emit_model.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/write_file.h"

namespace mubody::cli {
struct EmitCommand {
  std::string model, out = ".", name, step, real = "double", target = "c", coordinates = "best";
  std::vector<std::string> inputs, outputs;
  int corrections = 2, steps = 100;
  io::Settings settings;  // key=value
  Limits limits;
  bool quiet = false, force = false;

  void declare(Options& o);
};

namespace {
namespace fs = std::filesystem;

EmitModelOptions wanted_of(const EmitCommand& options, const Study& study) {
  if (options.corrections < 0)
    throw UsageError(fmt::format("--corrections must not be negative, got {}", options.corrections));
  if (options.steps < 1) throw UsageError(fmt::format("--steps must be at least 1, got {}", options.steps));
  EmitModelOptions o;
  o.name = checked_c_name(options.name, study.mechanism.name);
  o.inputs = options.inputs;
  o.single = options.real == "float";
  o.cuda = options.target == "cuda";
  o.corrections = options.corrections;
  o.outputs = options.outputs;
  o.coordinates = options.coordinates == "body"    ? EmittedCoordinates::body
                  : options.coordinates == "joint" ? EmittedCoordinates::joint
                                                   : EmittedCoordinates::best;
  o.steps = options.steps;
  const AnalysisOptions& a = study.analysis;
  o.step = !options.step.empty() ? positive_option("--step", options.step, "s")
           : a.control.step      ? *a.control.step
                                 : std::min(1e-3, (a.end - a.start) / 1000);
  return o;
}

int emit(const EmitCommand& options) {
  const fs::path file = model_file(options.model), folder = options.out;
  io::DataFiles data;
  Study study = io::read_study(file.string(), options.settings, &data);
  options.limits.hold_time(study);
  const EmitModelOptions o = wanted_of(options, study);
  const std::vector<fs::path> targets = {folder / (o.name + ".h"), folder / (o.name + (o.cuda ? ".cu" : ".c"))};
  io::CommandFiles files = files_of_model(file, data, options.settings);
  files.together.push_back({"the C", targets});
  files.folders.push_back({"the folder of the C", folder});
  check_files(files);
  with_files([&] {
    for (const fs::path& target : targets) io::check_target(target, c_file, io::Replacing{options.force});
  });
  try {
    EmittedModel c = emit_model(study, o);
    const std::vector<io::FileText> texts = {{targets[0], std::move(c.header)},
                                             {targets[1], std::move(c.source)}};
    with_files([&] {
      const io::NewFolders made = make_folder_of(targets[0]);
      io::write_files(texts, until_interrupted());
    });
    if (!options.quiet) {
      fmt::print(
          "C in {0}: {1}.h and {1}.{5}, {2} precision, in {6} coordinates\n"
          "a right-hand side takes {3}\na step takes {4}\n",
          shown(folder / ""), o.name, o.single ? "single" : "double", in_words(c.rates), in_words(c.step),
          o.cuda ? "cu" : "c", c.jointed ? "joint" : "body");
      for (const std::string& note : c.notes) fmt::print("note: {}\n", note);
    }
    return done;
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}
}  // namespace

void EmitCommand::declare(Options& o) {
  o.model(model);
  o.settings(settings);
  o.add({.name = "--out",
         .letter = 'o',
         .value = "FOLDER",
         .proposes = Proposes::folders,
         .meaning = "where the .c and the .h go; here if not given"},
        out);
  o.add({.name = "--name",
         .value = "NAME",
         .meaning = "name of the C files and functions; that of the model if not given"},
        name);
  o.add(
      {.name = "--real", .choices = {"float", "double"}, .meaning = "type of the numbers; double if not given"},
      real);
  o.add({.name = "--target",
         .choices = {"c", "cuda"},
         .meaning =
             "c, or cuda: the same for graphics processors, one mechanism for each thread; c if not given"},
        target);
  o.add({.name = "--inputs",
         .value = "NAME,...",
         .list = true,
         .meaning =
             "signals and drivers that come from outside, as motor.moment, besides the inputs of the model"},
        inputs);
  o.add({.name = "--outputs",
         .value = "NAME,...",
         .list = true,
         .meaning =
             "channels of the results that are outputs, as rod.ax; [outputs] of the model, or else all, if not "
             "given"},
        outputs);
  o.add({.name = "--coordinates",
         .choices = {"best", "body", "joint"},
         .meaning = "those of the state; best, the ones with the fewest operations, if not given"},
        coordinates);
  o.add({.name = "--corrections",
         .value = "N",
         .meaning = "how often positions are put back onto the constraints after each step; 2 if not given"},
        corrections);
  o.add({.name = "--step",
         .value = "TIME",
         .meaning = "step of the self-test; that of the analysis if not given"},
        step);
  o.add({.name = "--steps", .value = "N", .meaning = "steps of the self-test; 100 if not given"}, steps);
  o.force(force);
  o.quiet(quiet, "no summary");
  o.limits(limits);
}

Verb emit_verb() {
  return Verb::of(
      emit,
      {.name = "emit",
       .shelf = Shelf::files,
       .sentence = "write the equations of motion of a model as C, for any model without contact",
       .description =
           {R"(One .c and one .h in C99 that need nothing but libm and take no memory but the stack: the equations of the
            full model as straight-line code, with common terms shared and structural zeros gone, a step of the
            classical Runge-Kutta method with a fixed number of corrections, [outputs] of the model or else all
            channels as outputs, and a self-test against a run of the library.)",
            R"(What changes its equations at instants that must be located, as contacts and friction that sticks do, is
            refused with the reason. For a mechanism with few freedoms 'mubody precompute' makes tables that are
            faster still.)"},
       .exits = {{done, "done"},
                 {failed, "a file that cannot be written, or an internal error"},
                 {wrong_input,
                  "wrong usage, the model is invalid, or has something that cannot be written as C"}},
       .examples = {"mubody emit four_bar.toml -o generated",
                    "cc -std=c99 -O2 -Dfour_bar_SELF_TEST_MAIN generated/four_bar.c -lm && ./a.out"}});
}
}  // namespace mubody::cli
