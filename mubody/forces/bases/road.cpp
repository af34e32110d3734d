#include "mubody/forces/bases/road.h"

#include <array>
#include <cmath>
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
