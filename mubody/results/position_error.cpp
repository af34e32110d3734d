#include "mubody/results/position_error.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mubody/results/common_times.h"

namespace mubody {
namespace {
using Series = std::vector<double>;

std::string_view quantity(std::string_view channel) { return channel.substr(channel.rfind('.') + 1); }
bool is_first_parameter(std::string_view channel) {
  return channel.find('.') != std::string_view::npos && quantity(channel) == "e0";
}

/// Euler parameters over time, with signs such that they change little from row to row.
using Orientations = std::array<Series, 4>;

/// The turns of the body whose first parameter is in that channel; none if one of the four is missing.
std::optional<Orientations> turns_of(const Table& table, const std::string& first) {
  const std::string body = first.substr(0, first.rfind('.'));
  Orientations e;
  for (std::size_t k = 0; k < e.size(); ++k) {
    const std::string name = body + ".e" + std::to_string(k);
    if (table.find(name) < 0) return {};
    e[k] = table.column(name);
  }
  for (std::size_t row = 1; row < e[0].size(); ++row) {
    double along = 0;
    for (const Series& x : e) along += x[row] * x[row - 1];
    if (along < 0)
      for (Series& x : e) x[row] = -x[row];
  }
  return e;
}

/// Angle of the rotation between two orientations [rad].
double angle_between(const Orientations& a, const Orientations& b, std::size_t row_a, std::size_t row_b) {
  double minus = 0, plus = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    minus += (a[k][row_a] - b[k][row_b]) * (a[k][row_a] - b[k][row_b]);
    plus += (a[k][row_a] + b[k][row_b]) * (a[k][row_a] + b[k][row_b]);
  }
  return 4 * std::asin(std::min(1.0, std::sqrt(std::min(minus, plus)) / 2));
}

/// Gathers differences channel by channel.
class Gatherer {
 public:
  explicit Gatherer(std::span<const double> times) : times_(times) { error_.until = times.back(); }

  void add(const std::string& channel, bool turns, const Series& difference) {
    double& largest = turns ? error_.angle : error_.length;
    double& at_end = turns ? error_.end_angle : error_.end_length;
    for (std::size_t row = 0; row < times_.size(); ++row) {
      if (difference[row] > error_.largest() || error_.worst.empty())
        error_.worst = channel, error_.at = times_[row];
      largest = std::max(largest, difference[row]);
    }
    at_end = std::max(at_end, difference.back());
    any_ = true;
  }
  std::optional<PositionError> result() const { return any_ ? std::optional(error_) : std::nullopt; }

 private:
  std::span<const double> times_;
  PositionError error_;
  bool any_ = false;
};
}  // namespace

std::string_view unit_of_position(std::string_view channel) {
  if (channel.find('.') == std::string_view::npos) return "";
  const std::string_view q = quantity(channel);
  if (q == "x" || q == "y" || q == "z") return "m";
  if (q == "angle") return "rad";
  return q == "e0" || q == "e1" || q == "e2" || q == "e3" ? "1" : "";
}

Table positions_of(const Results& r, std::span<const std::string_view> tables) {
  Table all{"positions", {{"time", "s"}}, {}};
  std::vector<std::pair<const Table*, std::size_t>> sources;
  std::size_t rows = 0;
  for (const std::string_view name : tables) {
    const Table* table = r.find(name);
    if (!table) continue;
    if (sources.empty()) sources.emplace_back(table, 0), rows = table->rows();
    for (std::size_t k = 1; k < table->columns.size(); ++k) {
      if (unit_of_position(table->columns[k].name).empty()) continue;
      all.columns.push_back(table->columns[k]);
      sources.emplace_back(table, k);
    }
  }
  Series values;
  for (std::size_t row = 0; row < rows; ++row) {
    values.clear();
    for (const auto& [table, column] : sources) values.push_back(table->at(row, column));
    if (!std::ranges::all_of(values, [](double x) { return std::isfinite(x); })) break;
    all.values.insert(all.values.end(), values.begin(), values.end());
  }
  return all;
}

double PositionError::largest() const { return std::max(length, angle); }
double PositionError::at_end() const { return std::max(end_length, end_angle); }

std::optional<PositionError> position_error(const Table& positions, const Table& reference) {
  if (positions.rows() == 0 || reference.rows() == 0) return {};
  const Series mine = positions.column(positions.columns[0].name);
  const Series theirs = reference.column(reference.columns[0].name);
  const Series times = common_times(mine, theirs);
  if (times.empty()) return {};

  Gatherer gatherer(times);
  Series difference(times.size());
  for (std::size_t k = 1; k < positions.columns.size(); ++k) {
    const std::string& name = positions.columns[k].name;
    if (is_first_parameter(name)) {
      auto a = turns_of(positions, name), b = turns_of(reference, name);
      if (!a || !b) continue;
      for (std::size_t i = 0; i < a->size(); ++i) {
        (*a)[i] = values_at(times, mine, (*a)[i]);
        (*b)[i] = values_at(times, theirs, (*b)[i]);
      }
      for (std::size_t row = 0; row < times.size(); ++row) difference[row] = angle_between(*a, *b, row, row);
      gatherer.add(name.substr(0, name.rfind('.')) + ".orientation", true, difference);
    } else if (reference.find(name) > 0 && unit_of_position(name) != "1") {
      const Series a = values_at(times, mine, positions.column(name));
      const Series b = values_at(times, theirs, reference.column(name));
      for (std::size_t row = 0; row < times.size(); ++row) difference[row] = std::abs(a[row] - b[row]);
      gatherer.add(name, unit_of_position(name) == "rad", difference);
    }
  }
  return gatherer.result();
}

Travel travel_of(const Table& positions) {
  Travel travel;
  if (positions.rows() == 0) return travel;
  for (std::size_t k = 1; k < positions.columns.size(); ++k) {
    const std::string& name = positions.columns[k].name;
    if (is_first_parameter(name)) {
      const auto e = turns_of(positions, name);
      for (std::size_t row = 0; e && row < positions.rows(); ++row)
        travel.angle = std::max(travel.angle, angle_between(*e, *e, row, 0));
    } else if (unit_of_position(name) != "1") {
      const Series x = positions.column(name);
      const auto [low, high] = std::ranges::minmax(x);
      double& largest = unit_of_position(name) == "rad" ? travel.angle : travel.length;
      largest = std::max(largest, high - low);
    }
  }
  return travel;
}
}  // namespace mubody
