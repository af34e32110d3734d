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
                   Precomputed& made) {
  const std::vector<StiffVariable>& stiff = made.model.stiff;
  const std::vector<DesignVariable>& design = made.model.design;
  const auto n = int(stiff.size());
  if (made.neglected.empty())
    for (std::size_t s = 0; s < stiff.size(); ++s)
      for (std::size_t t = 0; t <= s; ++t) made.neglected.push_back({{stiff[s].name, stiff[t].name}, 0, 0});
  const std::vector<double>& largest = table.certificate.largest;
  const std::size_t each = 1 + design.size();  // numbers of a term
  // Velocity coefficients lie between the coordinates.  Their slopes are used at run time, those of coordinates
  // not.
  std::vector<Size> left(made.neglected.size());
  int coordinate = 0;
  std::size_t term = 0;
  for (const int o : order) {
    const std::size_t first = term * each, pairs = (term + 1 + std::size_t(n)) * each;
    term += std::size_t(terms_of(o, n));
    const Sampled::Quantity& what = table.quantities[first];
    if (what.slopes_used) continue;
    for (std::size_t s = 0; s < design.size(); ++s)
      made.sensitivities.push_back({what.name, design[s].name, what.unit, largest[first + 1 + s]});
    for (std::size_t p = 0; p < left.size(); ++p) left[p].add(layout, coordinate, largest[pairs + p * each]);
    if (++coordinate < layout.coordinates) continue;
    coordinate = 0;
    for (std::size_t p = 0; p < left.size(); ++p) {
      made.neglected[p].length = std::max(made.neglected[p].length, left[p].length);
      made.neglected[p].angle = std::max(made.neglected[p].angle, left[p].angle);
      left[p] = {};
    }
  }
}
}  // namespace mubody
