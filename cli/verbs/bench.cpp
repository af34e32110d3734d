// mubody bench: speed and accuracy on this machine for problems with known answers.
#include <algorithm>

#include <fmt/format.h>

#include "benchmarks/problems/many.h"
#include "benchmarks/problems/measure.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/math/suggest.h"
#include "mubody/text/write_file.h"

namespace mubody::cli {
struct BenchOptions {
  std::vector<std::string> only;
  int largest = 0, repetitions = 5;
  std::string csv, report;  // files
  bool quiet = false, force = false;

  void declare(Options& o) {
    o.add({.name = "--only", .value = "P1,P2,...", .list = true, .meaning = "some of the problems"}, only);
    o.add({.name = "--largest",
           .value = "N",
           .meaning =
               "also ladders and chains of 10, 100 and so on up to N parts, right-hand sides alone: what a "
               "part costs, "
               "with which power of the size the cost grows, and how much memory it takes"},
          largest);
    o.add({.name = "--repeat",
           .value = "N",
           .meaning = "repetitions, of which the fastest counts; 5 if not given"},
          repetitions);
    o.add({.name = "--csv", .value = "FILE", .proposes = Proposes::files, .meaning = "writes the numbers"},
          csv);
    o.add(
        {.name = "--report", .value = "FILE", .proposes = Proposes::files, .meaning = "writes them as a page"},
        report);
    o.force(force);
    o.quiet(quiet, "no progress");
  }
};

namespace {
void expect_between(const char* option, int value, int least, int most) {
  if (value < least || value > most)
    throw UsageError(fmt::format("{} must lie between {} and {}, got {}", option, least, most, value));
}

constexpr io::OwnKind measured_file{
    "'mubody bench'", [](std::string_view beginning) { return beginning.starts_with(bench::csv_start); }};

void check_outputs(const BenchOptions& o) {
  io::CommandFiles all;
  if (!o.csv.empty()) all.outputs.push_back({"--csv", o.csv});
  if (!o.report.empty()) all.outputs.push_back({"--report", o.report});
  check_files(all);
  with_files([&] {
    if (!o.csv.empty()) io::check_target(o.csv, measured_file, {o.force});
    if (!o.report.empty()) io::check_target(o.report, io::page_kind, {o.force});
  });
}

std::vector<bench::MeasuredRun> measured_whole(const BenchOptions& o, const std::vector<bench::WholeRun>& runs,
                                               bool many) {
  std::vector<bench::MeasuredRun> all;
  for (const bench::WholeRun& w : runs) {
    if (!o.quiet) note(fmt::format("{} {}\n", w.id, w.name));
    all.push_back(bench::measure(w, std::min(o.repetitions, 3)));
  }
  if (many) {
    if (!o.quiet) note(fmt::format("{} many four-bars\n", bench::many_id));
    for (bench::MeasuredRun& m : bench::measure_many()) all.push_back(std::move(m));
  }
  return all;
}

int bench(const BenchOptions& o) {
  expect_between("--largest", o.largest, 0, 1000000);
  expect_between("--repeat", o.repetitions, 1, 1000);
  std::vector<bench::Problem> problems = bench::problems();
  std::vector<std::string> ids;
  for (const bench::Problem& p : problems) ids.push_back(p.id);
  std::vector<bench::WholeRun> runs = bench::whole_runs();
  for (const bench::WholeRun& w : runs) ids.push_back(w.id);
  ids.emplace_back(bench::many_id);
  for (const std::string& wanted : o.only)
    if (std::ranges::find(ids, wanted) == ids.end())
      throw UsageError(fmt::format("no problem '{}': there are {}", wanted, fmt::join(ids, ", ")));
  if (o.largest > 0)
    for (bench::Problem& p : bench::growing(o.largest)) problems.push_back(std::move(p));
  const auto is_wanted = [&](const std::string& id) {
    return o.only.empty() || std::ranges::find(o.only, id) != o.only.end();
  };
  std::erase_if(problems, [&](const auto& p) { return !is_wanted(p.id); });
  std::erase_if(runs, [&](const auto& w) { return !is_wanted(w.id); });

  check_outputs(o);

  std::vector<bench::Measured> all;
  bool right = true;
  for (const bench::Problem& p : problems) {
    if (!o.quiet) note(fmt::format("{} {}\n", p.id, p.name));
    constexpr double seconds = 0.05;
    all.push_back(bench::measure(p, seconds, o.repetitions));
    right = right && (all.back().evaluations == 0 || all.back().trusted);
  }
  const std::vector<bench::MeasuredRun> whole = measured_whole(o, runs, is_wanted(bench::many_id));
  right = right && std::ranges::all_of(whole, &bench::MeasuredRun::trusted);
  fmt::print("{}{}", all.empty() ? "" : bench::as_text(all), bench::as_text(whole));
  std::vector<io::FileText> files;
  if (!o.csv.empty()) {
    std::vector<bench::Measured> both = all;
    for (const bench::MeasuredRun& r : whole) both.push_back(bench::as_measured(r));
    files.push_back({o.csv, bench::as_csv(both)});
  }
  if (!o.report.empty()) files.push_back({o.report, bench::as_page(all)});
  with_files([&] { io::write_files(files, until_interrupted()); });
  return right ? done : inaccurate;
}
}  // namespace

Verb bench_verb() {
  return Verb::of(
      bench,
      {.name = "bench",
       .shelf = Shelf::study,
       .sentence = "measure speed and accuracy with problems whose answers are known",
       .description =
           {R"(Runs eight mechanisms and reports for each how accurate the motion is, how many right-hand
            sides it took, and what one of them costs: alone, and in the whole run. Costs are ratios to
            something written by hand for that mechanism, which is part of the program and is measured in
            turns with it, so that they mean the same on every machine.)",
            Terms{{"P1", "four-bar"},
                  {"P2", "ladder of four-bars"},
                  {"P3", "open chain of rods"},
                  {"P4", "slider-crank, singular"},
                  {"P5", "Andrews' squeezing mechanism"},
                  {"P6", "Bricard's mechanism"},
                  {"P7", "spatial slider-crank"},
                  {"P8", "slider-crank with clearance"},
                  {"P9", "flyball governor with stiff dampers, beside explicit steps"},
                  {"P10", "five discs at rest"},
                  {"P11", "bars and stiff bushes, beside explicit steps"},
                  {"P12", "sensitivity of the four-bar to ten parameters, beside a run"},
                  {"P13", "generated code of P1, P2, P3, P5 and P7, where a C compiler is there"},
                  {"P14",
                   "four-bars that differ, a second: in lanes, compiled, and on a graphics processor, as "
                   "far as they are there"}}},
       .exits = {{done, "done"},
                 {failed, "a file that cannot be written"},
                 {wrong_input, "wrong usage"},
                 {inaccurate, "a motion is less accurate than it should be"}},
       .examples = {"mubody bench", "mubody bench --only P2,P3 --largest 10000 --csv growth.csv"}});
}
}  // namespace mubody::cli
