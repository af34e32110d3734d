// mubody precompute: from a model to tables for real time, and to C.
#include "mubody/precompute/precompute.h"

#include <cmath>
#include <csignal>
#include <iostream>

#include <fmt/format.h>

#include "cli/c_files.h"
#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/model/units.h"
#include "mubody/precompute/c/emit_loops.h"
#include "mubody/precompute/plan/variable.h"
#include "mubody/reading/precompute_section.h"
#include "mubody/reading/read_model.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/report/write_tables_report.h"
#include "mubody/text/bytes.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"
#include "mubody/writing/write_precomputed.h"
#include "mubody/writing/write_tabulated.h"

namespace mubody::cli {
struct PrecomputeOptions {
  std::string model, out, emit_c, name;  // emit_c: a folder; name: of the C files
  std::string tables, report;            // a CSV file; a page
  std::string bound, memory, tables_of;  // as the model says if empty
  std::string step, real = "double", format = "text";
  std::vector<std::string> independent, ranges;  // NAME; NAME=LOW:HIGH
  std::vector<std::string> design;               // parameters
  std::vector<std::string> inputs, outputs;      // of the C
  io::Settings settings;                         // key=value
  std::optional<int> order;
  Limits limits;
  bool quiet = false, force = false;

  void declare(Options& o);
  void declare_tables(Options& o);
  void declare_c(Options& o);
};

namespace {
namespace fs = std::filesystem;

// "A.angle=-90deg:90deg"
mubody::PrecomputeOptions::Range range_of(const std::string& text, const Mechanism& m) {
  const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || colon == std::string::npos)
    throw UsageError(
        fmt::format("--range takes NAME=LOW:HIGH, as in --range A.angle=-90deg:90deg; got '{}'", text));
  const std::string name = text.substr(0, equals);
  const Variable v = find_variable(m, name);
  const char* const unit = v.turn ? "rad" : "m";
  const double low = option_number("--range " + name, text.substr(equals + 1, colon - equals - 1), unit);
  const double high = option_number("--range " + name, text.substr(colon + 1), unit);
  if (!(low < high))
    throw UsageError(fmt::format("--range takes NAME=LOW:HIGH, with LOW below HIGH; got '{}'", text));
  return {v.name, low, high};
}

// The options of the model file, overridden by those of the command line.
mubody::PrecomputeOptions wanted(const PrecomputeOptions& options, const fs::path& file, const Mechanism& m) {
  mubody::PrecomputeOptions o = io::read_precompute_options(file.string(), options.settings);
  if (!options.independent.empty()) {
    o.independent = options.independent;
    o.ranges.clear();
  }
  if (!options.bound.empty()) o.bound = positive_option("--bound", options.bound, "1");
  if (o.bound && !(*o.bound < 1)) throw UsageError(fmt::format("--bound must be below 1, got {:g}", *o.bound));
  if (constexpr double least = mubody::PrecomputeOptions::least_bound; o.bound && !(*o.bound >= least))
    throw UsageError(
        fmt::format("--bound must be at least {:g}, where round-off begins, got {:g}", least, *o.bound));
  if (!options.memory.empty()) {
    const std::optional<double> bytes = io::bytes_of(options.memory);
    if (!bytes) throw UsageError(fmt::format("--memory takes a size, as in 100MB; got '{}'", options.memory));
    o.memory = *bytes;
  }
  if (const double most = 1e6 * double(io::files::tables.most_megabytes); o.memory > most)
    throw UsageError(
        fmt::format("--memory, or 'memory' in [precompute], is {}; a precomputed model has at most {}",
                    io::bytes_text(o.memory), io::bytes_text(most)));
  o.design = options.design;
  if (!options.tables_of.empty()) {
    const auto& words = o.tables_of.words;
    const auto at = std::ranges::find(words, options.tables_of);
    if (at == words.end())
      throw UsageError(fmt::format("--tables-of takes auto, whole or loops; got '{}'", options.tables_of));
    o.tables_of.index = int(at - words.begin());
  }
  // Curves and surfaces are of whole mechanisms.
  const char* const whole = !options.tables.empty()   ? "--tables"
                            : !options.report.empty() ? "--report"
                                                      : nullptr;
  if (whole && o.tables_of.index == mubody::PrecomputeOptions::loops)
    throw UsageError(
        fmt::format("{} is for tables of the whole mechanism, not of its loops; leave it out", whole));
  if (whole) o.tables_of.index = mubody::PrecomputeOptions::whole;
  if (options.order) {
    o.degree = *options.order;
    if (o.degree != 3 && o.degree != 5 && o.degree != 7 && o.degree != 9)
      throw UsageError(fmt::format("--order must be 3, 5, 7 or 9, got {}", o.degree));
  }
  for (const std::string& text : options.ranges) {
    const auto range = range_of(text, m);
    std::erase_if(o.ranges, [&](const auto& r) { return r.variable == range.variable; });
    o.ranges.push_back(range);
  }
  return o;
}

// Only a file of the same kind is replaced.
void check_tables(const fs::path& file, const io::Replacing& how) {
  with_files([&] { io::check_target(file, {"mubody", [](std::string_view) { return true; }}, how); });
  std::error_code none;
  if (!how.force && fs::is_regular_file(file, none) && !fs::is_empty(file, none) &&
      !io::is_real_time_file(file))
    throw Hindrance(fmt::format(
        "'{}' is there and is no precomputed model; choose another name, or replace it with --force",
        file.string()));
}

fs::path default_target(const fs::path& model) {
  fs::path file = model;
  return file.replace_extension(".rt");
}

constexpr io::OwnKind tabulated_file{"'mubody precompute'", [](std::string_view beginning) {
                                       return beginning.starts_with(io::tabulated_csv_start);
                                     }};

std::string name_in_c(const Study& study, const PrecomputeOptions& options) {
  return checked_c_name(options.name, study.mechanism.name);
}

std::vector<fs::path> c_targets(const Study& study, const PrecomputeOptions& options) {
  if (options.emit_c.empty()) return {};
  const fs::path stem = fs::path(options.emit_c) / name_in_c(study, options);
  return {stem.string() + ".h", stem.string() + ".c"};
}

// Checks what can be checked before tables are made.
void check_c(const Study& study, const PrecomputeOptions& options, const io::Replacing& how) {
  if (options.emit_c.empty()) return;
  check_for_c(!options.design.empty());
  with_files([&] {
    for (const fs::path& file : c_targets(study, options)) io::check_target(file, c_file, how);
  });
}

/// The header and the source.
std::vector<io::FileText> c_files(const Precomputed& made, const Study& study,
                                  const PrecomputeOptions& options) {
  EmitOptions o;
  o.name = name_in_c(study, options);
  o.single = options.real == "float";
  const AnalysisOptions& a = study.analysis;
  o.step = !options.step.empty() ? positive_option("--step", options.step, "s")
           : a.control.step      ? *a.control.step
                                 : std::min(1e-3, (a.end - a.start) / 1000);
  o.inputs = options.inputs, o.outputs = options.outputs;
  EmittedC c;
  if (made.model.loops_as_joints) {
    EmittedModel emitted = emit_loops(made.model, study, o);
    c = {std::move(emitted.header), std::move(emitted.source)};
  } else {
    if (!o.inputs.empty() || !o.outputs.empty())
      throw UsageError(
          "--inputs and --outputs are for C with loops as joints, and these tables are of the whole mechanism: "
          "leave "
          "them out, or give --tables-of loops");
    c = emit_c(made.model, study.mechanism, o);
  }
  const fs::path folder(options.emit_c);
  return {{folder / (o.name + ".h"), std::move(c.header)}, {folder / (o.name + ".c"), std::move(c.source)}};
}

/// Writes the tables and the C; none of the files appears before all are complete.
void write_precomputed(const Precomputed& made, const Study& study, const PrecomputeOptions& options,
                       const fs::path& target, double seconds) {
  std::vector<io::FileText> files;
  if (!options.emit_c.empty()) files = c_files(made, study, options);
  if (!target.empty()) files.push_back({target, io::real_time_bytes(made.model, target)});
  if (!options.tables.empty()) files.push_back({options.tables, io::tabulated_csv(made)});
  if (!options.report.empty()) files.push_back({options.report, io::tables_html(made, study.mechanism)});
  with_files([&] {
    const io::GoesOn goes_on = until_interrupted();
    io::NewFolders folder;
    if (!options.emit_c.empty()) folder = make_folder_of(files.front().file);
    io::write_files(files, goes_on);
  });
  if (options.quiet || options.format != "text") return;
  if (!target.empty())
    fmt::print("written to {} after {}; 'mubody run {}' runs it\n", shown(target), duration(seconds),
               shown(target));
  if (!options.report.empty()) fmt::print("report in {}\n", shown(options.report));
  if (!options.emit_c.empty())
    fmt::print("C in {0}: {1}.h and {1}.c, {2} precision\n", shown(fs::path(options.emit_c) / ""),
               name_in_c(study, options), options.real == "float" ? "single" : "double");
}

int precompute(const PrecomputeOptions& options) {
  const Stopwatch watch;
  if (options.emit_c.empty() && !(options.inputs.empty() && options.outputs.empty()))
    throw UsageError("--inputs and --outputs are those of the C: they go with --emit-c");
  const fs::path file = model_file(options.model);
  io::DataFiles data;
  Study study = io::read_study(file.string(), options.settings, &data);
  options.limits.hold_time(study);
  const fs::path target = !options.out.empty()     ? fs::path(options.out)
                          : options.emit_c.empty() ? default_target(file)
                                                   : fs::path();
  io::CommandFiles files = files_of_model(file, data, options.settings);
  if (!target.empty()) files.outputs.push_back({"the tables", target});
  if (!options.tables.empty()) files.outputs.push_back({"--tables", options.tables});
  if (!options.report.empty()) files.outputs.push_back({"--report", options.report});
  files.together.push_back({"the C", c_targets(study, options)});
  if (!options.emit_c.empty()) files.folders.push_back({"the folder of the C", options.emit_c});
  check_files(files);
  const io::Replacing how{options.force};
  if (!target.empty()) check_tables(target, how);
  if (!options.tables.empty()) with_files([&] { io::check_target(options.tables, tabulated_file, how); });
  if (!options.report.empty()) check_report(options.report, how);
  try {
    check_c(study, options, how);
    const mubody::PrecomputeOptions o = wanted(options, file, study.mechanism);
    ShownProgress progress(!options.quiet);
    constexpr double worth_mentioning = 1e6;  // [bytes]
    const auto mention = [&](const std::string& what, double bytes) {
      if (!options.quiet && bytes > worth_mentioning)
        note(fmt::format("table of {}: takes {} of the {} allowed\n", what, io::bytes_text(bytes),
                         io::bytes_text(o.memory)));
    };
    Precomputed made = mubody::precompute(study, o, std::ref(progress), mention);
    if (!made.outcome) {
      complain(located(file, made.outcome.place,
                       made.outcome.why + earlier_remains(target, io::is_real_time_file(target))));
      if (made.outcome.kind == Outcome::not_assembled) return not_assembled;
      if (made.outcome.kind == Outcome::out_of_time) return solver_failed;
      return interrupt_signal() == SIGTERM ? terminated : interrupted;
    }
    made.model.file = file.string();  // data files are looked for beside it
    made.model.text = io::read_file(file, io::files::model);
    made.model.settings = options.settings;
    made.model.summary = io::precomputed_text(made);
    if (options.format == "json")
      std::cout << io::precomputed_json(made);
    else if (!options.quiet)
      std::cout << made.model.summary;
    flush_stdout();
    write_precomputed(made, study, options, target, watch.seconds());
    return done;
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}
}  // namespace

void PrecomputeOptions::declare(Options& o) {
  o.model(model);
  o.settings(settings);
  o.add({.name = "--out",
         .letter = 'o',
         .value = "FILE",
         .proposes = Proposes::files,
         .meaning = "the file; MODEL with the extension .rt if not given and no C is asked for"},
        out);
  o.format(format, {"text", "json"},
           "for people, or for programs; an invalid model is then {\"error\": \"...\"}");
  o.force(force);
  o.quiet(quiet, "no summary and no progress");
  o.limits(limits);
  declare_tables(o);
  declare_c(o);
}

void PrecomputeOptions::declare_tables(Options& o) {
  o.group("Tables");
  o.add({.name = "--bound",
         .value = "B",
         .meaning = "largest error of any tabulated quantity, in SI units; if nothing is said, 1e-8 of its "
                    "characteristic size, or of its largest value if that is more"},
        bound);
  o.add({.name = "--tables-of",
         .choices = {"auto", "whole", "loops"},
         .meaning =
             "the whole mechanism, or its loops as joints; auto, if nothing is said: as suits the mechanism"},
        tables_of);
  o.add({.name = "--memory",
         .value = "SIZE",
         .meaning = R"(what all tables may take, as in 20MB; 100MB if nothing is said. It is reported before
            it is taken)"},
        memory);
  o.add({.name = "--independent",
         .value = "NAME,...",
         .list = true,
         .meaning =
             R"(the independent variables, as many as there are freedoms: A.angle, guide.slide, slider.x)"},
        independent);
  o.add(
      {.name = "--range",
       .value = "NAME=LOW:HIGH",
       .meaning = "range of a variable, which becomes independent, as in --range A.angle=-90deg:90deg; may be "
                  "repeated"},
      ranges);
  o.add({.name = "--design",
         .value = "NAME,...",
         .list = true,
         .meaning = "parameters whose changes the tables foresee, to first order"},
        design);
  o.add({.name = "--order",
         .value = "N",
         .known =
             [] {
               return std::vector<std::string>{"3", "5", "7", "9"};
             },
         .meaning = "degree of the polynomials: 3, 5, 7 or 9; as the bound asks for if not given"},
        order);
  o.add({.name = "--tables",
         .value = "FILE",
         .proposes = Proposes::files,
         .meaning =
             "also a CSV file with all tabulated quantities on a net over the ranges, for curves and surfaces"},
        tables);
  o.add({.name = "--report",
         .value = "FILE",
         .proposes = Proposes::files,
         .meaning = "also a page with curves and surfaces of all tabulated quantities and of joints"},
        report);
}

void PrecomputeOptions::declare_c(Options& o) {
  o.group("C");
  o.add({.name = "--emit-c",
         .value = "FOLDER",
         .proposes = Proposes::folders,
         .meaning = "also, or only, one .c and one .h in C99 that need nothing but libm"},
        emit_c);
  o.add({.name = "--name",
         .value = "NAME",
         .with = "--emit-c",
         .meaning = "name of the C files and functions; that of the model if not given"},
        name);
  o.add({.name = "--step",
         .value = "TIME",
         .with = "--emit-c",
         .meaning = "step of the self-test in C; that of the analysis if not given"},
        step);
  o.add({.name = "--real",
         .choices = {"float", "double"},
         .with = "--emit-c",
         .meaning = "type of the numbers in C; double if not given"},
        real);
  o.add({.name = "--inputs",
         .value = "NAME,...",
         .list = true,
         .meaning = "where loops are joints: signals and drivers that come from outside, besides the inputs of "
                    "the model"},
        inputs);
  o.add({.name = "--outputs",
         .value = "NAME,...",
         .list = true,
         .meaning = "where loops are joints: channels that are outputs; [outputs] of the model, or else all, "
                    "if not given"},
        outputs);
}

Verb precompute_verb() {
  return Verb::of(
      precompute,
      {.name = "precompute",
       .shelf = Shelf::files,
       .sentence = "turn a mechanism into tables for real time, with an error bound, and into C",
       .description =
           {R"(A closed-loop mechanism with few freedoms becomes J(q) q'' = Q(q, q', t) in as many
            independent variables: angles or slides of its joints. Positions of all bodies, velocity
            coefficients, generalized inertia and all forces that depend on the position only are
            polynomials in tables; other forces (of time, of velocities by formula, tyres, contacts, springs
            with corners or that are wound up) are applied at run time, and drivers followed. 'mubody run
            FILE.rt' then runs it without iteration: same results, same files.)",
            R"(Every table is compared with the exact mechanism at points between its own, in every cell,
            and refined until the largest difference, times a margin of 2, is below the bound. What was
            found is reported and kept in the file.)",
            R"(The variable is chosen so that it serves for the whole motion; where none does, the motion is
            divided into regions with variables of their own. Ranges reach to dead points, or all the way
            round, unless they are given. What is wanted may also stand in the model file, in its section
            [precompute]; options take its place.)",
            R"(Joints with 'compliance' give way: their deflections are variables beside the independent
            ones, and everything is a series in them; a run reports what the series leaves out. Design
            variables are parameters of the model that may still change a little at run time: mubody run
            FILE.rt --set parameters.NAME=VALUE.)"},
       .exits = {{done, "done"},
                 {failed, "a file that cannot be written, or an internal error"},
                 {wrong_input,
                  "wrong usage, the model is invalid, or cannot be precomputed as asked; the message says what "
                  "to change"},
                 {not_assembled, "the mechanism cannot be assembled"},
                 {solver_failed, "the limit of CPU time was reached; nothing is written"}},
       .examples = {"mubody precompute four_bar.toml -o four_bar.rt --bound 1e-10",
                    "mubody run four_bar.rt --report", "mubody precompute suspension.toml --report tables.html",
                    "mubody precompute suspension.toml --range inner.angle=-30deg:30deg --memory 5MB",
                    "mubody precompute four_bar.toml --emit-c generated --real float",
                    "cc -std=c99 -Dfour_bar_SELF_TEST_MAIN generated/four_bar.c -lm && ./a.out"}});
}
}  // namespace mubody::cli
