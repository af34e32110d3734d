#include "mubody/functions/features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace mubody {
namespace {
constexpr double shares[] = {0.21, 0.5, 0.77};  // of a piece, at which it is compared with a straight line
constexpr double cells_per_step = 16;
constexpr double fewest_cells = 1024, most_cells = 4096;
constexpr double quiet = 1e-6;             // of the range, that a function may leave a straight line
constexpr std::size_t apart = 2, few = 4;  // cells between two features; cells of one that may be shorter
constexpr double followed = 3e-4;          // of the area of a feature, that a piece of it may miss
constexpr int most_pieces = 400;
constexpr std::size_t most_times = 50'000;  // more are the business of step control

/// A function between two times, beside a straight line.
struct Piece {
  double a, b, fa, fb;
  double off = 0;  // how far the function leaves the line

  double missed() const { return off * (b - a); }
  bool operator<(const Piece& o) const { return missed() < o.missed(); }
};

class FeatureFinder {
 public:
  FeatureFinder(const std::function<double(double)>& f, const StepLength& step, std::vector<double> places)
      : f_(f), step_(step), places_(std::move(places)) {
    std::ranges::sort(places_);
  }

  std::vector<double> find(double from, double to) {
    const double wanted = std::ceil(cells_per_step * (to - from) / step_.longest);
    const auto n = std::size_t(std::clamp(wanted, fewest_cells, most_cells));
    const auto at = [&](std::size_t k) { return k >= n ? to : from + (to - from) * double(k) / double(n); };
    std::vector<Piece> cells;
    for (std::size_t k = 0; k < n; ++k)
      cells.push_back(piece(at(k), k > 0 ? cells.back().fb : value(from), at(k + 1), value(at(k + 1))));
    const double range = high_ - low_;
    if (!(range > 1e-14 * std::max(std::abs(low_), std::abs(high_)))) return {};
    const auto active = [&](std::size_t k) { return cells[k].off > quiet * range; };
    std::size_t before = 0;  // the first cell after the last feature
    for (std::size_t k = 0; k < n && times_.size() < most_times; ++k) {
      if (!active(k)) continue;
      std::size_t end = k + 1;  // of the feature
      for (std::size_t i = end; i < n && i < end + apart; ++i)
        if (active(i)) end = i + 1;
      const double lasts = at(end) - at(k), calm = at(k) - at(before);
      if (end - k <= few || lasts < 2 * std::min(calm, step_.longest))
        follow(at(k - (k > 0 ? 1 : 0)), at(end + 1));
      before = k = end;
    }
    return std::move(times_);
  }

 private:
  double value(double t) {
    const double x = f_(t);
    if (std::isfinite(x)) low_ = std::min(low_, x), high_ = std::max(high_, x);
    return x;
  }

  Piece piece(double a, double fa, double b, double fb) {
    Piece p{a, b, fa, fb};
    const auto look = [&](double t) {
      const double off = std::abs(value(t) - (fa + (fb - fa) * (t - a) / (b - a)));
      if (off > p.off) p.off = off;  // never what is not a number
    };
    for (const double share : shares) look(a + share * (b - a));
    for (auto t = std::ranges::upper_bound(places_, a); t != places_.end() && *t < b; ++t) look(*t);
    return p;
  }

  // Divides a feature where straight lines miss most of it, until none misses much.
  void follow(double from, double to) {
    const double f0 = value(from), f1 = value(to);
    const auto area = [&](const Piece& p) {
      const double middle = 0.5 * (p.a + p.b);
      return std::abs(0.5 * (p.fa + p.fb) - (f0 + (f1 - f0) * (middle - from) / (to - from))) * (p.b - p.a);
    };
    std::priority_queue<Piece> pieces;
    double all = 0, shortest = to - from;
    const auto add = [&](const Piece& p) {
      all += area(p);
      shortest = std::min(shortest, p.b - p.a);
      pieces.push(p);
    };
    const double least = 64 * std::numeric_limits<double>::epsilon() * std::max(std::abs(from), std::abs(to));
    std::vector<double> ends{from};
    for (auto t = std::ranges::upper_bound(places_, from); t != places_.end() && *t < to; ++t)
      if (*t - ends.back() > least && to - *t > least && ends.size() < std::size_t(most_pieces))
        ends.push_back(*t);
    const std::size_t given = ends.size();
    ends.push_back(to);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k)
      add(piece(ends[k], value(ends[k]), ends[k + 1], value(ends[k + 1])));
    const double enough = followed * step_.stretch * step_.stretch * step_.stretch;
    for (int k = int(given); k < most_pieces && pieces.top().missed() > enough * all; ++k) {
      const Piece p = pieces.top();
      const double middle = 0.5 * (p.a + p.b), there = value(middle);
      if (middle - p.a < least) break;
      pieces.pop();
      all -= area(p);
      add(piece(p.a, p.fa, middle, there));
      add(piece(middle, there, p.b, p.fb));
      ends.push_back(middle);
    }
    if (shortest >= 0.5 * step_.longest) return;
    times_.insert(times_.end(), ends.begin(), ends.end());
  }

  const std::function<double(double)>& f_;
  StepLength step_;
  std::vector<double> places_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
  std::vector<double> times_;
};
}  // namespace

std::vector<double> short_features(const std::function<double(double)>& f, double from, double to,
                                   const StepLength& step, std::vector<double> places) {
  if (!(to > from && step.longest > 0)) return {};
  std::vector<double> times = FeatureFinder(f, step, std::move(places)).find(from, to);
  std::ranges::sort(times);
  const auto twice = std::ranges::unique(times);
  times.erase(twice.begin(), twice.end());
  return times;
}
}  // namespace mubody
