#include "mubody/precompute/twins.h"

#include <algorithm>
#include <cmath>

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

/// The signs of all quantities of bodies in a mirror across axis `normal`; without one, if that is −1.
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

bool agree(const std::vector<VecX>& own, const std::vector<VecX>& other, const std::vector<double>& signs) {
  for (std::size_t k = 0; k < own.size(); ++k)
    for (Eigen::Index q = 0; q < own[k].size(); ++q)
      if (!(std::abs(own[k][q] - signs[std::size_t(q)] * other[k][q]) <=
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

std::optional<KnownTables::One> KnownTables::twin_of(Sampled& f, const std::vector<int>& arguments,
                                                     const std::vector<Axis>& axes, int degree,
                                                     const BodyLayout& layout) {
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
      for (int normal = -1; normal < layout.lengths && !own.empty(); ++normal) {
        std::vector<double> signs = signs_in_mirror(normal, layout, flips, f.quantities.size());
        if (!agree(own, known.seen, signs)) continue;
        One twin{LookupTable(t, arguments, axes_like(axes, t.axes(), flips), std::move(signs), flips),
                 known.report,
                 {}};
        twin.report.bytes = 0;
        return twin;
      }
    }
  }
  return {};
}

void KnownTables::add(Sampled& f, const LookupTable& t, const TableReport& report) {
  std::vector<VecX> seen = look_at(f, t.axes(), std::vector<double>(t.axes().size(), 1));
  if (!seen.empty()) all_.push_back({t, report, std::move(seen)});
}
}  // namespace mubody
