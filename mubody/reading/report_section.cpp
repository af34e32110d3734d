// [report]: plots that a report begins with, and the units that it shows.
//
//   plots = [["crank.omega", "rod.omega"], {title = "Pin", channels = ["A.on_ground.fx"]}]
//   units = ["deg", "mm", "rpm", "kN"]
#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/model/shown_units.h"
#include "mubody/model/utf8.h"
#include "mubody/reading/sections.h"
#include "mubody/system/build.h"

namespace mubody::io {
namespace {
/// The channels of a model, those of the tables of its analysis, and the energies, which not every analysis has.
std::vector<std::string> names_for_plots(const Study& study) {
  std::vector<std::string> names;
  const std::unique_ptr<System> system = build_system(study.mechanism);
  for (const Channel& c : system->channels) names.push_back(c.name);
  const auto has = [&](std::string_view table) {
    const auto tables = study.analysis.type->facts().tables;
    return std::ranges::find(tables, table) != tables.end();
  };
  for (const JointRows& j : system->joints)
    for (int k = 1; j.driver && has("drives") && k <= j.count; ++k)
      for (const char* what : {"drive", "power"})
        names.push_back(j.count == 1 ? fmt::format("{}.{}", j.name, what)
                                     : fmt::format("{}.{}.{}", j.name, k, what));
  for (const Channel& c : system->channels)
    if (has("efforts") && (c.group == Channel::joints || c.group == Channel::bodies) && !c.reaction)
      for (const char* what : {".effort", ".power"}) names.push_back(c.name + what);
  for (const char* energy : {"kinetic", "potential", "total", "driver_work", "applied_work", "dissipated",
                             "residual", "driver_power"})
    names.emplace_back(energy);
  return names;
}

Plot read_plot(const Node& node, const Scope& scope, const std::vector<std::string>& names) {
  Plot plot;
  const bool table = node.is(Node::Kind::table);
  if (!table && !node.is(Node::Kind::array))
    scope.expected("the channels of a plot in an array, or {title = ..., channels = [...]}", node);
  const Node* channels = &node;
  if (table) {
    const std::string_view keys[] = {"title", "channels"};
    expect_keys(node, scope, keys);
    channels = node.find("channels");
    if (!channels) scope.fail(node, "missing 'channels': what the plot shows");
    if (const Node* const title = node.find("title")) {
      plot.title = read_string(*title, scope / "title");
      if (find_odd_character(plot.title, false)) (scope / "title").fail(*title, "must be on one line");
    }
  }
  const Scope of_channels = table ? scope / "channels" : scope;
  plot.channels = read_strings(*channels, of_channels);
  if (plot.channels.empty()) of_channels.fail(*channels, "names no channel");
  for (std::size_t k = 0; k < plot.channels.size(); ++k)
    if (std::ranges::find(names, plot.channels[k]) == names.end())
      of_channels.fail(channels->items[k], fmt::format("no channel {}{}", in_quotes(plot.channels[k]),
                                                       suggestion(plot.channels[k], names)));
  return plot;
}
}  // namespace

void expect_shown_units(const std::vector<std::string>& units, const Node& node, const Scope& scope) {
  constexpr std::size_t longest = 100;
  std::vector<std::string> some;
  for (std::size_t k = 0; k < units.size(); ++k) {
    if (units[k].size() > longest) scope.fail(node.items[k], "is not a unit but a long text");
    some.push_back(units[k]);
    if (const std::string why = why_not_shown(some); !why.empty()) scope.fail(node.items[k], why);
  }
}

void read_report(const Node& root, Study& study, const Known&) {
  const Node* const table = root.find("report");
  if (!table) return;
  const Scope scope("report");
  if (!table->is(Node::Kind::table)) scope.expected("a table", *table);
  const std::string_view keys[] = {"plots", "units"};
  expect_keys(*table, scope, keys);
  if (const Node* const units = table->find("units")) {
    study.report.units = read_strings(*units, scope / "units");
    expect_shown_units(study.report.units, *units, scope / "units");
  }
  const Node* const plots = table->find("plots");
  if (!plots) return;
  if (!plots->is(Node::Kind::array))
    (scope / "plots").expected("an array of plots, as in [[\"crank.x\"]]", *plots);
  const std::vector<std::string> names = names_for_plots(study);
  for (const Node& plot : plots->items) study.report.plots.push_back(read_plot(plot, scope / "plots", names));
}
}  // namespace mubody::io
