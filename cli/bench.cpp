// mubody bench: what this machine makes of problems whose answers are known.
#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "benchmarks/problems/measure.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/terminal.h"
#include "mubody/math/suggest.h"

namespace mubody::cli {
const char* const bench_help = R"(NAME
  mubody bench - measure speed and accuracy with problems whose answers are known

SYNOPSIS
  mubody bench [--only P1,P2,...] [--largest N] [--repeat N] [--csv FILE] [--report FILE]

DESCRIPTION
  Runs eight mechanisms and tells for each how accurate the motion is, how many right-hand sides it took, and what one
  of them costs: alone, and in the whole run. Costs are told as ratios to something written by hand for that mechanism,
  which is part of the program and is measured in turns with it, so that they mean the same on every machine.

  P1 four-bar                 P5 Andrews' squeezing mechanism
  P2 ladder of four-bars      P6 Bricard's mechanism
  P3 open chain of rods       P7 spatial slider-crank
  P4 slider-crank, singular   P8 slider-crank with clearance

OPTIONS
  --only LIST          some of them
  --largest N          also ladders and chains of 10, 100, ... up to N parts, right-hand sides alone: what a part
                       costs, with which power of the size the cost grows, and how much memory it takes
  --repeat N           repetitions, of which the fastest counts; 5 if not given
  --csv FILE           writes the numbers
  --report FILE        writes them as a page
  -h, --help           this text

EXIT CODES
    0  done
    1  wrong usage, or a file that cannot be written
    5  a motion is less accurate than it should be

EXAMPLES
  mubody bench
  mubody bench --only P2,P3 --largest 10000 --csv growth.csv
)";

namespace {
void write(const std::string& file, const std::string& text) {
  if (file.empty()) return;
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw UsageError(fmt::format("'{}' cannot be written", file));
}
}  // namespace

int bench(const BenchOptions& o) {
  std::vector<bench::Problem> problems = bench::problems();
  std::vector<std::string> ids;
  for (const bench::Problem& p : problems) ids.push_back(p.id);
  for (const std::string& wanted : o.only)
    if (std::ranges::find(ids, wanted) == ids.end())
      throw UsageError(fmt::format("no problem '{}': there are P1 to {}", wanted, ids.back()));
  if (o.largest > 0)
    for (bench::Problem& p : bench::growing(o.largest)) problems.push_back(std::move(p));
  if (!o.only.empty())
    std::erase_if(problems, [&](const auto& p) { return std::ranges::find(o.only, p.id) == o.only.end(); });

  std::vector<bench::Measured> all;
  bool right = true;
  for (const bench::Problem& p : problems) {
    if (!o.quiet) fmt::print(stderr, "{} {}\n", p.id, p.name);
    constexpr double seconds = 0.05;
    all.push_back(bench::measure(p, seconds, o.repetitions));
    right = right && (all.back().evaluations == 0 || all.back().trusted);
  }
  fmt::print("{}", bench::as_text(all));
  write(o.csv, bench::as_csv(all));
  write(o.report, bench::as_page(all));
  return right ? done : inaccurate;
}
}  // namespace mubody::cli
