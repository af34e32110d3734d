#include "mubody/math/interpolant.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mubody {
namespace {
/// A slope between two lines that lets a cubic rise or fall with both: zero where they turn.  Fritsch and Butland, "A method
/// for constructing local monotone piecewise cubic interpolants", SIAM J. Sci. Stat. Comput. 5 (1984), eq. 4.
double between(double h0, double d0, double h1, double d1) {
  if (d0 * d1 <= 0) return 0;
  const double w0 = h0 + 2 * h1, w1 = 2 * h0 + h1;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/// The slope at the first point from the first two lines, no steeper than keeps the cubic monotone.
double at_end(double h0, double d0, double h1, double d1) {
  const double m = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (m * d0 <= 0) return 0;
  return d0 * d1 < 0 && std::abs(m) > 3 * std::abs(d0) ? 3 * d0 : m;
}
}  // namespace

Interpolant::Interpolant(By by, std::vector<double> x, std::vector<double> y, CubicSpline::Ends ends,
                         double start_slope, double end_slope)
    : by_(by), periodic_(ends == CubicSpline::Ends::periodic), x_(std::move(x)), y_(std::move(y)) {
  check_knots(x_, y_);
  if (periodic_) y_.back() = y_.front();
  if (by_ == By::spline) spline_ = CubicSpline(x_, y_, ends, start_slope, end_slope);
  find_slopes();
}

void Interpolant::find_slopes() {
  const std::size_t lines = x_.size() - 1;
  const auto h = [&](std::size_t k) { return x_[k + 1] - x_[k]; };
  const auto d = [&](std::size_t k) { return (y_[k + 1] - y_[k]) / h(k); };
  slope_.assign(lines + 1, 0);
  if (by_ == By::spline) {
    for (std::size_t k = 0; k <= lines; ++k) slope_[k] = spline_.at(x_[k]).v;
  } else if (by_ == By::linear || lines == 1) {
    for (std::size_t k = 0; k < lines; ++k) slope_[k] = d(k);
    slope_[lines] = d(lines - 1);
  } else {
    for (std::size_t k = 1; k < lines; ++k) slope_[k] = between(h(k - 1), d(k - 1), h(k), d(k));
    slope_[0] = at_end(h(0), d(0), h(1), d(1));
    slope_[lines] = at_end(h(lines - 1), d(lines - 1), h(lines - 2), d(lines - 2));
    if (periodic_) slope_[0] = slope_[lines] = between(h(lines - 1), d(lines - 1), h(0), d(0));
  }
}

// The cubic, or line, from point k to the next.
Cubic Interpolant::piece_of(std::size_t k) const {
  const double h = x_[k + 1] - x_[k], d = (y_[k + 1] - y_[k]) / h;
  if (by_ == By::linear) return {x_[k], y_[k], d, 0, 0};
  const double m = slope_[k], next = slope_[k + 1];
  return {x_[k], y_[k], m, (3 * d - 2 * m - next) / h, (m + next - 2 * d) / (h * h)};
}

Jet Interpolant::at(double x) const { return curve(x); }

std::pair<double, double> Interpolant::range() const {
  auto [low, high] = std::ranges::minmax(y_);
  for (std::size_t k = 0; k + 1 < x_.size() && by_ != By::linear; ++k) {
    const double h = x_[k + 1] - x_[k], d = (y_[k + 1] - y_[k]) / h, m = slope_[k], next = slope_[k + 1];
    // Where the slope m + 2 c2 s + 3 c3 s² is zero.
    const double c2 = (3 * d - 2 * m - next) / h, c3 = (m + next - 2 * d) / (h * h);
    const double root = std::sqrt(std::max(0.0, c2 * c2 - 3 * c3 * m));
    for (const double q : {-c2 - root, -c2 + root})
      for (const double s : {q / (3 * c3), m / q})
        if (s > 0 && s < h) {
          const double y = y_[k] + s * (m + s * (c2 + s * c3));
          low = std::min(low, y), high = std::max(high, y);
        }
  }
  return {low, high};
}

// A door at the last point that was kept closes as points come by; when it is shut, the point before is kept.
std::vector<double> bends(const std::vector<double>& x, const std::vector<double>& y, double share) {
  const auto [low, high] = std::ranges::minmax(y);
  const double tolerance = share * (high - low);
  std::vector<double> kept{x.front()};
  constexpr double wide = std::numeric_limits<double>::infinity();
  double least = -wide, most = wide;
  std::size_t from = 0;
  for (std::size_t k = 1; k < x.size(); ++k) {
    const double h = x[k] - x[from], rise = y[k] - y[from];
    least = std::max(least, (rise - tolerance) / h), most = std::min(most, (rise + tolerance) / h);
    if (least <= most) continue;
    from = k - 1;
    kept.push_back(x[from]);
    least = (y[k] - y[from] - tolerance) / (x[k] - x[from]),
    most = (y[k] - y[from] + tolerance) / (x[k] - x[from]);
  }
  if (kept.back() < x.back()) kept.push_back(x.back());
  return kept;
}
}  // namespace mubody
