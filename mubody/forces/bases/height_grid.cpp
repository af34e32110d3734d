#include "mubody/forces/bases/height_grid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "mubody/model/errors.h"

namespace mubody {
namespace {
std::vector<double> sorted_once(std::vector<double> all) {
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// The slope at point k of a curve through points.
template <class Value> double slope_at(const std::vector<double>& x, std::size_t k, const Value& f) {
  const auto chord = [&](std::size_t n) { return (f(n + 1) - f(n)) / (x[n + 1] - x[n]); };
  if (k == 0) return chord(0);
  if (k + 1 == x.size()) return chord(k - 1);
  const double before = x[k] - x[k - 1], after = x[k + 1] - x[k];
  return (after * chord(k - 1) + before * chord(k)) / (before + after);
}

// The coefficients of a cubic from its values and slopes at 0 and at 1.
std::array<double, 4> cubic(double f0, double f1, double d0, double d1) {
  return {f0, d0, 3 * (f1 - f0) - 2 * d0 - d1, 2 * (f0 - f1) + d0 + d1};
}
}  // namespace

HeightGrid::HeightGrid(const std::vector<std::vector<double>>& xyz, const char* field) {
  const auto& xs = xyz[0];
  for (const auto& column : xyz)
    for (const double v : column) require(std::isfinite(v), field, "must have finite numbers");
  x_ = sorted_once(xs), y_ = sorted_once(xyz[1]);
  require(x_.size() >= 2 && y_.size() >= 2, field, "must have two values of x and two of y, or more");
  const std::size_t nx = x_.size(), ny = y_.size();
  std::map<std::pair<double, double>, double> known;
  for (std::size_t k = 0; k < xs.size(); ++k) known[{xs[k], xyz[1][k]}] = xyz[2][k];
  require(known.size() == nx * ny && xs.size() == nx * ny, field,
          "must have one height for each of the " + std::to_string(nx) + " values of x and each of the " +
              std::to_string(ny) + " values of y; it has " + std::to_string(xs.size()) + " rows");
  std::vector<double> z;  // row by row of x, in the order of the map
  for (const auto& [at, height] : known) z.push_back(height);

  std::vector<double> zx(z.size()), zy(z.size()), zxy(z.size());
  for (std::size_t i = 0; i < nx; ++i)
    for (std::size_t j = 0; j < ny; ++j) {
      zx[i * ny + j] = slope_at(x_, i, [&](std::size_t n) { return z[n * ny + j]; });
      zy[i * ny + j] = slope_at(y_, j, [&](std::size_t n) { return z[i * ny + n]; });
    }
  for (std::size_t i = 0; i < nx; ++i)
    for (std::size_t j = 0; j < ny; ++j)
      zxy[i * ny + j] = slope_at(x_, i, [&](std::size_t n) { return zy[n * ny + j]; });

  for (std::size_t i = 0; i + 1 < nx; ++i)
    for (std::size_t j = 0; j + 1 < ny; ++j) {
      const double hx = x_[i + 1] - x_[i], hy = y_[j + 1] - y_[j];
      cells_.insert(cells_.end(), {x_[i], y_[j], 1 / hx, 1 / hy});
      const std::size_t a = i * ny + j, b = a + ny;
      // Cubics along x of the values and of the slopes across, at both edges; then across.
      const auto low = cubic(z[a], z[b], hx * zx[a], hx * zx[b]),
                 high = cubic(z[a + 1], z[b + 1], hx * zx[a + 1], hx * zx[b + 1]),
                 low_slope = cubic(hy * zy[a], hy * zy[b], hx * hy * zxy[a], hx * hy * zxy[b]),
                 high_slope = cubic(hy * zy[a + 1], hy * zy[b + 1], hx * hy * zxy[a + 1], hx * hy * zxy[b + 1]);
      for (std::size_t k = 0; k < 4; ++k)
        for (const double c : cubic(low[k], high[k], low_slope[k], high_slope[k])) cells_.push_back(c);
    }
}
}  // namespace mubody
