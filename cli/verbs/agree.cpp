// mubody agree: how well two results agree, channel by channel.
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "cli/limits.h"
#include "cli/run_model.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/model/escape.h"
#include "mubody/report/write_chart_reports.h"
#include "mubody/text/json.h"
#include "mubody/text/quotes.h"
#include "mubody/text/target.h"
#include "mubody/text/write_aligned.h"
#include "mubody/text/write_file.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/compare_files.h"

namespace mubody::cli {
struct AgreeOptions {
  std::string a, b, format = "text";
  std::string report, differences;  // files to be written; none if empty
  bool force = false;
  std::vector<std::string> channels;  // all if empty
  std::optional<double> tolerance;    // for the largest difference, in the unit of each channel
  bool untrusted = false;
  Limits limits;

  void declare(Options& o) {
    o.argument({.name = "A", .proposes = Proposes::files, .meaning = "a CSV file, or a folder of results"}, a);
    o.argument({.name = "B", .proposes = Proposes::files, .meaning = "another"}, b);
    o.add({.name = "--channels", .value = "NAME,...", .list = true, .meaning = "only these channels"},
          channels);
    o.add({.name = "--tolerance",
           .value = "T",
           .meaning = "exit code 5 if the largest difference of any channel exceeds T, in its own unit"},
          tolerance);
    o.add({.name = "--report",
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning =
               "write a page with the plots of Bland and Altman: differences over means, with bias and limits"},
          report);
    o.add({.name = "--differences",
           .value = "FILE",
           .proposes = Proposes::files,
           .meaning = "write the differences at every time to a CSV file"},
          differences);
    o.force(force);
    o.untrusted(untrusted);
    o.limits(limits, "none if not given");
    o.format(format, {"text", "csv", "json"},
             "for people, or with all digits for programs; with json, files that cannot be compared are "
             "{\"error\": \"...\"}");
  }
};

namespace {
using io::ComparedChannel;
using FileDifferences = io::FileComparison;

std::string figure(double x) { return fmt::format("{:.4g}", x); }
std::string figure(const std::optional<double>& x) { return x ? figure(*x) : "-"; }
std::string correlation(const std::optional<double>& x) {
  constexpr double shown = 1e6;
  return x ? fmt::format("{:.6f}", std::round(*x * shown) / shown + 0.0) : "-";  // + 0.0: no "-0"
}
std::string with_unit(std::string text, const std::string& unit) {
  return unit.empty() ? text : text + ' ' + unit;
}

std::string channels(std::size_t count) { return fmt::format("{} channel{}", count, count == 1 ? "" : "s"); }

std::string text_of(const AgreeOptions& options, const FileDifferences& c) {
  const bool many = c.channels.front().table != c.channels.back().table;
  const std::string at = c.time_unit.empty() ? "at" : "at [" + for_terminal(c.time_unit) + "]";
  std::vector<io::TextRow> rows{{"channel", "unit", "max |A-B|", at, "RMS", "bias A-B", "lower limit",
                                 "upper limit", "ICC cons.", "ICC abs."}};
  if (many) rows[0].insert(rows[0].begin(), "table");
  for (const ComparedChannel& channel : c.channels) {
    const Agreement& g = channel.agreement;
    io::TextRow row{for_terminal(channel.name),
                    for_terminal(channel.unit),
                    figure(g.max),
                    fmt::format("{:.6g}", g.at),
                    figure(g.rms),
                    figure(g.bias),
                    figure(g.lower),
                    figure(g.upper),
                    correlation(g.consistency),
                    correlation(g.absolute)};
    if (many) row.insert(row.begin(), channel.table);
    rows.push_back(std::move(row));
  }
  std::string text =
      fmt::format("A = {}, B = {}: {} from {}\n\n", bold(shown(options.a)), bold(shown(options.b)),
                  channels(c.channels.size()),
                  with_unit(fmt::format("{:.6g} to {:.6g}", c.from, c.to), for_terminal(c.time_unit)));
  text += io::aligned(rows, true);
  if (!c.only_in_a.empty())
    text += "\nonly in A: " + for_terminal(fmt::format("{}", fmt::join(c.only_in_a, ", "))) + '\n';
  if (!c.only_in_b.empty())
    text += "\nonly in B: " + for_terminal(fmt::format("{}", fmt::join(c.only_in_b, ", "))) + '\n';
  return text;
}

std::string csv_number(const std::optional<double>& x) { return x ? fmt::format("{}", *x) : ""; }

std::string csv_of(const FileDifferences& c) {
  std::string text =
      fmt::format("table,channel,unit,n,max,{},rms,bias,sd,lower,upper,icc_consistency,icc_absolute\n",
                  io::csv_cell(io::header_of({"time", c.time_unit})));
  for (const ComparedChannel& channel : c.channels) {
    const Agreement& g = channel.agreement;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", io::csv_cell(channel.table),
                        io::csv_cell(channel.name), io::csv_cell(channel.unit), g.n, g.max, g.at, g.rms, g.bias,
                        csv_number(g.sd), csv_number(g.lower), csv_number(g.upper), csv_number(g.consistency),
                        csv_number(g.absolute));
  }
  return text;
}

std::string json_of(const AgreeOptions& options, const FileDifferences& c,
                    const std::vector<const ComparedChannel*>& beyond) {
  using io::Json;
  const auto number = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
  Json all{{"a", options.a}, {"b", options.b}, {"time_unit", c.time_unit}, {"from", c.from}, {"to", c.to}};
  all["channels"] = Json::array();
  for (const ComparedChannel& channel : c.channels) {
    const Agreement& g = channel.agreement;
    all["channels"].push_back({{"table", channel.table},
                               {"channel", channel.name},
                               {"unit", channel.unit},
                               {"n", g.n},
                               {"max", g.max},
                               {"time", g.at},
                               {"rms", g.rms},
                               {"bias", g.bias},
                               {"sd", number(g.sd)},
                               {"lower", number(g.lower)},
                               {"upper", number(g.upper)},
                               {"icc_consistency", number(g.consistency)},
                               {"icc_absolute", number(g.absolute)}});
  }
  all["only_in_a"] = c.only_in_a;
  all["only_in_b"] = c.only_in_b;
  if (options.tolerance) {
    all["tolerance"] = *options.tolerance;
    all["beyond"] = Json::array();
    for (const ComparedChannel* channel : beyond) all["beyond"].push_back(channel->name);
  }
  return all.dump(2) + '\n';
}

// Names of channels are what files contain, which is not quoted if they are a stranger's.
std::string complaint(const FileDifferences& c, const std::vector<const ComparedChannel*>& beyond,
                      double tolerance, io::Quotes quotes) {
  constexpr std::size_t most = 5;  // how many are named; the table has all of them
  std::vector<std::string> named;
  for (const ComparedChannel* channel : beyond) {
    if (named.size() == most) break;
    const Agreement& g = channel->agreement;
    named.push_back(fmt::format("'{}' by {} at {}", channel->name, with_unit(figure(g.max), channel->unit),
                                with_unit(fmt::format("{:.6g}", g.at), c.time_unit)));
  }
  const std::size_t more = beyond.size() - named.size();
  return fmt::format("{} of {} differ by more than {}{}", beyond.size(), channels(c.channels.size()), tolerance,
                     io::told(quotes, fmt::format(": {}{}", fmt::join(named, ", "),
                                                  more > 0 ? fmt::format(" and {} more", more) : "")));
}

constexpr std::string_view differences_header = "table,channel,unit,";
constexpr io::OwnKind differences_file{"'mubody agree'", [](std::string_view beginning) {
                                         return io::first_line(beginning).starts_with(differences_header);
                                       }};

/// Writes what is asked for; no file appears before all are complete.
void write_pages(const AgreeOptions& o, const FileDifferences& c) {
  io::CommandFiles all;
  all.inputs = {{"A", o.a}, {"B", o.b}};
  if (!o.report.empty()) all.outputs.push_back({"--report", o.report});
  if (!o.differences.empty()) all.outputs.push_back({"--differences", o.differences});
  check_files(all);
  if (!o.report.empty()) check_report(o.report, {o.force});
  with_files([&] {
    if (!o.differences.empty()) io::check_target(o.differences, differences_file, {o.force});
    std::vector<io::FileText> files;
    if (!o.report.empty()) files.push_back({o.report, io::agreement_html(c, o.a, o.b)});
    if (!o.differences.empty()) files.push_back({o.differences, io::differences_csv(c)});
    io::write_files(files, until_interrupted());
  });
}

int agree(const AgreeOptions& options) {
  if (options.tolerance && !(*options.tolerance >= 0))
    throw UsageError(fmt::format("--tolerance must not be negative, got {}", *options.tolerance));
  const FileDifferences c = io::compare_files(options.a, options.b, options.channels, options.untrusted,
                                              !options.report.empty() || !options.differences.empty());
  std::vector<const ComparedChannel*> beyond;
  for (const ComparedChannel& channel : c.channels)
    if (options.tolerance && !(channel.agreement.max <= *options.tolerance)) beyond.push_back(&channel);

  lift_limit_of_time();
  if (!options.report.empty() || !options.differences.empty()) write_pages(options, c);
  std::cout << (options.format == "json"  ? json_of(options, c, beyond)
                : options.format == "csv" ? csv_of(c)
                                          : text_of(options, c));
  flush_stdout();
  if (beyond.empty()) return done;
  complain(complaint(c, beyond, *options.tolerance, io::quotes_of(options.untrusted)));
  return inaccurate;
}
}  // namespace

Verb agree_verb() {
  return Verb::of(
      agree,
      {.name = "agree",
       .shelf = Shelf::study,
       .sentence = "report how well two results agree, channel by channel",
       .description =
           {R"(A and B are CSV files with one row of names, as in crank.x[m], and the time in the first
            column; or two folders of results, of which bodies.csv, joints.csv, points.csv, forces.csv and
            energy.csv are compared as far as both have them. Channels are matched by name and must be in
            the same unit.)",
            R"(They are compared at the times of the coarser file in the range that both cover. Where the
            other has no row at such a time, its value comes from a cubic spline through its rows. For each
            channel:)",
            Terms{{"max |A-B|, at", "the largest difference, and when"},
                  {"RMS", "root of the mean squared difference"},
                  {"bias A-B", "mean difference"},
                  {"lower limit, upper limit",
                   "limits of agreement of Bland and Altman: bias -+ 1.96 standard deviations"},
                  {"ICC cons., ICC abs.",
                   R"(intraclass correlation of Shrout and Fleiss, two-way, single: consistency, ICC(3,1),
            and absolute agreement, ICC(2,1); '-' if the channel does not vary)"}}},
       .exits = {{done, "compared; no difference exceeds the tolerance, if one is given"},
                 {failed, "an internal error"},
                 {wrong_input,
                  "wrong usage, or the files cannot be read or compared: no common channel, no common times, "
                  "units that differ"},
                 {solver_failed, "the limit of CPU time was reached"},
                 {inaccurate, "a difference exceeds the tolerance"}},
       .examples = {"mubody agree coarse.out fine.out",
                    "mubody agree run.out/points.csv benchmark.csv --channels P.x,P.y",
                    "mubody agree run.out benchmark.out --report agreement.html --differences differences.csv",
                    "mubody agree old.out new.out --tolerance 1e-9 --format csv > differences.csv"}});
}
}  // namespace mubody::cli
