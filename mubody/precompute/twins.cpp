#include "mubody/precompute/twins.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace mubody {
namespace {
constexpr int places = 24;
constexpr double alike_values = 1e-10, alike_ends = 1e-12;

/// A place in the ranges, from the other end along flipped axes.
VecX place(int k, const std::vector<Axis>& axes, const std::vector<double>& flips) {
  VecX x{Eigen::Index(axes.size())};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const double share =
        std::fmod(0.5 + 0.618034 * (k + 1) * double(a + 1) + 0.414214 * double(a * a * k), 1.0);
    const double low = axes[a].low(), way = axes[a].high() - low;
    x[Eigen::Index(a)] = low + (flips[a] < 0 ? 1 - share : share) * way;
  }
  return x;
}

/// Exact values at all places; none if one of them cannot be reached.
std::vector<VecX> look_at(Sampled& f, const std::vector<Axis>& axes, const std::vector<double>& flips) {
  std::vector<VecX> seen;
  VecX values(Eigen::Index(f.quantities.size()));
  MatX slopes(values.size(), Eigen::Index(axes.size()));
  for (int k = 0; k < places; ++k) {
    if (!f.at(place(k, axes, flips), values, slopes)) return {};
    seen.push_back(values);
  }
  return seen;
}

bool same_ranges(const std::vector<Axis>& own, const std::vector<Axis>& other,
                 const std::vector<double>& flips) {
  for (std::size_t a = 0; a < own.size(); ++a) {
    const Axis &x = own[a], &y = other[a];
    const double low = flips[a] < 0 ? -y.high() : y.low(), high = flips[a] < 0 ? -y.low() : y.high();
    const double most = alike_ends * (high - low);
    if (x.periodic() || y.periodic() || std::abs(x.low() - low) > most || std::abs(x.high() - high) > most)
      return false;
  }
  return true;
}

/// The signs of all quantities of bodies in a mirror across axis `normal`; without one, if that is −1.  `flips` are those of all
/// variables, stiff ones last.
std::vector<double> signs_in_mirror(int normal, const BodyLayout& layout, const std::vector<double>& flips,
                                    std::size_t quantities) {
  const auto arrow = [&](int k) { return k == normal ? -1.0 : 1.0; };
  const auto turn = [&](int k) {  // about an axis, which keeps its sense only along the normal
    return normal < 0 ? 1.0 : layout.spins() == 1 ? -1.0 : -arrow(k);
  };
  std::vector<double> all;
  while (all.size() < quantities) {
    for (int k = 0; k < layout.lengths; ++k) all.push_back(arrow(k));
    if (layout.spins() > 1) all.push_back(1);
    for (int k = 0; k < layout.spins(); ++k) all.push_back(turn(k));
    for (int k = 0; k < layout.velocities; ++k)
      for (const double flip : flips)
        all.push_back(flip * (k < layout.lengths ? arrow(k) : turn(k - layout.lengths)));
  }
  return all;
}

/// The signs of all terms of series in stiff variables with these signs.
std::vector<double> signs_of_terms(const std::vector<double>& quantities, const std::vector<int>& order,
                                   std::span<const double> stiff) {
  std::vector<double> all;
  for (std::size_t q = 0; q < order.size(); ++q) {
    all.push_back(quantities[q]);
    for (std::size_t s = 0; order[q] > 0 && s < stiff.size(); ++s) all.push_back(quantities[q] * stiff[s]);
    for (std::size_t s = 0; order[q] > 1 && s < stiff.size(); ++s)
      for (std::size_t t = 0; t <= s; ++t) all.push_back(quantities[q] * stiff[s] * stiff[t]);
  }
  return all;
}

/// Terms of series count by what they are multiplied by; they are differences, and not as exact as the rest.
bool agree(const std::vector<VecX>& own, const std::vector<VecX>& other, const std::vector<double>& signs,
           const std::vector<Sampled::Quantity>& what) {
  for (std::size_t k = 0; k < own.size(); ++k)
    for (Eigen::Index q = 0; q < own[k].size(); ++q)
      if (!(std::abs(own[k][q] - signs[std::size_t(q)] * other[k][q]) *
                std::min(1.0, what[std::size_t(q)].factor) <=
            alike_values * std::max(1.0, std::abs(other[k][q]))))
        return false;
  return true;
}

std::vector<Axis> axes_like(const std::vector<Axis>& own, const std::vector<Axis>& other,
                            const std::vector<double>& flips) {
  std::vector<Axis> all;
  for (std::size_t a = 0; a < own.size(); ++a) {
    std::vector<int> parts = other[a].parts();
    if (flips[a] < 0) std::ranges::reverse(parts);
    all.emplace_back(own[a].low(), own[a].high(), false, std::move(parts));
  }
  return all;
}
}  // namespace

std::optional<std::vector<double>> KnownTables::signs_between(const One& known, const std::vector<VecX>& own,
                                                              const Sampled& f, std::vector<double> flips,
                                                              const KnownSeries& series,
                                                              const BodyLayout& layout) {
  constexpr int most_tried = 10;  // stiff variables whose signs are looked for
  const std::size_t axes = flips.size(),
                    quantities = series.order.empty() ? f.quantities.size() : series.order.size();
  flips.resize(axes + std::size_t(series.stiff), 1);
  const std::span<const double> stiff(flips.data() + axes, std::size_t(series.stiff));
  for (unsigned way = 0; way < 1U << std::min(series.stiff, most_tried); ++way) {
    for (std::size_t s = 0; s < stiff.size(); ++s) flips[axes + s] = (way >> s & 1U) != 0 ? -1 : 1;
    for (int normal = -1; normal < layout.lengths; ++normal) {
      std::vector<double> signs = signs_in_mirror(normal, layout, flips, quantities);
      if (!series.order.empty()) signs = signs_of_terms(signs, series.order, stiff);
      if (agree(own, known.seen, signs, f.quantities)) return signs;
    }
  }
  return {};
}

std::optional<KnownTables::One> KnownTables::twin_of(Sampled& f, const std::vector<int>& arguments,
                                                     const std::vector<Axis>& axes, int degree,
                                                     const KnownSeries& series, const BodyLayout& layout) {
  for (const One& known : all_) {
    const LookupTable& t = known.table;
    if (t.degree() != degree || t.axes().size() != axes.size() ||
        std::size_t(t.quantities()) != f.quantities.size())
      continue;
    for (unsigned way = 0; way < 1U << axes.size(); ++way) {
      std::vector<double> flips;
      for (std::size_t a = 0; a < axes.size(); ++a) flips.push_back((way >> a & 1U) != 0 ? -1 : 1);
      if (!same_ranges(axes, t.axes(), flips)) continue;
      const std::vector<VecX> own = look_at(f, axes, flips);
      if (own.empty()) continue;
      auto signs = signs_between(known, own, f, flips, series, layout);
      if (!signs) continue;
      One twin{LookupTable(t, arguments, axes_like(axes, t.axes(), flips), std::move(*signs), flips),
               known.report,
               {}};
      twin.report.bytes = 0;
      return twin;
    }
  }
  return {};
}

void KnownTables::add(Sampled& f, const LookupTable& t, const TableReport& report) {
  std::vector<VecX> seen = look_at(f, t.axes(), std::vector<double>(t.axes().size(), 1));
  if (!seen.empty()) all_.push_back({t, report, std::move(seen)});
}
}  // namespace mubody
