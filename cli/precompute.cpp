// mubody precompute: from a model to tables for real time, and to C.
#include "mubody/precompute/precompute.h"

#include <cmath>
#include <csignal>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "mubody/model/units.h"
#include "mubody/precompute/c/emit_c.h"
#include "mubody/precompute/plan/variable.h"
#include "mubody/reading/precompute_section.h"
#include "mubody/reading/read_model.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/text/bytes.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/write_precomputed.h"

namespace mubody::cli {
namespace {
namespace fs = std::filesystem;

double number_of(const std::string& option, const std::string& text, const char* unit) {
  double x = 0;
  try {
    x = to_si(text, unit);
  } catch (const UnitError& e) {
    throw UsageError(fmt::format("{}: {}", option, e.what()));
  }
  if (!std::isfinite(x)) throw UsageError(fmt::format("{} must be finite, got '{}'", option, text));
  return x;
}

double positive(const std::string& option, const std::string& text, const char* unit) {
  const double x = number_of(option, text, unit);
  if (!(x > 0)) throw UsageError(fmt::format("{} must be positive, got '{}'", option, text));
  return x;
}

// "A.angle=-90deg:90deg"
mubody::PrecomputeOptions::Range range_of(const std::string& text, const Mechanism& m) {
  const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || colon == std::string::npos)
    throw UsageError(
        fmt::format("--range takes NAME=LOW:HIGH, as in --range A.angle=-90deg:90deg; got '{}'", text));
  const std::string name = text.substr(0, equals);
  const Variable v = find_variable(m, name);
  const char* const unit = v.turn ? "rad" : "m";
  return {v.name, number_of("--range " + name, text.substr(equals + 1, colon - equals - 1), unit),
          number_of("--range " + name, text.substr(colon + 1), unit)};
}

// What the model's file asks for, but for what the command line does.
mubody::PrecomputeOptions wanted(const PrecomputeOptions& options, const fs::path& file, const Mechanism& m) {
  mubody::PrecomputeOptions o = io::read_precompute_options(file.string(), options.settings);
  if (!options.independent.empty()) {
    o.independent = options.independent;
    o.ranges.clear();
  }
  if (!options.bound.empty()) o.bound = positive("--bound", options.bound, "1");
  if (!options.memory.empty()) {
    const std::optional<double> bytes = io::bytes_of(options.memory);
    if (!bytes) throw UsageError(fmt::format("--memory takes a size, as in 100MB; got '{}'", options.memory));
    o.memory = *bytes;
  }
  o.design = options.design;
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

// Only a file that is one of these is replaced.
void check_target(const fs::path& file) {
  std::error_code ignored;
  if (fs::exists(file, ignored) && !fs::is_empty(file, ignored) && !io::is_real_time_file(file))
    throw UsageError(
        fmt::format("'{}' is there and is no precomputed model; choose another name", file.string()));
}

fs::path default_target(const fs::path& model) {
  fs::path file = model;
  return file.replace_extension(".rt");
}

// Only a file that was written so is replaced.
void check_source(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string head(1000, ' ');
  in.read(head.data(), std::streamsize(head.size()));
  if (in.gcount() > 0 && head.find("Made by mubody") == head.npos &&
      head.find("_SELF_TEST_MAIN a program that tests itself") == head.npos)
    throw UsageError(
        fmt::format("'{}' is there and was not written by mubody; choose another folder, or another --name",
                    file.string()));
}

std::string name_in_c(const Study& study, const PrecomputeOptions& options) {
  return options.name.empty() ? c_name(study.mechanism.name) : options.name;
}

// Before tables are made.
void check_c(const Study& study, const PrecomputeOptions& options) {
  if (!options.name.empty() && options.name != c_name(options.name))
    throw UsageError(
        fmt::format("--name must be a name in C, of letters, digits and _, and not mb: got '{}', perhaps {}",
                    options.name, c_name(options.name)));
  if (options.emit_c.empty()) return;
  check_for_c(study.mechanism, !options.design.empty());
  for (const char* end : {".h", ".c"})
    check_source(fs::path(options.emit_c) / (name_in_c(study, options) + end));
}

void write_c(const Precomputed& made, const Study& study, const PrecomputeOptions& options) {
  EmitOptions o;
  o.name = name_in_c(study, options);
  o.single = options.real == "float";
  const AnalysisOptions& a = study.analysis;
  o.step = !options.step.empty() ? positive("--step", options.step, "s")
           : a.control.step      ? *a.control.step
                                 : std::min(1e-3, (a.end - a.start) / 1000);
  const EmittedC c = emit_c(made.model, study.mechanism, o);
  with_files([&] {
    fs::create_directories(options.emit_c);
    io::write_text(c.header, fs::path(options.emit_c) / (o.name + ".h"));
    io::write_text(c.source, fs::path(options.emit_c) / (o.name + ".c"));
  });
  if (!options.quiet && options.format == "text")
    fmt::print("C in {0}: {1}.h and {1}.c, {2}\n", (fs::path(options.emit_c) / "").string(), o.name,
               o.single ? "single precision" : "double precision");
}
}  // namespace

int precompute(const PrecomputeOptions& options) {
  const Stopwatch watch;
  watch_interrupts();
  const fs::path file = model_file(options.model);
  const Study study = io::read_study(file.string(), options.settings);
  const fs::path target = !options.out.empty()     ? fs::path(options.out)
                          : options.emit_c.empty() ? default_target(file)
                                                   : fs::path();
  if (!target.empty()) check_target(target);
  try {
    check_c(study, options);
    const mubody::PrecomputeOptions o = wanted(options, file, study.mechanism);
    ProgressBar bar(!options.quiet);
    const auto progress = [&](double share) {
      bar.show(share);
      return interrupt_signal() == 0;
    };
    constexpr double worth_telling = 1e6;  // [bytes]
    const auto told = [&](const std::string& what, double bytes) {
      if (!options.quiet && bytes > worth_telling)
        fmt::print(stderr, "table of {}: takes {} of the {} allowed\n", what, io::bytes_text(bytes),
                   io::bytes_text(o.memory));
    };
    Precomputed made = mubody::precompute(study, o, progress, told);
    if (!made.outcome) {
      complain(located(file, made.outcome.place, made.outcome.why));
      if (made.outcome.kind == Outcome::not_assembled) return not_assembled;
      return interrupt_signal() == SIGTERM ? terminated : interrupted;
    }
    constexpr std::size_t most_megabytes = 16;
    made.model.file = fs::absolute(file).lexically_normal().string();  // data files are looked for beside it
    made.model.text = io::read_text_file(file.string(), most_megabytes, "a model file");
    made.model.settings = options.settings;
    made.model.summary = io::precomputed_text(made);
    if (options.format == "json")
      std::cout << io::precomputed_json(made);
    else if (!options.quiet)
      std::cout << made.model.summary;
    std::cout << std::flush;
    if (!target.empty()) {
      with_files([&] { io::write_real_time_file(made.model, target); });
      if (!options.quiet && options.format == "text")
        fmt::print("written to {} after {}; 'mubody run {}' runs it\n", target.string(),
                   duration(watch.seconds()), target.string());
    }
    if (!options.emit_c.empty()) write_c(made, study, options);
    return done;
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}
}  // namespace mubody::cli
