#include "mubody/writing/write_independent.h"

#include <cmath>

#include <fmt/format.h>

#include "mubody/text/json.h"
#include "mubody/text/write_aligned.h"
#include "mubody/text/write_table.h"

namespace mubody::io {
namespace {

std::string names(const Independence& x, const VariableSet& set, const char* between = ", ") {
  std::vector<std::string> all;
  for (const int k : set) all.push_back(x.variables[std::size_t(k)].name);
  return all.empty() ? "none" : fmt::format("{}", fmt::join(all, between));
}

std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.6g}", x) : "-"; }
// The weight of a variable that stands still is round-off.
std::string weight(double x) { return fmt::format("{:.4f}", x); }

std::string cell(double x) { return std::isfinite(x) ? fmt::format("{}", x) : ""; }
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(); }
std::vector<double> list(const VecX& v) { return {v.data(), v.data() + v.size()}; }
Json names_json(const Independence& x, const VariableSet& set) {
  Json all = Json::array();
  for (const int k : set) all.push_back(x.variables[std::size_t(k)].name);
  return all;
}

Json values_json(const VecX& v) {
  Json all = Json::array();
  for (const double x : v) all.push_back(finite(x));
  return all;
}

Json quality_json(const Independence& x, const SetQuality& q) {
  return {{"variables", names_json(x, q.set)},
          {"condition", finite(q.condition)},
          {"amplification", finite(q.amplification)}};
}

Json rows_json(const MatX& A) {
  Json rows = Json::array();
  for (Eigen::Index r = 0; r < A.rows(); ++r) rows.push_back(values_json(A.row(r)));
  return rows;
}

Json coefficients_json(const Independence& x, const MinimalCoefficients& c) {
  Json first = Json::array(), inertia = Json::array();
  for (const MatX& d : c.dB) first.push_back(rows_json(d));
  for (const MatX& d : c.dJ) inertia.push_back(rows_json(d));
  return {{"variables", names_json(x, x.set)},
          {"velocity_coefficients", rows_json(c.B)},
          {"derivatives", first},
          {"inertia", rows_json(c.J)},
          {"inertia_derivatives", inertia}};
}

Json at_json(const Independence& x, const IndependentAt& now) {
  Json variables = Json::array();
  for (std::size_t k = 0; k < x.variables.size(); ++k) {
    const auto row = Eigen::Index(k);
    Json one{{"name", x.variables[k].name},
             {"unit", x.variables[k].unit},
             {"value", finite(now.values[row])},
             {"weight", now.choice.weights[row]}};
    if (!now.single.empty()) {
      one["tangent"] = now.choice.V(row, 0);
      one["condition"] = finite(now.single[k].condition);
      one["amplification"] = finite(now.single[k].amplification);
    }
    variables.push_back(one);
  }
  Json coefficients = Json::array();
  const MatX B = velocity_coefficients(now.choice.V, now.best.set);
  for (Eigen::Index r = 0; r < B.rows(); ++r) coefficients.push_back(list(B.row(r)));
  Json all{{"time", now.t},
           {"rank", now.choice.rank},
           {"freedoms", now.choice.freedoms},
           {"condition", finite(now.choice.condition)},
           {"variables", variables},
           {"lu", quality_json(x, now.lu)},
           {"qr", quality_json(x, now.qr)},
           {"svd", quality_json(x, now.svd)},
           {"best", quality_json(x, now.best)},
           {"velocity_coefficients", coefficients}};
  if (!x.set.empty()) all["minimal"] = coefficients_json(x, now.coefficients);
  return all;
}

// "m/rad", "1".
std::string per(const std::string& of, const std::string& by) { return of == by ? "1" : of + "/" + by; }

// A column for each number: B, its derivatives, J, its derivatives.
std::vector<std::pair<Column, double>> coefficient_columns(const Independence& x,
                                                           const MinimalCoefficients& c) {
  std::vector<std::pair<Column, double>> all;
  const auto& v = x.variables;
  const auto f = x.set.size();
  const auto named = [&](std::size_t k) -> const CandidateVariable& { return v[std::size_t(x.set[k])]; };
  for (std::size_t p = 0; p < v.size(); ++p)
    for (std::size_t k = 0; k < f; ++k) {
      const auto row = Eigen::Index(p), column = Eigen::Index(k);
      const std::string name = v[p].name + "/" + named(k).name, unit = per(v[p].unit, named(k).unit);
      all.push_back({{name, unit}, c.B(row, column)});
      for (std::size_t l = 0; l < f; ++l)
        all.push_back({{name + "/" + named(l).name, unit + "/" + named(l).unit}, c.dB[l](row, column)});
    }
  for (std::size_t i = 0; i < f; ++i)
    for (std::size_t k = i; k < f; ++k) {
      const auto row = Eigen::Index(i), column = Eigen::Index(k);
      const std::string name = "inertia/" + named(i).name + "/" + named(k).name;
      constexpr const char* units[] = {"kg m2", "kg m", "kg"};  // by the number of lengths among the two
      const std::string unit = units[int(named(i).slides) + int(named(k).slides)];
      all.push_back({{name, unit}, c.J(row, column)});
      for (std::size_t l = 0; l < f; ++l)
        all.push_back({{name + "/" + named(l).name, unit + "/" + named(l).unit}, c.dJ[l](row, column)});
    }
  return all;
}

std::string coefficients_text(const Independence& x, const MinimalCoefficients& c) {
  std::vector<TextRow> rows{{"coefficient", "value", "unit"}};
  for (const auto& [column, value] : coefficient_columns(x, c))
    rows.push_back({column.name, number(std::abs(value) < 1e-12 ? 0 : value), column.unit});
  return fmt::format("\nin terms of {}\n{}", names(x, x.set), aligned(rows, 1, "  "));
}

std::string at_text(const Independence& x, const IndependentAt& now) {
  std::vector<TextRow> rows{{"variable", "value", "unit", "weight"}};
  const bool single = !now.single.empty();
  if (single) rows[0].insert(rows[0].end(), {"condition", "|B|"});
  for (std::size_t k = 0; k < x.variables.size(); ++k) {
    const auto row = Eigen::Index(k);
    rows.push_back({x.variables[k].name, number(std::abs(now.values[row]) < 1e-14 ? 0 : now.values[row]),
                    x.variables[k].unit, weight(now.choice.weights[row])});
    if (!single) continue;
    // A variable that moves by round-off only cannot be held.
    const bool moves = now.choice.weights[row] > 1e-9;
    rows.back().push_back(moves ? number(now.single[k].condition) : "-");
    rows.back().push_back(moves ? number(now.single[k].amplification) : "-");
  }
  std::string text = x.variables.empty() ? "" : aligned(rows, 1, "  ");
  std::vector<TextRow> sets{{"choice", "condition", "|B|", "variables"}};
  const auto add = [&](const char* by, const SetQuality& q) {
    sets.push_back({by, number(q.condition), number(q.amplification), names(x, q.set)});
  };
  add("lu", now.lu), add("qr", now.qr), add("svd", now.svd), add("best", now.best);
  sets.push_back({"tangent", number(now.choice.condition), "1", "combinations of all"});
  text += "\n" + aligned(sets, 1, "  ");
  return x.set.empty() ? text : text + coefficients_text(x, now.coefficients);
}
}  // namespace

std::string independent_text(const Independence& x) {
  const VariableChoice& c = x.start.choice;
  std::string text = fmt::format("{}: {} variable{}, rank {}, {} freedom{} at t = {:.6g} s\n", x.model,
                                 x.variables.size(), x.variables.size() == 1 ? "" : "s", c.rank, c.freedoms,
                                 c.freedoms == 1 ? "" : "s", x.start.t);
  text += at_text(x, x.start);
  if (!x.ranges.empty()) {
    std::vector<TextRow> rows{{"from [s]", "to [s]", "best"}};
    for (const BestRange& r : x.ranges)
      rows.push_back({fmt::format("{:.9g}", r.from), fmt::format("{:.9g}", r.to), names(x, r.set)});
    text += "\nalong the motion\n" + aligned(rows, 1, "  ");
  }
  for (const Crossing& crossing : x.crossings) {
    std::vector<std::string> at;
    for (std::size_t k = 0; k < x.variables.size(); ++k)
      if (std::isfinite(crossing.values[Eigen::Index(k)]))
        at.push_back(fmt::format("{} = {:.9g} {}", x.variables[k].name, crossing.values[Eigen::Index(k)],
                                 x.variables[k].unit));
    text += fmt::format("  at t = {:.9g} s from {} to {}: {}\n", crossing.t, names(x, crossing.before),
                        names(x, crossing.after), fmt::join(at, ", "));
  }
  for (const std::string& remark : x.remarks) text += "  remark    " + remark + "\n";
  return text;
}

std::string independent_json(const Independence& x) {
  Json all{{"model", x.model}, {"length", x.length}};
  all.update(at_json(x, x.start));
  if (!x.motion.empty()) {
    Json motion = Json::array(), ranges = Json::array(), crossings = Json::array();
    for (const IndependentAt& now : x.motion) motion.push_back(at_json(x, now));
    for (const BestRange& r : x.ranges)
      ranges.push_back({{"from", r.from}, {"to", r.to}, {"best", names_json(x, r.set)}});
    for (const Crossing& c : x.crossings)
      crossings.push_back({{"time", c.t},
                           {"from", names_json(x, c.before)},
                           {"to", names_json(x, c.after)},
                           {"values", values_json(c.values)}});
    all["ranges"] = ranges, all["crossings"] = crossings, all["motion"] = motion;
  }
  all["remarks"] = x.remarks;
  return all.dump(2) + "\n";
}

std::string coefficients_csv(const Independence& x) {
  std::string text = "time[s]";
  for (const int k : x.set) {
    const Column& v = x.variables[std::size_t(k)];
    text += ',' + csv_cell(fmt::format("{}[{}]", v.name, v.unit));
  }
  for (const auto& [column, unused] : coefficient_columns(x, x.start.coefficients))
    text += ',' + csv_cell(fmt::format("{}[{}]", column.name, column.unit));
  const auto add = [&](const IndependentAt& now) {
    text += fmt::format("\n{}", now.t);
    for (const int k : x.set) text += ',' + cell(now.values[k]);
    for (const auto& [unused, value] : coefficient_columns(x, now.coefficients)) text += ',' + cell(value);
  };
  if (x.motion.empty()) add(x.start);
  for (const IndependentAt& now : x.motion) add(now);
  return text + '\n';
}

std::string independent_csv(const Independence& x) {
  std::string text(independent_csv_start);
  const bool single = x.start.choice.freedoms == 1;
  for (std::size_t k = 0; k < x.variables.size(); ++k) {
    const Column& v = x.variables[k];
    if (k > 0) text += ',';
    text += csv_cell(fmt::format("{}[{}]", v.name, v.unit)) + ',' + csv_cell(v.name + ".weight[1]");
    if (single) text += ',' + csv_cell(v.name + ".condition[1]") + ',' + csv_cell(v.name + ".amplification[1]");
  }
  text += '\n';
  for (const IndependentAt& now : x.motion) {
    text += fmt::format("{},{},{}", now.t, cell(now.choice.condition), csv_cell(names(x, now.best.set, " ")));
    for (std::size_t k = 0; k < x.variables.size(); ++k) {
      const auto row = Eigen::Index(k);
      text += ',' + cell(now.values[row]) + ',' + cell(now.choice.weights[row]);
      if (single && k < now.single.size())
        text += ',' + cell(now.single[k].condition) + ',' + cell(now.single[k].amplification);
      else if (single)
        text += ",,";
    }
    text += '\n';
  }
  return text;
}
}  // namespace mubody::io
