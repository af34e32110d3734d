// mubody independent: which variables move a mechanism best, at the start and along its motion.
#include <cmath>
#include <csignal>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "mubody/model/units.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/write_independent.h"

namespace mubody::cli {
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

// Only a file that is one of these is replaced.
void check_table(const std::string& file, std::string_view mark) {
  std::ifstream in(file);
  std::string line;
  if (in && std::getline(in, line) && line.find(mark) == std::string::npos)
    throw UsageError(fmt::format("'{}' is there and was not written by 'mubody independent'", file));
}

void write(const std::string& text, const std::string& file) {
  try {
    io::write_text(text, file);
  } catch (const std::runtime_error& e) {
    throw UsageError(e.what());
  }
}
}  // namespace

int independent(const IndependentOptions& options) {
  if (!options.table.empty() && !options.along) throw UsageError("--table goes with --along");
  const mubody::IndependentOptions wanted{
      .body = options.body,
      .length = length_of(options.length),
      .chords = options.chords,
      .along = options.along,
      .coefficients = !options.coefficients.empty() || !options.variables.empty(),
      .set = options.variables};
  if (!options.table.empty()) check_table(options.table, io::independent_csv_start);
  if (!options.coefficients.empty()) check_table(options.coefficients, io::coefficients_csv_mark);
  const std::filesystem::path file = model_file(options.model);
  const Study study = io::read_study(file.string(), options.settings);
  try {
    watch_interrupts();
    ProgressBar bar(!options.quiet);
    const Independence found = find_independent(study, wanted, [&](double share) {
      bar.show(share);
      return interrupt_signal() == 0;
    });
    if (found.outcome.kind == Outcome::not_assembled) {
      complain(located(file, found.outcome.place, found.outcome.why));
      return not_assembled;
    }
    std::cout << (options.format == "json" ? io::independent_json(found) : io::independent_text(found))
              << std::flush;
    if (!options.table.empty()) write(io::independent_csv(found), options.table);
    if (!options.coefficients.empty()) write(io::coefficients_csv(found), options.coefficients);
    if (found.outcome) return done;
    complain(located(file, found.outcome.place, found.outcome.why));
    if (found.outcome.kind == Outcome::interrupted)
      return interrupt_signal() == SIGTERM ? terminated : interrupted;
    return solver_failed;
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}
}  // namespace mubody::cli
