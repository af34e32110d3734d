#include "mubody/sweep/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mubody {
namespace {
double quantile(const std::vector<double>& sorted, double p) {
  const double at = p * double(sorted.size() - 1);
  const auto below = std::size_t(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - double(below)) * (sorted[below + 1] - sorted[below]);
}

// The message without its numbers: messages that differ only in numbers give the same reason.
std::string without_numbers(const std::string& message) {
  std::string shape;
  bool in_number = false;
  for (const char c : message) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !in_number) shape += '#';
    in_number = digit || (in_number && (c == '.' || c == 'e' || c == '-' || c == '+'));
    if (!in_number) shape += c;
  }
  return shape;
}
}  // namespace

ColumnStatistics statistics_of(std::vector<double> x) {
  ColumnStatistics c;
  c.n = x.size();
  std::ranges::sort(x);
  c.min = x.front(), c.max = x.back();
  // Sums are taken about the smallest number, so that a large mean does not cost the digits of a small spread.
  for (const double v : x) c.mean += (v - c.min) / double(c.n);
  double squares = 0;
  for (const double v : x) squares += (v - c.min - c.mean) * (v - c.min - c.mean);
  c.mean += c.min;
  if (c.n > 1) c.sd = std::sqrt(squares / double(c.n - 1));
  c.q05 = quantile(x, 0.05), c.q25 = quantile(x, 0.25), c.median = quantile(x, 0.5), c.q75 = quantile(x, 0.75);
  c.q95 = quantile(x, 0.95);
  return c;
}

SweepStatistics statistics_of(const std::vector<SweepRow>& rows, std::size_t points,
                              const std::vector<std::string>& varied, const std::vector<std::string>& kept) {
  SweepStatistics s;
  s.points = points;
  std::map<std::string, SweepStatistics::Reason> reasons;
  for (const SweepRow& row : rows) {
    (row.outcome == SweepRow::good ? s.good : row.outcome == SweepRow::doubtful ? s.doubtful : s.failed) += 1;
    if (row.outcome == SweepRow::good) continue;
    auto& reason = reasons[without_numbers(row.message)];
    if (reason.count++ == 0) reason.message = row.message, reason.first = row.index;
  }
  for (auto& [unused, reason] : reasons) s.reasons.push_back(std::move(reason));
  std::ranges::stable_sort(s.reasons, std::greater(), &SweepStatistics::Reason::count);

  const auto add = [&](const std::string& name, bool is_varied, std::size_t k) {
    std::vector<double> numbers;
    for (const SweepRow& row : rows) {
      const std::vector<double>& from = is_varied ? row.values : row.kept;
      if (row.outcome == SweepRow::good && std::isfinite(from[k])) numbers.push_back(from[k]);
    }
    ColumnStatistics c = numbers.empty() ? ColumnStatistics{} : statistics_of(std::move(numbers));
    c.name = name;
    c.varied = is_varied;
    s.columns.push_back(std::move(c));
  };
  for (std::size_t k = 0; k < varied.size(); ++k) add(varied[k], true, k);
  for (std::size_t k = 0; k < kept.size(); ++k) add(kept[k], false, k);
  return s;
}
}  // namespace mubody
