// mubody independent: which variables move a mechanism best, at the start and along its motion.
#include <cmath>
#include <csignal>
#include <iostream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/model/units.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/target.h"
#include "mubody/text/write_file.h"
#include "mubody/writing/write_independent.h"

namespace mubody::cli {
struct IndependentOptions {
  std::string model, format = "text";
  std::string table;           // a CSV file along the motion; none if empty
  std::string coefficients;    // another
  std::string length = "1 m";  // a slide that counts as much as a turn of 1 rad
  std::vector<std::string> chords;
  io::Settings settings;
  std::vector<std::string> variables;  // the variables of the coefficients; the best ones if empty
  Limits limits;
  bool along = false, body = false, quiet = false, force = false;

  void declare(Options& o) {
    o.model(model);
    o.add({.name = "--along", .meaning = "along the motion"}, along);
    o.add({.name = "--table",
           .value = "FILE",
           .proposes = Proposes::files,
           .with = "--along",
           .meaning = "weights, condition and |B| of every variable at every output time, as CSV"},
          table);
    o.add({.name = "--variables",
           .value = "NAME,...",
           .list = true,
           .meaning = "the set that coefficients are for; the best one of the start if not given"},
          variables);
    o.add({.name = "--coefficients",
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning = "coefficients, inertia and their derivatives as CSV, at every output time with --along"},
          coefficients);
    o.add({.name = "--body", .meaning = "coordinates of bodies in place of joint variables"}, body);
    o.add({.name = "--length",
           .value = "LENGTH",
           .meaning = "the slide that counts as much as a turn of 1 rad; \"1 m\" if not given"},
          length);
    o.chords(chords, "joints that shall be chords; see 'mubody topology --help'");
    o.settings(settings);
    o.limits(limits);
    o.format(format, {"text", "json"},
             "for people, or for programs; an invalid model is then {\"error\": \"...\"}");
    o.force(force);
    o.quiet(quiet, "no progress");
  }
};

namespace {
double length_of(const std::string& text) {
  double length = 0;
  try {
    length = to_si(text, "m");
  } catch (const UnitError& e) {
    throw UsageError(fmt::format("--length: {}", e.what()));
  }
  if (!(length > 0) || !std::isfinite(length))
    throw UsageError(fmt::format("--length must be positive, got '{}'", text));
  return length;
}

constexpr const char* independent_writer = "'mubody independent'";
constexpr io::OwnKind table_file{independent_writer, [](std::string_view beginning) {
                                   return beginning.starts_with(io::independent_csv_start);
                                 }};
constexpr io::OwnKind coefficients_file{independent_writer, [](std::string_view beginning) {
                                          return io::first_line(beginning).find(io::coefficients_csv_mark) !=
                                                 std::string_view::npos;
                                        }};

void check_outputs(const IndependentOptions& o, io::CommandFiles all) {
  if (!o.table.empty()) all.outputs.push_back({"--table", o.table});
  if (!o.coefficients.empty()) all.outputs.push_back({"--coefficients", o.coefficients});
  check_files(all);
  with_files([&] {
    if (!o.table.empty()) io::check_target(o.table, table_file, {o.force});
    if (!o.coefficients.empty()) io::check_target(o.coefficients, coefficients_file, {o.force});
  });
}

/// No file appears before all are complete.
void write_independent(const IndependentOptions& o, const Independence& found) {
  std::vector<io::FileText> files;
  if (!o.table.empty()) files.push_back({o.table, io::independent_csv(found)});
  if (!o.coefficients.empty()) files.push_back({o.coefficients, io::coefficients_csv(found)});
  with_files([&] { io::write_files(files, until_interrupted()); });
}

int independent(const IndependentOptions& options) {
  const mubody::IndependentOptions wanted{
      .body = options.body,
      .length = length_of(options.length),
      .chords = options.chords,
      .along = options.along,
      .coefficients = !options.coefficients.empty() || !options.variables.empty(),
      .set = options.variables};
  const std::filesystem::path file = model_file(options.model);
  io::DataFiles data;
  Study study = io::read_study(file.string(), options.settings, &data);
  options.limits.hold_time(study);
  check_outputs(options, files_of_model(file, data, options.settings));
  try {
    const Independence found = [&] {
      ShownProgress progress(!options.quiet);
      return find_independent(study, wanted, std::ref(progress));
    }();
    if (found.outcome.kind == Outcome::not_assembled) {
      complain(located(file, found.outcome.place, found.outcome.why));
      return not_assembled;
    }
    std::cout << (options.format == "json" ? io::independent_json(found) : io::independent_text(found));
    flush_stdout();
    write_independent(options, found);
    if (found.outcome) return done;
    complain(located(file, found.outcome.place, found.outcome.why));
    if (found.outcome.kind == Outcome::interrupted)
      return interrupt_signal() == SIGTERM ? terminated : interrupted;
    return solver_failed;
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}
}  // namespace

Verb independent_verb() {
  return Verb::of(
      independent,
      {.name = "independent",
       .shelf = Shelf::study,
       .sentence = "report which variables move a mechanism best",
       .description =
           {R"(A mechanism with f freedoms is determined by f of its variables: angles and slides of its
            joints, or, with --body, coordinates of its bodies. Some sets are better than others. Assembles
            MODEL and reports at the start:)",
            Terms{{"rank, freedoms", "of the equations that the variables obey, drivers left out"},
                  {"weight", R"(how much of a unit step of the mechanism each variable takes part in, 1 at
            best, 0 if it stands still)"},
                  {"lu, qr, svd", "the sets that three decompositions choose"},
                  {"condition", "of the equations with each variable, or set, held; the smaller the better"},
                  {"|B|", R"(how much the others move at most per unit of it, itself included; 1 at best)"},
                  {"best", "the set with the smallest |B|"}},
            R"(With --along the same is followed through the motion that the model's analysis gives,
            kinematic or forward: in which range of time which set is best, and where that changes, to
            round-off in a kinematic analysis.)",
            R"(With --variables or --coefficients the minimal equations of motion are added, at the start or
            along the motion: how fast every variable moves per unit of those of the set, p/q, how that
            changes with them, p/q/q, the inertia inertia/q/q that they feel, and its derivatives
            inertia/q/q/q.)"},
       .exits = {{done, "done"},
                 {failed, "a file that cannot be written, or an internal error"},
                 {wrong_input, "wrong usage, or the model is invalid"},
                 {not_assembled, "the mechanism cannot be assembled"},
                 {solver_failed,
                  "the motion ended before its time, or the limit of CPU time was reached; the answer covers "
                  "what there is"}},
       .examples = {
           "mubody independent four_bar.toml",
           "mubody independent slider_crank.toml --along --table weights.csv",
           "mubody independent slider_crank.toml --along --set analysis.type=kinematic --length \"20 cm\"",
           "mubody independent slider_crank.toml --along --variables A.angle --coefficients crank.csv",
           "mubody independent four_bar.toml --format json | jq .best"}});
}
}  // namespace mubody::cli
