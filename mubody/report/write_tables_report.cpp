#include "mubody/report/write_tables_report.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "mubody/model/version.h"
#include "mubody/precompute/plan/scalars.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/report/report_page.h"
#include "mubody/writing/write_tabulated.h"

namespace mubody::io {
namespace {
constexpr double most_numbers = 400e3;  // of a table in the page

/// A net over some variables of a region; the others stay where their ranges begin.
class PlottedNet {
 public:
  PlottedNet(const mubody::Region& r, std::vector<int> along, std::size_t quantities)
      : ranges_(r.variables), along_(std::move(along)) {
    const std::size_t most[] = {1, 201, 61, 21};
    const double each = most_numbers / double(std::max<std::size_t>(1, quantities));
    const double n = double(std::max<std::size_t>(1, along_.size()));
    places_ = along_.empty() ? 1
                             : std::clamp(std::size_t(std::pow(each, 1 / n)), std::size_t(9),
                                          most[std::min<std::size_t>(3, along_.size())]);
    for (std::size_t k = 0; k < along_.size(); ++k) points_ *= places_;
  }

  std::size_t points() const { return points_; }
  const std::vector<int>& along() const { return along_; }
  /// Neighbours are close to each other: the net is followed to and fro.
  std::size_t visited(std::size_t step) const {
    std::size_t index = 0, whole = points_;
    bool back = false;
    for (std::size_t k = 0; k < along_.size(); ++k) {
      whole /= places_;
      const std::size_t at = step / whole % places_;
      index = index * places_ + (back ? places_ - 1 - at : at);
      back = (step / whole) % 2 == 1;
    }
    return index;
  }
  std::vector<double> theta(std::size_t index) const {
    std::vector<double> all;
    for (const VariableRange& v : ranges_) all.push_back(v.low);
    for (std::size_t k = along_.size(); k-- > 0; index /= places_)
      all[std::size_t(along_[k])] = place(std::size_t(along_[k]), index % places_);
    return all;
  }
  Json axes() const {
    Json all = Json::array();
    for (const int k : along_) {
      const VariableRange& v = ranges_[std::size_t(k)];
      Json at = Json::array();
      for (std::size_t i = 0; i < places_; ++i) at.push_back(place(std::size_t(k), i));
      all.push_back({{"name", v.name}, {"unit", v.unit}, {"at", at}});
    }
    return all;
  }

 private:
  double place(std::size_t k, std::size_t i) const {
    const VariableRange& v = ranges_[k];
    return v.low + (v.high - v.low) * double(i) / double(places_ - 1);
  }

  const std::vector<VariableRange>& ranges_;
  std::vector<int> along_;
  std::size_t places_ = 1, points_ = 1;
};

using Numbers = std::vector<std::vector<float>>;

Json quantity(const std::string& name, const std::string& unit, const std::vector<float>& values) {
  return {{"name", name}, {"unit", unit}, {"values", base64(values)}};
}

Json table_json(const LookupTable& t, const TableReport& report, const mubody::Region& r, int region) {
  const std::vector<int> along(t.arguments().begin(), t.arguments().begin() + std::ptrdiff_t(t.axes().size()));
  const auto nq = std::size_t(t.quantities());
  const PlottedNet net(r, along, nq);
  Numbers columns(nq, std::vector<float>(net.points()));
  std::vector<double> values(nq), scratch(t.scratch());
  for (std::size_t at = 0; at < net.points(); ++at) {
    t.evaluate(net.theta(at).data(), values.data(), nullptr, scratch.data());
    for (std::size_t q = 0; q < nq; ++q) columns[q][at] = float(values[q]);
  }
  Json all = Json::array();
  for (std::size_t q = 0; q < nq; ++q) {
    const Sampled::Quantity& what = report.quantities[q];
    all.push_back(quantity(what.name, what.unit, columns[q]));
    all.back()["error"] = report.certificate.value[q];
  }
  return {{"what", report.what},     {"region", region},   {"cells", report.cells},
          {"checks", report.checks}, {"axes", net.axes()}, {"quantities", std::move(all)}};
}

/// Angles and slides of joints where the tables put the bodies.
std::optional<Json> joints_json(const Precomputed& p, const Mechanism& m, int region) {
  const mubody::Region& r = p.model.regions[std::size_t(region)];
  std::vector<int> along;
  for (std::size_t k = 0; k < r.variables.size(); ++k)
    if (!r.variables[k].cyclic) along.push_back(int(k));
  const std::vector<Variable> joints = joint_coordinates(m);
  if (joints.empty() || along.size() > 3) return std::nullopt;
  const PlottedNet net(r, along, joints.size());
  RealTime run(p.model, m);
  RealTime::State s = run.start();
  s.region = region;
  ScalarRows rows(m, joints);
  VecX q(Eigen::Index(p.model.gain.size() / r.variables.size())), values(rows.size());
  Numbers columns(joints.size(), std::vector<float>(net.points()));
  for (std::size_t step = 0; step < net.points(); ++step) {
    const std::size_t at = net.visited(step);
    std::ranges::copy(net.theta(at), s.theta.begin());
    run.positions(s, q);
    rows.at(q, values);
    for (std::size_t k = 0; k < joints.size(); ++k) columns[k][at] = float(values[Eigen::Index(k)]);
  }
  Json all = Json::array();
  for (std::size_t k = 0; k < joints.size(); ++k)
    all.push_back(quantity(joints[k].name, joints[k].unit, columns[k]));
  return Json{
      {"what", "angles and slides of joints"}, {"region", region}, {"axes", net.axes()}, {"quantities", all}};
}
}  // namespace

std::string tables_html(const Precomputed& p, const Mechanism& m) {
  Json data{{"kind", "tables"},
            {"version", version()},
            {"model", p.model.name},
            {"summary", p.model.summary},
            {"regions", p.model.regions.size()},
            {"tables", Json::array()}};
  std::size_t report = 0;
  for (std::size_t k = 0; k < p.model.regions.size(); ++k) {
    const mubody::Region& r = p.model.regions[k];
    if (auto joints = joints_json(p, m, int(k))) data["tables"].push_back(std::move(*joints));
    for (const LookupTable* t : tables_of(r))
      data["tables"].push_back(table_json(*t, p.tables[report++], r, int(k)));
  }
  return page_with("charts", data);
}
}  // namespace mubody::io
