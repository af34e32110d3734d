#include "mubody/report/thin.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mubody::io {
namespace {
bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

/// How dispensable a column is: 0 for those that the mechanism is drawn from.
int rank_of(const Table& table, const std::string& name) {
  const bool is_total = name.find('.') == std::string::npos;
  if (table.name == "bodies")
    return ends_with_any(name, {".x", ".y", ".z", ".angle", ".e0", ".e1", ".e2", ".e3"}) ? 0
           : ends_with_any(name, {".vx", ".vy", ".vz", ".omega", ".wx", ".wy", ".wz"})   ? 3
                                                                                         : 4;
  if (table.name == "joints") return 2;
  if (table.name == "violations") return is_total && !name.starts_with('.') ? 1 : 4;
  return 1;
}

/// Numbers of one column, measured by its range.
struct Measured {
  const Table* table = nullptr;
  std::size_t column = 0;
  double per_range = 0;  // 1 / range; 0 for a constant column

  double at(std::size_t row) const { return table->at(row, column); }
};

/// Whether a column is rounding by nature, equally rough on any scale.
bool is_noise(const Table& table, std::size_t column) {
  return table.name == "violations" || (table.name == "energy" && table.columns[column].name == "residual");
}

Measured measured(const Table& table, std::size_t column) {
  if (is_noise(table, column)) return {&table, column, 0};
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double x = table.at(row, column);
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  }
  return {&table, column, high > low ? 1 / (high - low) : 0};
}

/// Distance of a row from the line between rows a and b, divided by the range; 0 where it is not a number.
double off_line(const Measured& m, double share, std::size_t a, std::size_t row, std::size_t b) {
  const double off = std::abs(m.at(row) - (m.at(a) + share * (m.at(b) - m.at(a)))) * m.per_range;
  return std::isfinite(off) ? off : 0;
}

double share_of(const Table& clock, std::size_t a, std::size_t row, std::size_t b) {
  return (clock.at(row, 0) - clock.at(a, 0)) / (clock.at(b, 0) - clock.at(a, 0));
}

struct Worst {
  double off = -1;
  std::size_t row = 0, which = 0;
};

/// The row between a and b that is furthest from the line between them.
Worst furthest(const std::vector<Measured>& columns, std::size_t a, std::size_t b) {
  Worst worst;
  const Table& clock = *columns.front().table;
  for (std::size_t row = a + 1; row < b; ++row) {
    const double share = share_of(clock, a, row, b);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (const double off = off_line(columns[k], share, a, row, b); off > worst.off) worst = {off, row, k};
  }
  return worst;
}

std::vector<Picked> columns_by_rank(std::span<const Table* const> tables) {
  std::vector<Picked> all;
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t c = 1; c < tables[t]->columns.size(); ++c) all.push_back({t, c});
  const auto rank = [&](const Picked& p) {
    return rank_of(*tables[p.table], tables[p.table]->columns[p.column].name);
  };
  std::ranges::stable_sort(all, {}, rank);
  return all;
}
}  // namespace

Thinned thin(std::span<const Table* const> tables, const ThinLimits& limits) {
  Thinned result;
  const std::size_t rows = tables.empty() ? 0 : tables[0]->rows();
  result.columns = columns_by_rank(tables);
  const std::size_t fit = limits.values / std::max<std::size_t>(1, std::min(rows, limits.fewest));
  if (result.columns.size() > fit) {
    result.left_out = result.columns.size() - fit;
    result.columns.resize(fit);
  }
  std::ranges::sort(result.columns, {}, [](const Picked& p) { return std::pair(p.table, p.column); });
  const std::size_t most =
      std::min(limits.rows, limits.values / std::max<std::size_t>(1, result.columns.size()));
  if (rows <= std::max<std::size_t>(most, 2) || result.columns.empty()) {
    for (std::size_t row = 0; row < rows; ++row) result.rows.push_back(row);
    return result;
  }

  std::vector<Measured> columns;
  for (const Picked& p : result.columns) columns.push_back(measured(*tables[p.table], p.column));
  const std::size_t stretches = std::max<std::size_t>(1, (most - 1) / 2);
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t a = k * (rows - 1) / stretches, b = (k + 1) * (rows - 1) / stretches;
    result.rows.push_back(a);
    if (b > a + 1) result.rows.push_back(furthest(columns, a, b).row);
  }
  result.rows.push_back(rows - 1);
  for (std::size_t k = 0; k + 1 < result.rows.size(); ++k) {
    const Worst worst = furthest(columns, result.rows[k], result.rows[k + 1]);
    if (worst.off <= result.error) continue;
    const Measured& m = columns[worst.which];
    result.error = worst.off;
    result.worst = m.table->columns[m.column].name;
  }
  return result;
}
}  // namespace mubody::io
