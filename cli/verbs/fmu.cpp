// mubody fmu: a model as a functional mock-up unit, for other programs.
#include <csignal>
#include <set>

#include <fmt/format.h>

#include "cli/c_files.h"
#include "cli/commands.h"
#include "cli/elements.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/fmi/check_fmu.h"
#include "mubody/fmi/export_fmu.h"
#include "mubody/fmus/variable_names.h"
#include "mubody/model/escape.h"
#include "mubody/model/shown_units.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"
#include "mubody/writing/write_results.h"

namespace mubody::cli {
struct FmuCommand {
  std::string model, out, name, version = "2.0", kind = "cs", engine = "full";
  std::vector<std::string> inputs, outputs;
  io::Settings settings;  // key=value
  bool check = false, no_run = false, no_report = false;
  std::string input, stop, step;  // of the run of a check; those of the FMU if empty
  Limits limits;
  bool quiet = false, force = false;

  void declare(Options& o);
};

namespace {
namespace fs = std::filesystem;

std::string library_text() {
  const fs::path library = io::fmu_library();
  if (library.empty())
    throw Hindrance(
        "the library that goes into FMUs, mubody_fmu.so, is not beside this program: build its target "
        "mubody_fmu, which needs a system with ELF files such as Linux");
  try {
    return io::read_file(library, {"the library of FMUs", 256, false});
  } catch (const io::FileError& e) {
    throw Hindrance(fmt::format("{}: {}", library.string(), e.what()));
  }
}

void print_variables(const io::FmuContents& c) {
  std::size_t parameters = 0, inputs = 0, outputs = 0;
  for (const io::FmuScalar& v : c.variables)
    ++(v.kind == io::FmuVariable::parameter ? parameters
       : v.kind == io::FmuVariable::output  ? outputs
                                            : inputs);
  fmt::print("{}, {}, {}\n", counted(parameters, "parameter", "parameters"), counted(inputs, "input", "inputs"),
             counted(outputs, "output", "outputs"));
}

// Inputs of a run: a time and columns by name, with units if they have any.
io::FmuInputs read_inputs(const std::string& file) {
  io::FmuInputs inputs;
  if (file.empty()) return inputs;
  try {
    const io::ColumnFile columns(file, file, io::Quotes::shown);
    columns.expect_names();
    inputs.names = columns.names();
    for (std::size_t k = 0; k < inputs.names.size(); ++k)
      inputs.columns.push_back(columns.column(k, k == 0 ? "s" : in_si(columns.units()[k]).unit));
    columns.expect_times(inputs.columns.front());
  } catch (const io::FileError& e) {
    throw ModelError(e.what());
  }
  inputs.times = std::move(inputs.columns.front());
  inputs.columns.erase(inputs.columns.begin());
  inputs.names.erase(inputs.names.begin());
  return inputs;
}

// Names as the model has them, so that the run can be compared with one of the model; those of the FMU if some would be alike.
std::vector<std::string> names_of_outputs(const Table& outputs) {
  std::vector<std::string> names, plain;
  for (Column c : outputs.columns) names.push_back(c.name), plain.push_back(io::plain_name(c.name));
  const std::set<std::string> apart(plain.begin(), plain.end());
  return apart.size() == plain.size() ? plain : names;
}

void write_run(const io::FmuFindings& found, const fs::path& folder, bool force) {
  Results r;
  r.model = found.description.model;
  r.analysis = "forward";
  r.verdict = "computed by an FMU, which does not say how well";
  Table outputs = *found.outputs;
  outputs.columns = {};
  const std::vector<std::string> names = names_of_outputs(*found.outputs);
  for (Column c : found.outputs->columns) {
    std::ranges::replace(c.unit, '.', ' ');  // products, which FMI writes with points
    c.name = names[outputs.columns.size()];
    outputs.columns.push_back(c);
  }
  r.tables.push_back(std::move(outputs));
  with_files([&] { io::write_results(r, folder, {}, {"", {force}, until_interrupted(), {}}); });
}

int look_at_fmu(const FmuCommand& options) {
  io::FmuCheckOptions asked;
  asked.run = !options.no_run;
  if (!options.stop.empty()) asked.stop = option_number("--stop", options.stop, "s");
  if (!options.step.empty()) asked.step = positive_option("--step", options.step, "s");
  asked.inputs = read_inputs(options.input);
  asked.values = options.settings;
  if (options.limits.time) asked.patience = *options.limits.time;
  asked.memory = options.limits.memory;
  begin_keeping();  // the archive is unpacked to a folder that must be removed again
  asked.goes_on = [] { return interrupt_signal() == 0; };
  const fs::path file = options.model;
  if (std::error_code none; fs::is_directory(file, none))
    throw ModelError(fmt::format("{}: this is a folder; --check takes an FMU, a file", file.string()));
  io::FmuFindings found;
  try {
    found = io::check_fmu(file, asked);
  } catch (const io::FileError& e) {
    throw ModelError(fmt::format("{}: {}", file.string(), e.what()));
  }
  const io::FmuDescription& d = found.description;
  if (!options.quiet && d.version != 0)
    fmt::print("{}: FMI {}.0, {}, {}\n", for_terminal(d.model), d.version,
               d.cosimulation ? "co-simulation"
               : d.exchange   ? "model exchange"
                              : "scheduled execution",
               counted(d.variables.size(), "variable", "variables"));
  for (const std::string& note : found.notes) fmt::print("note: {}\n", for_terminal(note));
  for (const std::string& line : found.complaints) fmt::print("{}: {}\n", shown(file), for_terminal(line));
  if (!found.complaints.empty() || !found.notes.empty())
    for (const std::string& line : found.messages) fmt::print("the FMU says: {}\n", for_terminal(line));
  if (found.outputs && found.outputs->rows() > 0 && !options.out.empty()) {
    write_run(found, options.out, options.force);
    if (!options.quiet)
      fmt::print("{} in {}\n", counted(found.outputs->rows(), "row", "rows"), shown(options.out));
  }
  if (interrupt_signal() != 0) return interrupt_signal() == SIGTERM ? terminated : interrupted;
  if (!found.complaints.empty()) {
    complain(fmt::format("{}: {}", file.string(),
                         counted(found.complaints.size(), "rule is broken", "rules are broken")));
    return wrong_input;
  }
  if (!options.quiet) fmt::print("nothing to object to\n");
  return done;
}

int make_fmu(const FmuCommand& options) {
  if (options.check) return look_at_fmu(options);
  const fs::path file = model_file(options.model);
  if (options.engine == "tables" && !io::is_real_time_file(file))
    throw UsageError(fmt::format("--engine tables takes a precomputed model: 'mubody precompute {}' makes one",
                                 options.model));
  io::FmuExport wanted{file,
                       options.settings,
                       {options.name, options.inputs, options.outputs,
                        options.kind == "me"     ? io::FmuKind::exchange
                        : options.kind == "both" ? io::FmuKind::both
                                                 : io::FmuKind::cosimulation},
                       options.version == "3.0" ? io::FmiVersion::v3 : io::FmiVersion::v2,
                       options.engine == "compiled" ? "" : library_text(),
                       options.engine == "compiled",
                       !options.no_report,
                       {}};
  if (!options.name.empty()) checked_c_name(options.name, options.name);
  io::DataFiles data;
  io::FmuArchive made;
  try {
    ShownProgress progress(!options.quiet);
    wanted.progress = std::ref(progress);
    made = io::export_fmu(wanted, &data);
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
  if (interrupt_signal() != 0) return interrupt_signal() == SIGTERM ? terminated : interrupted;
  const fs::path target =
      options.out.empty() ? fs::path(made.contents.identifier + ".fmu") : fs::path(options.out);
  io::CommandFiles files = files_of_model(file, data, options.settings);
  files.outputs.push_back({"the FMU", target});
  check_files(files);
  with_files([&] {
    io::check_target(target, io::fmu_kind, io::Replacing{options.force});
    const io::NewFolders above = make_folder_of(target);
    io::write_file(target, made.bytes, until_interrupted());
  });
  if (options.quiet) return done;
  fmt::print("FMU in {}: FMI {} for {}, {:.1f} MB, token {}\n", shown(target), options.version,
             options.kind == "me"   ? "model exchange"
             : options.kind == "cs" ? "co-simulation"
                                    : "co-simulation and model exchange",
             double(made.bytes.size()) / 1e6, made.token);
  print_variables(made.contents);
  if (made.fixed > 0)
    fmt::print(
        "note: generated code has the numbers of [parameters] in it; only integration_step can be set\n");
  for (const std::string& note : made.notes) fmt::print("note: {}\n", note);
  return done;
}
}  // namespace

void FmuCommand::declare(Options& o) {
  o.model(model);
  o.add({.name = "--out",
         .letter = 'o',
         .value = "FILE",
         .proposes = Proposes::files,
         .meaning = "where the FMU goes; the name of the model with the extension .fmu, here, if not given"},
        out);
  o.settings(settings);
  o.add({.name = "--version",
         .choices = {"2.0", "3.0"},
         .meaning = "of FMI; 2.0, which most programs read, if not given"},
        version);
  o.add({.name = "--kind",
         .choices = {"cs", "me", "both"},
         .meaning = "cs, co-simulation, with steps of its own; me, model exchange, whose steps the importing "
                    "program makes; cs "
                    "if not given"},
        kind);
  o.add({.name = "--engine",
         .choices = {"full", "compiled", "tables"},
         .meaning = "full, the solver of mubody; compiled, generated C as of 'mubody emit', as a library and "
                    "as sources, small and "
                    "fast, for models that change nothing at instants that must be located; "
                    "tables, for MODEL a file of "
                    "'mubody precompute', which full takes too; full if not given"},
        engine);
  o.add({.name = "--name",
         .value = "NAME",
         .meaning = "model identifier, a name in C; that of the model if not given"},
        name);
  o.add({.name = "--inputs",
         .value = "NAME,...",
         .list = true,
         .meaning = "inputs besides those of the model and besides numbers of forces and drivers: formulas of "
                    "forces, as "
                    "motor.moment, which then hold until they are set"},
        inputs);
  o.add(
      {.name = "--outputs",
       .value = "NAME,...",
       .list = true,
       .meaning =
           "channels of the results that are outputs besides [outputs] of the model, as rod.ax or 'rod.*'; all "
           "channels if there are neither"},
      outputs);
  o.add({.name = "--no-report",
         .meaning = "do not run the model for the report that goes into the FMU, documentation/report.html"},
        no_report);
  o.add({.name = "--check",
         .meaning = "look at an FMU of anybody's, MODEL, in place of writing one: its archive, its "
                    "description, its functions "
                    "and a run in a process of its own; with --out FOLDER the outputs of the run are results, "
                    "as those of "
                    "'mubody run' are, and --set NAME=NUMBER sets a variable at the start"},
        check);
  o.add({.name = "--no-run", .with = "--check", .meaning = "do not run the code of the FMU"}, no_run);
  o.add({.name = "--input",
         .value = "FILE",
         .proposes = Proposes::files,
         .with = "--check",
         .meaning = "a CSV file with inputs of the run: the time, and a column for each of them; values "
                    "between rows are "
                    "interpolated"},
        input);
  o.add({.name = "--stop",
         .value = "TIME",
         .with = "--check",
         .meaning = "the end of the run; that of the FMU if not given"},
        stop);
  o.add({.name = "--step",
         .value = "TIME",
         .with = "--check",
         .meaning = "the communication step of the run; that of the FMU if not given"},
        step);
  o.force(force);
  o.quiet(quiet, "no summary");
  o.limits(limits);
}

Verb fmu_verb() {
  return Verb::of(
      make_fmu,
      {.name = "fmu",
       .shelf = Shelf::files,
       .sentence = "write a model as an FMU, which Simulink, OpenModelica and other programs simulate",
       .description =
           {R"(An FMU is an archive with a description, a library and resources in the layout of the Functional Mock-up
            Interface. This one carries the whole of mubody's solver and the model with all files that it names, and
            needs nothing else where it runs: any model that 'mubody run' moves by forces, with contacts, friction and
            redundant loops, or a precomputed one. It is for co-simulation: it makes its own steps between the times at
            which values are exchanged.)",
            R"(Inputs are those under [inputs] and the numbers that forces and drivers are given: torques, heights of a
            road, positions of drivers with their rates and accelerations. Every number of [parameters] can be set before
            the motion is initialized; the mechanism is then assembled anew. The same model gives the same bytes.)",
            R"(With --check an FMU is held against the rules of the standard instead, and run. Its code runs in another
            process, so that a crash harms nothing; but it is code, with the rights of the user: --no-run leaves it alone.)"},
       .exits = {{done, "done"},
                 {failed, "a file that cannot be written, the library is missing, or an internal error"},
                 {wrong_input,
                  "wrong usage, the model is invalid or cannot be assembled, or an FMU breaks rules"}},
       .examples = {"mubody fmu examples/cart_pole -o cart_pole.fmu",
                    "mubody fmu four_bar.toml --outputs 'crank.*,A.on_crank.fx'",
                    "mubody fmu --check cart_pole.fmu -o cart_pole.out"}});
}
}  // namespace mubody::cli
