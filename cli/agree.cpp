// mubody agree: how well two results agree, channel by channel.
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "mubody/text/json.h"
#include "mubody/text/write_aligned.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/compare_files.h"

namespace mubody::cli {
namespace {
using io::ComparedChannel;
using io::Comparison;

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

std::string text_of(const AgreeOptions& options, const Comparison& c) {
  const bool many = c.channels.front().table != c.channels.back().table;
  const std::string at = c.time_unit.empty() ? "at" : "at [" + c.time_unit + "]";
  std::vector<io::TextRow> rows{{"channel", "unit", "max |A-B|", at, "RMS", "bias A-B", "lower limit",
                                 "upper limit", "ICC cons.", "ICC abs."}};
  if (many) rows[0].insert(rows[0].begin(), "table");
  for (const ComparedChannel& channel : c.channels) {
    const Agreement& g = channel.agreement;
    io::TextRow row{
        channel.name,   channel.unit,    figure(g.max),   fmt::format("{:.6g}", g.at), figure(g.rms),
        figure(g.bias), figure(g.lower), figure(g.upper), correlation(g.consistency),  correlation(g.absolute)};
    if (many) row.insert(row.begin(), channel.table);
    rows.push_back(std::move(row));
  }
  std::string text = fmt::format("A = {}, B = {}: {} from {}\n\n", bold(options.a), bold(options.b),
                                 channels(c.channels.size()),
                                 with_unit(fmt::format("{:.6g} to {:.6g}", c.from, c.to), c.time_unit));
  text += io::aligned(rows, true);
  if (!c.only_in_a.empty()) text += fmt::format("\nonly in A: {}\n", fmt::join(c.only_in_a, ", "));
  if (!c.only_in_b.empty()) text += fmt::format("\nonly in B: {}\n", fmt::join(c.only_in_b, ", "));
  return text;
}

std::string csv_number(const std::optional<double>& x) { return x ? fmt::format("{}", *x) : ""; }

std::string csv_of(const Comparison& c) {
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

std::string json_of(const AgreeOptions& options, const Comparison& c,
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

std::string complaint(const Comparison& c, const std::vector<const ComparedChannel*>& beyond,
                      double tolerance) {
  constexpr std::size_t most = 5;  // named; the table has all of them
  std::vector<std::string> named;
  for (const ComparedChannel* channel : beyond) {
    if (named.size() == most) break;
    const Agreement& g = channel->agreement;
    named.push_back(fmt::format("'{}' by {} at {}", channel->name, with_unit(figure(g.max), channel->unit),
                                with_unit(fmt::format("{:.6g}", g.at), c.time_unit)));
  }
  const std::size_t more = beyond.size() - named.size();
  return fmt::format("{} of {} differ by more than {}: {}{}", beyond.size(), channels(c.channels.size()),
                     tolerance, fmt::join(named, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}
}  // namespace

int agree(const AgreeOptions& options) {
  const Comparison c = io::compare_files(options.a, options.b, options.channels);
  std::vector<const ComparedChannel*> beyond;
  for (const ComparedChannel& channel : c.channels)
    if (options.tolerance && !(channel.agreement.max <= *options.tolerance)) beyond.push_back(&channel);

  std::cout << (options.format == "json"  ? json_of(options, c, beyond)
                : options.format == "csv" ? csv_of(c)
                                          : text_of(options, c))
            << std::flush;
  if (beyond.empty()) return done;
  complain(complaint(c, beyond, *options.tolerance));
  return inaccurate;
}
}  // namespace mubody::cli
