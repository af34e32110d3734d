#include "mubody/writing/write_precomputed.h"

#include <fmt/format.h>

#include "mubody/precompute/plan/plan.h"
#include "mubody/text/bytes.h"
#include "mubody/text/json.h"
#include "mubody/text/write_aligned.h"

namespace mubody::io {
namespace {
std::string listed(const std::vector<std::string>& all) {
  return all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "));
}

constexpr std::size_t line_length = 94;

std::string block_text(const NamedBlock& b, std::size_t number) {
  const std::string what = fmt::format("{}. {}", number, fmt::join(b.variables, ", "));
  if (b.from.empty()) return what + " stay as they are";
  return fmt::format("{} from {}, in {} {}; of {}", what, fmt::join(b.from, ", "),
                     b.loops.size() == 1 ? "loop" : "loops", fmt::join(b.loops, ", "),
                     fmt::join(b.arguments, ", "));
}
}  // namespace

std::string precomputed_text(const Precomputed& p) {
  const RealTimeModel& m = p.model;
  std::string text =
      m.loops_as_joints
          ? fmt::format("{}: loops as joints, {}\n", m.name,
                        m.loops.empty() ? "of which there are none" : fmt::format("{} of them", m.loops.size()))
          : fmt::format("{}: {} independent variable{}\n", m.name, m.n(), m.n() == 1 ? "" : "s");
  for (const LoopTable& l : m.loops) {
    for (const VariableRange& v : l.region.variables)
      text += fmt::format("  {:<13}{}\n", "variable", mubody::text(v));
    for (const StiffVariable& v : l.stiff)
      text += fmt::format("  {:<13}{}: a small deflection, by series of second order\n", "stiff", v.name);
  }
  for (std::size_t r = 0; r < m.regions.size(); ++r)
    for (const VariableRange& v : m.regions[r].variables)
      text += fmt::format("  {:<13}{}\n", m.regions.size() > 1 ? fmt::format("region {}", r + 1) : "variable",
                          mubody::text(v));
  for (std::size_t k = 0; k < m.stiff.size(); ++k)
    text += fmt::format("  {:<13}{}: a small deflection d, by series\n", "stiff", m.stiff[k].name);
  constexpr double nothing = 1e-9;  // anything less is round-off
  for (const SeriesTerm& e : p.neglected)
    if (e.length > nothing || e.angle > nothing)
      text += fmt::format("  {:<13}of positions to first order: at most {:.3g} m and {:.3g} rad for {} = 1\n",
                          "error", e.length, e.angle, fmt::join(e.by, " x "));
  for (const DesignVariable& d : m.design)
    text += fmt::format("  {:<13}{} = {:.6g}, changes to first order\n", "design", d.name, d.nominal);
  if (!m.loops_as_joints)
    text += fmt::format("  {:<13}{}; gravity and these are in the tables\n", "forces", listed(p.folded));
  text += fmt::format("  {:<13}{}\n", "at run time", listed(p.run_time));
  if (p.order.size() > 1)
    for (std::size_t k = 0; k < p.order.size(); ++k)
      text += fmt::format("  {:<13}{}\n", k == 0 ? "loops" : "",
                          wrapped_text(block_text(p.order[k], k + 1), line_length, "                  "));
  std::vector<TextRow> rows{{"table", "of", "cells", "size", "checked at", "largest error"}};
  for (const TableReport& t : p.tables)
    rows.push_back({t.what, fmt::format("{}", fmt::join(t.arguments, ", ")), fmt::format("{}", t.cells),
                    bytes_text(double(t.bytes)), fmt::format("{} points", t.checks),
                    fmt::format("{:.1e} ({})", t.error, t.worst)});
  text += aligned(rows, true, "  ", 200);
  text += fmt::format(
      "  {:<13}errors are at most {:.1e} {}{}: asked for {:.1e}, polynomials of degree {}, margin {:g}\n",
      "bound", m.certified, m.bound_unit(), m.certified > m.bound ? ", the round-off of large numbers" : "",
      m.bound, m.degree, Certificate::margin);
  for (const DesignSensitivity& e : p.sensitivities)
    if (e.largest > nothing)
      text += fmt::format("  {:<13}{} by {}: at most {:.4g} {} per unit\n", "sensitivity", e.of, e.by,
                          e.largest, e.unit);
  text += fmt::format("  {:<13}{} in tables\n", "size", bytes_text(double(m.bytes())));
  const char* const besides = m.loops_as_joints    ? "; and the equations of motion"
                              : p.run_time.empty() ? ""
                                                   : "; and forces at run time";
  text += fmt::format("  {:<13}{} multiply-adds and {} numbers read per right-hand side, always{}\n", "cost",
                      p.operations, p.reads, besides);
  for (const std::string& remark : p.remarks) text += fmt::format("  {:<13}{}\n", "remark", remark);
  return text;
}

std::string precomputed_json(const Precomputed& p) {
  const RealTimeModel& m = p.model;
  Json j{{"model", m.name},     {"version", m.version},     {"bound", m.bound},
         {"in_si", m.in_si},    {"certified", m.certified}, {"margin", Certificate::margin},
         {"degree", m.degree},  {"bytes", m.bytes()},       {"operations", p.operations},
         {"reads", p.reads},    {"folded", p.folded},       {"run_time", p.run_time},
         {"remarks", p.remarks}};
  j["regions"] = Json::array();
  for (const Region& r : m.regions) {
    Json variables = Json::array();
    for (const VariableRange& v : r.variables)
      variables.push_back({{"name", v.name},
                           {"unit", v.unit},
                           {"low", v.low},
                           {"high", v.high},
                           {"periodic", v.periodic},
                           {"cyclic", v.cyclic}});
    j["regions"].push_back({{"variables", variables}});
  }
  j["loops"] = Json::array();
  for (const LoopTable& l : m.loops) {
    Json variables = Json::array();
    for (const VariableRange& v : l.region.variables)
      variables.push_back(
          {{"name", v.name}, {"unit", v.unit}, {"low", v.low}, {"high", v.high}, {"periodic", v.periodic}});
    Json stiff = Json::array();
    for (const StiffVariable& v : l.stiff) stiff.push_back({{"name", v.name}, {"unit", v.unit}});
    j["loops"].push_back(
        {{"carrier", l.carrier}, {"bodies", l.bodies}, {"variables", variables}, {"stiff", stiff}});
  }
  j["order"] = Json::array();
  for (const NamedBlock& b : p.order)
    j["order"].push_back(
        {{"variables", b.variables}, {"from", b.from}, {"loops", b.loops}, {"arguments", b.arguments}});
  j["stiff"] = Json::array();
  for (const StiffVariable& v : m.stiff) j["stiff"].push_back({{"name", v.name}, {"unit", v.unit}});
  j["neglected"] = Json::array();
  for (const SeriesTerm& e : p.neglected)
    j["neglected"].push_back({{"by", e.by}, {"length", e.length}, {"angle", e.angle}});
  j["design"] = Json::array();
  for (const DesignVariable& d : m.design) j["design"].push_back({{"name", d.name}, {"nominal", d.nominal}});
  j["sensitivities"] = Json::array();
  for (const DesignSensitivity& e : p.sensitivities)
    j["sensitivities"].push_back({{"of", e.of}, {"by", e.by}, {"largest", e.largest}, {"unit", e.unit}});
  j["tables"] = Json::array();
  for (const TableReport& t : p.tables) {
    Json quantities = Json::array();
    for (std::size_t k = 0; k < t.quantities.size(); ++k) {
      Json q{{"name", t.quantities[k].name},
             {"unit", t.quantities[k].unit},
             {"largest", t.certificate.largest[k]},
             {"error", t.certificate.value[k]}};
      if (t.quantities[k].slopes_used) q["slope_error"] = t.certificate.slope[k];
      quantities.push_back(std::move(q));
    }
    j["tables"].push_back({{"what", t.what},
                           {"arguments", t.arguments},
                           {"cells", t.cells},
                           {"bytes", t.bytes},
                           {"samples", t.samples},
                           {"checks", t.checks},
                           {"quantities", quantities}});
  }
  return j.dump(2) + "\n";
}
}  // namespace mubody::io
