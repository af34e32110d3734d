#include "mubody/report/write_chart_reports.h"

#include <filesystem>

#include "mubody/analyses/run.h"
#include "mubody/model/version.h"
#include "mubody/report/report_page.h"
#include "mubody/text/json.h"
#include "mubody/writing/write_comparison.h"

namespace mubody::io {
namespace {
constexpr std::size_t most_rows = 2000;

/// A column of the curves; very long ones keep every k-th row only.
template <class Number> std::string column_of(const Table& curves, std::string_view name) {
  std::vector<Number> numbers;
  const int column = curves.find(name);
  const std::size_t stride = std::max<std::size_t>(1, (curves.rows() + most_rows - 1) / most_rows);
  for (std::size_t row = 0; column >= 0 && row < curves.rows(); row += stride)
    numbers.push_back(Number(curves.at(row, std::size_t(column))));
  return base64(numbers);
}
}  // namespace

std::string comparison_html(const Comparison& c, const ModelFile& model) {
  Json data{{"kind", "compare"}, {"version", version()}};
  data["comparison"] = comparison_json(c);
  // A page may be passed on, so it shows the name of a reference file, not its folder.
  auto& source = data["comparison"]["reference"]["source"];
  const std::filesystem::path path = c.reference.source;
  if (path.has_parent_path() && path.has_filename()) source = path.filename().string();
  data["curves"] = Json::array();
  for (const MethodRun& run : c.runs)
    data["curves"].push_back({{"times", column_of<double>(run.curves, "time")},
                              {"violation", column_of<float>(run.curves, "violation")},
                              {"energy", column_of<float>(run.curves, "energy_residual")}});
  data["model"] = json_of(model);
  return page_with("charts", data);
}

std::string regions_html(const std::vector<Region>& regions) {
  Json data{{"kind", "stability"}, {"version", version()}};
  data["regions"] = Json::array();
  for (const Region& r : regions)
    data["regions"].push_back({{"integrator", r.integrator},
                               {"alpha_h", r.alpha_h},
                               {"beta2_h2", r.beta2_h2},
                               {"largest_z", base64(r.largest_z)}});
  return page_with("charts", data);
}
}  // namespace mubody::io
