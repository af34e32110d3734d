#include "mubody/forces/bases/road.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <span>

namespace mubody {
namespace {
// ISO 8608: the spectrum of heights is G(n) = G(n0) (n/n0)^-2 [m³], n0 = 0.1 cycles/m, for wave numbers n from 0.011 to 2.83
// cycles/m; G(n0) is the geometric mean of each class.
constexpr double at_n0[] = {0, 16e-6, 64e-6, 256e-6, 1024e-6, 4096e-6};
constexpr double n0 = 0.1, first_n = 0.011, last_n = 2.83;
constexpr int waves = 40;
}  // namespace

Expression Road::parsed(const std::string& text) {
  const std::string variables[] = {"x", "y"};
  try {
    return Expression::parse(text, variables);
  } catch (const ExpressionError& e) {
    throw FieldError("formula", e.located());
  }
}

void Road::check() const {
  if (!formula.empty()) parsed(formula);
  require(grid.columns.empty() || grid.columns.size() == 3, "grid", "must have three columns: x, y, height");
  if (!grid.columns.empty()) HeightGrid(grid.columns, "grid");
  require(seed >= 0, "seed", "must not be negative");
}

// Each wave stands for a band of wave numbers, equal in their logarithm, and has the power of the band.
void Road::prepare() {
  formula_.reset(), grid_.reset(), waves_.clear();
  if (!formula.empty()) formula_ = parsed(formula);
  if (!grid.columns.empty()) grid_ = std::make_shared<HeightGrid>(grid.columns, "grid");
  if (roughness.index == 0) return;
  std::mt19937 bits(static_cast<unsigned>(seed));
  const auto random = [&] { return (double(bits()) + 0.5) / 4294967296.0; };  // the same on every machine
  const double ratio = std::pow(last_n / first_n, 1.0 / waves);
  for (int k = 0; k < waves; ++k) {
    const double low = first_n * std::pow(ratio, k), n = low * std::pow(ratio, random());
    const double power = at_n0[roughness.index] * std::pow(n / n0, -2) * low * (ratio - 1);
    const double c = 2 * random() - 1, phase = double(2 * EIGEN_PI) * random();
    waves_.push_back({std::sqrt(2 * power), double(2 * EIGEN_PI) * n, c, phase});
  }
}

// Where a wheel meets its road is looked for again and again at x = c + R z', see tyre_contact.cpp; that goes back and forth where
// x + R z' falls.  What is missed of the height is about half the radius times the square of the change of slope.
std::optional<double> Road::edge(double radius) const {
  constexpr double far = 250, little = 1e-9, noticed = 0.045;  // [m], shares of the way, change of slope
  constexpr int samples = 10'000, between = 4;
  if (!profile.varies()) return {};
  const auto [first, last] = profile.kind().data_range().value_or(std::pair(-far, far));
  const Breakpoints bends = profile.kind().breakpoints(first, last);
  std::vector<double> places = bends.jumps;
  places.insert(places.end(), bends.knots.begin(), bends.knots.end());
  std::ranges::sort(places);
  std::vector<double> ways;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double next = k + 1 < places.size() ? places[k + 1] : places[k];
    ways.insert(ways.end(), {places[k] - little * (last - first), places[k] + little * (last - first)});
    for (int j = 1; j < between; ++j) ways.push_back(places[k] + (next - places[k]) * j / between);
  }
  for (int k = 0; k <= samples; ++k) ways.push_back(first + (last - first) * k / samples);
  std::ranges::sort(ways);
  double most = -std::numeric_limits<double>::infinity();
  for (const double x : ways) {
    const double leads_to = profile(x).v + x / radius;
    if (most - leads_to > noticed) return x;
    most = std::max(most, leads_to);
  }
  return {};
}

template <class R> HeightAt<R> Road::at(const R& x, const R& y) const {
  const JetOf<R> along = profile(x);
  HeightAt<R> s{along.x, along.v, 0};
  if (formula_) {
    const JetOf<R> by_x[] = {{x, 1, 0}, {y, 0, 0}}, by_y[] = {{x, 0, 0}, {y, 1, 0}};
    const JetOf<R> one = (*formula_)(std::span<const JetOf<R>>(by_x)),
                   other = (*formula_)(std::span<const JetOf<R>>(by_y));
    s.z += one.x, s.dx += one.v, s.dy += other.v;
  }
  if (grid_) {
    const HeightAt<R> more = grid_->at(x, y);
    s.z += more.z, s.dx += more.dx, s.dy += more.dy;
  }
  for (const Wave& w : waves_) {
    const R angle = w.k * (x + w.c * y) + w.phase, slope = w.a * w.k * cos(angle);
    s.z += w.a * sin(angle), s.dx += slope, s.dy += w.c * slope;
  }
  return s;
}
template HeightAt<double> Road::at(const double&, const double&) const;
template HeightAt<Recorded> Road::at(const Recorded&, const Recorded&) const;
}  // namespace mubody
