#include "mubody/writing/write_tabulated.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/text/write_table.h"

namespace mubody::io {
namespace {
constexpr double most_rows = 2000;        // of a region
constexpr std::size_t most_places = 181;  // along a variable: every two degrees of a turn

/// Columns by name, in the order in which they were first asked for.
class Columns {
 public:
  std::size_t operator()(const std::string& name, const std::string& unit) {
    const std::string title = fmt::format("{}[{}]", name, unit);
    const auto at = std::ranges::find(titles_, title);
    if (at != titles_.end()) return std::size_t(at - titles_.begin());
    titles_.push_back(title);
    return titles_.size() - 1;
  }
  const std::vector<std::string>& titles() const { return titles_; }

 private:
  std::vector<std::string> titles_;
};

/// A table, and the columns of its quantities.
struct Shown {
  const LookupTable* table;
  std::vector<std::size_t> columns;
};

/// The places of point number `index` on a net over the ranges; cyclic variables, which nothing depends on, stay where they
/// are.
std::vector<double> point(const std::vector<VariableRange>& ranges, std::size_t places, std::size_t index) {
  std::vector<double> theta(ranges.size());
  for (std::size_t k = ranges.size(); k-- > 0;) {
    theta[k] = ranges[k].low;
    if (ranges[k].cyclic) continue;
    theta[k] += (ranges[k].high - ranges[k].low) * double(index % places) / double(places - 1);
    index /= places;
  }
  return theta;
}

class Net {
 public:
  explicit Net(const Precomputed& p) : p_(p) {
    for (const Region& r : p.model.regions)
      for (const VariableRange& v : r.variables) columns_(v.name, v.unit);
    std::size_t report = 0;
    for (const Region& r : p.model.regions) {
      shown_.emplace_back();
      for (const LookupTable* t : tables_of(r)) {
        shown_.back().push_back({t, {}});
        for (const Sampled::Quantity& q : p.tables[report].quantities)
          shown_.back().back().columns.push_back(columns_(q.name, q.unit));
        ++report;
      }
    }
  }

  std::string text() {
    std::string all(tabulated_csv_start.substr(0, tabulated_csv_start.size() - 1));
    for (const std::string& title : columns_.titles()) all += "," + csv_cell(title);
    all += "\n";
    for (std::size_t r = 0; r < shown_.size(); ++r) add_region(r, all);
    return all;
  }

 private:
  void add_region(std::size_t r, std::string& all) {
    const std::vector<VariableRange>& ranges = p_.model.regions[r].variables;
    const std::size_t n = ranges.size(),
                      axes = n - std::size_t(std::ranges::count(ranges, true, &VariableRange::cyclic));
    const std::size_t places =
        std::clamp(std::size_t(std::pow(most_rows, 1.0 / double(std::max<std::size_t>(1, axes)))),
                   std::size_t(2), most_places);
    std::size_t rows = 1;
    for (std::size_t k = 0; k < axes; ++k) rows *= places;
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<std::string> cells(columns_.titles().size());
      std::vector<double> theta = point(ranges, places, row);
      for (std::size_t k = 0; k < n; ++k)
        cells[columns_(ranges[k].name, ranges[k].unit)] = fmt::format("{}", theta[k]);
      for (const Shown& s : shown_[r]) {
        std::vector<double> values(std::size_t(s.table->quantities())), scratch(s.table->scratch());
        s.table->evaluate(theta.data(), values.data(), nullptr, scratch.data());
        for (std::size_t q = 0; q < values.size(); ++q) cells[s.columns[q]] = fmt::format("{}", values[q]);
      }
      all += fmt::format("{},{}\n", r + 1, fmt::join(cells, ","));
    }
  }

  const Precomputed& p_;
  Columns columns_;
  std::vector<std::vector<Shown>> shown_;  // region by region
};
}  // namespace

std::vector<const LookupTable*> tables_of(const mubody::Region& r) {
  std::vector<const LookupTable*> all;
  for (const DynamicsTable& t : r.dynamics) all.push_back(&t.table);
  for (const BodyTable& t : r.bodies) all.push_back(&t.table);
  for (const ScalarTable& t : r.scalars) all.push_back(&t.table);
  if (r.next.quantities() > 0) all.push_back(&r.next);
  return all;
}

std::string tabulated_csv(const Precomputed& p) { return Net(p).text(); }
}  // namespace mubody::io
