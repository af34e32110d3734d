#include "mubody/precompute/series_report.h"

#include <algorithm>
#include <cmath>

#include "mubody/precompute/tables/taylor.h"

namespace mubody {
namespace {
struct Size {
  double length = 0, angle = 0;
  void add(const BodyLayout& layout, int k, double change) {
    if (k < layout.lengths)
      length = std::hypot(length, change);
    else
      angle = std::hypot(angle, layout.turning * change);
  }
};
}  // namespace

void report_series(const TableReport& table, const std::vector<int>& order, const BodyLayout& layout,
                   const std::vector<std::string>& small, bool design, Precomputed& made) {
  const auto n = int(small.size());
  const int pairs = n * (n + 1) / 2;
  if (!design && made.neglected.empty())
    for (int s = 0; s < n; ++s)
      for (int t = 0; t <= s; ++t)
        made.neglected.push_back({{small[std::size_t(s)], small[std::size_t(t)]}, 0, 0});
  const std::vector<double>& largest = table.certificate.largest;
  // Velocity coefficients lie between the coordinates.  Their slopes are used at run time, those of coordinates
  // not.
  std::vector<Size> left(std::size_t(std::max(pairs, 0)));
  int coordinate = 0;
  std::size_t at = 0;
  for (const int o : order) {
    const std::size_t first = at;
    at += std::size_t(terms_of(o, n));
    const Sampled::Quantity& what = table.quantities[first];
    if (what.slopes_used) continue;
    for (int s = 0; design && s < n; ++s)
      made.sensitivities.push_back(
          {what.name, small[std::size_t(s)], what.unit, largest[first + 1 + std::size_t(s)]});
    for (std::size_t p = 0; !design && p < left.size(); ++p)
      left[p].add(layout, coordinate, largest[first + 1 + std::size_t(n) + p]);
    if (++coordinate < layout.coordinates) continue;
    coordinate = 0;
    for (std::size_t p = 0; !design && p < left.size(); ++p) {
      made.neglected[p].length = std::max(made.neglected[p].length, left[p].length);
      made.neglected[p].angle = std::max(made.neglected[p].angle, left[p].angle);
      left[p] = {};
    }
  }
}
}  // namespace mubody
