#include "mubody/report/write_chart_reports.h"

#include <filesystem>

#include "mubody/analyses/run.h"
#include "mubody/model/version.h"
#include "mubody/report/report_page.h"
#include "mubody/text/json.h"
#include "mubody/writing/write_suite.h"

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

/// Every k-th of many numbers.
std::vector<double> thinned(const std::vector<double>& all) {
  const std::size_t stride = std::max<std::size_t>(1, (all.size() + most_rows - 1) / most_rows);
  std::vector<double> some;
  for (std::size_t k = 0; k < all.size(); k += stride) some.push_back(all[k]);
  return some;
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
                              {"rate", column_of<float>(run.curves, "violation_rate")},
                              {"squares", column_of<float>(run.curves, "violation_squares")},
                              {"rate_squares", column_of<float>(run.curves, "violation_rate_squares")},
                              {"energy", column_of<float>(run.curves, "energy_residual")}});
  data["model"] = json_of(model);
  return page_with("charts", data);
}

std::string suite_html(const Suite& s) {
  Json data{{"kind", "suite"}, {"version", version()}};
  data["suite"] = suite_json(s);
  return page_with("charts", data);
}

std::string agreement_html(const FileComparison& c, const std::string& a, const std::string& b) {
  Json data{{"kind", "agree"}, {"version", version()}, {"a", a}, {"b", b}, {"time_unit", c.time_unit}};
  data["channels"] = Json::array();
  const auto number = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
  for (const ComparedChannel& channel : c.channels) {
    const Agreement& g = channel.agreement;
    data["channels"].push_back({{"table", channel.table},
                                {"name", channel.name},
                                {"unit", channel.unit},
                                {"max", g.max},
                                {"rms", g.rms},
                                {"bias", g.bias},
                                {"lower", number(g.lower)},
                                {"upper", number(g.upper)},
                                {"consistency", number(g.consistency)},
                                {"absolute", number(g.absolute)},
                                {"times", base64(thinned(channel.times))},
                                {"a", base64(thinned(channel.a))},
                                {"b", base64(thinned(channel.b))}});
  }
  return page_with("charts", data);
}

std::string stability_html(const StabilityPictures& pictures) {
  Json data{{"kind", "stability"}, {"version", version()}};
  data["regions"] = Json::array();
  for (const Region& r : pictures.regions)
    data["regions"].push_back({{"integrator", r.integrator},
                               {"alpha_h", r.alpha_h},
                               {"beta2_h2", r.beta2_h2},
                               {"largest_z", base64(r.largest_z)}});
  data["responses"] = Json::array();
  for (const DampedResponse& r : pictures.responses)
    data["responses"].push_back({{"damping", r.damping},
                                 {"alpha", r.alpha},
                                 {"beta", r.beta},
                                 {"times", base64(r.times)},
                                 {"values", base64(r.values)}});
  data["roots"] = Json::array();
  for (const PlaneRoots& r : pictures.roots)
    data["roots"].push_back(
        {{"integrator", r.integrator}, {"alpha", r.alpha}, {"beta", r.beta}, {"step", r.step}, {"z", r.z}});
  return page_with("charts", data);
}
}  // namespace mubody::io
