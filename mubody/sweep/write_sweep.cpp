#include "mubody/sweep/write_sweep.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/analyses/run.h"
#include "mubody/model/version.h"
#include "mubody/report/report_page.h"
#include "mubody/text/json.h"
#include "mubody/text/write_aligned.h"

namespace mubody {
namespace {
using io::Json;
constexpr std::size_t most_rows = 20'000;  // on a page; if there are more, every k-th is shown
constexpr std::size_t most_reasons = 5;

std::string short_number(double x) { return fmt::format("{:.5g}", x); }

Json json_of(const SweepStatistics& s) {
  Json all{{"points", s.points},
           {"done", s.done()},
           {"good", s.good},
           {"doubtful", s.doubtful},
           {"failed", s.failed}};
  all["columns"] = Json::array();
  for (const ColumnStatistics& c : s.columns) {
    Json column{{"name", c.name}, {"varied", c.varied}, {"n", c.n}};
    if (c.n > 0)
      column.update({{"mean", c.mean},
                     {"sd", c.sd},
                     {"min", c.min},
                     {"q05", c.q05},
                     {"q25", c.q25},
                     {"median", c.median},
                     {"q75", c.q75},
                     {"q95", c.q95},
                     {"max", c.max}});
    all["columns"].push_back(std::move(column));
  }
  all["reasons"] = Json::array();
  for (const auto& r : s.reasons)
    all["reasons"].push_back({{"message", r.message}, {"count", r.count}, {"first", r.first}});
  if (!s.digits.empty()) all["digits_at_first_point"] = s.digits;
  return all;
}
}  // namespace

std::string sweep_text(const SweepStatistics& s, std::size_t width) {
  std::vector<io::TextRow> rows{{"", "mean", "sd", "min", "5 %", "median", "95 %", "max"}};
  for (const ColumnStatistics& c : s.columns) {
    io::TextRow row{c.name};
    for (const double x : {c.mean, c.sd, c.min, c.q05, c.median, c.q95, c.max})
      row.push_back(c.n > 0 ? short_number(x) : "-");
    rows.push_back(std::move(row));
  }
  std::string text = io::aligned(rows, 1, "  ");
  if (!s.digits.empty())
    text += "  " + io::wrapped_text("digits at the first point: " + s.digits, width - 2, "    ") + "\n";
  for (std::size_t k = 0; k < s.reasons.size() && k < most_reasons; ++k) {
    const auto& r = s.reasons[k];
    text += "  " +
            io::wrapped_text(fmt::format("{} point{}, the first is {}: {}", r.count, r.count == 1 ? "" : "s",
                                         r.first, r.message),
                             width - 2, "    ") +
            "\n";
  }
  if (s.reasons.size() > most_reasons)
    text += fmt::format("  ... and {} more reasons in the file\n", s.reasons.size() - most_reasons);
  return text;
}

std::string sweep_json(const SweepStatistics& s, const std::string& model, const std::string& rows_file) {
  Json all{{"model", model}, {"version", version()}, {"rows", rows_file}};
  all.update(json_of(s));
  return all.dump(2) + "\n";
}

std::string sweep_html(const SweepPage& page, const std::vector<SweepRow>& rows, const SweepStatistics& s) {
  const std::size_t stride = std::max<std::size_t>(1, (rows.size() + most_rows - 1) / most_rows);
  Json data{{"kind", "sweep"}, {"version", version()}, {"name", page.model}, {"plan", page.plan}};
  data["statistics"] = json_of(s);
  data["every"] = stride;
  std::vector<double> index;
  std::vector<float> outcome;
  for (std::size_t r = 0; r < rows.size(); r += stride)
    index.push_back(double(rows[r].index)), outcome.push_back(float(rows[r].outcome));
  data["index"] = io::base64(index);
  data["outcome"] = io::base64(outcome);
  data["columns"] = Json::array();
  std::size_t varied = 0, kept = 0;
  for (const ColumnStatistics& c : s.columns) {
    const std::size_t k = c.varied ? varied++ : kept++;
    std::vector<double> numbers;
    for (std::size_t r = 0; r < rows.size(); r += stride) {
      const std::vector<double>& from = c.varied ? rows[r].values : rows[r].kept;
      numbers.push_back(k < from.size() ? from[k] : std::numeric_limits<double>::quiet_NaN());
    }
    data["columns"].push_back({{"name", c.name}, {"varied", c.varied}, {"data", io::base64(numbers)}});
  }
  data["model"] = {{"file", page.file}, {"text", page.text}};
  return io::page_with("sweep", data);
}
}  // namespace mubody
