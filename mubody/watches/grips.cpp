#include "mubody/watches/grips.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/watches/limits.h"

namespace mubody {
namespace {
constexpr int fewest_parts = 2, most_parts = 128;  // of a step, between looks
constexpr double deep = 0.5;                       // share of what is left that a dip must leave
constexpr int most_looks = 120;                    // for an instant
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();
constexpr double resting = 1e-12;              // of the characteristic speed, as for the choice of grips
constexpr int most_changes = 40;               // of one grip at one instant
constexpr double one_instant_of_grips = 1e-9;  // of the largest step

// The lowest point of a parabola through three values at equal distances, where it lies between them; else the lowest.
double dip(double a, double b, double c) {
  const double bend = a - 2 * b + c, slope = 0.5 * (c - a);
  const bool between = bend > 0 && std::abs(slope) < bend;
  return between ? b - 0.5 * slope * slope / bend : std::min({a, b, c});
}
}  // namespace

GripWatch::GripWatch(System& s)
    : system_(s), grips_(s.grips), turned_(grips_.all.size(), false), left_(VecX::Zero(grips_.size())),
      earlier_(left_), last_(left_), known_(not_known) {
  for (const Grip& g : grips_.all) modes_.push_back(g.mode);
}

double GripWatch::left(int k) const {
  const Grip& g = grips_.all[std::size_t(k)];
  const double still = resting * (g.turn ? 1 : system_.scales.length) / system_.scales.time;
  if (g.mode != Grip::sticks) return int(g.mode) * grips_.rate[k] + still;
  if (grips_.held[std::size_t(k)]) return still - std::abs(grips_.rate[k]);
  return grips_.most[k] - std::abs(grips_.force[k]);
}

// Looks at all grips; returns whether one is beyond its change.
bool GripWatch::look(double t, const Rub& rub) {
  rub(t);
  bool beyond = false;
  for (int k = 0; k < grips_.size(); ++k) {
    left_[k] = left(k);
    turned_[std::size_t(k)] = left_[k] < 0 && grips_.all[std::size_t(k)].mode != Grip::sticks;
    beyond = beyond || left_[k] < 0;
  }
  return beyond;
}

// A step sees no force that a grip bears at rest, and may be long beside its changes: where what is left seems to dip
// between three looks, the step is looked at more closely.
std::optional<double> GripWatch::first_change(double from, double to, const Rub& rub) {
  usual_ = std::max(usual_, to - from);
  for (int parts = fewest_parts;; parts *= 4) {
    if (known_ != from) look(from, rub);
    earlier_ = last_ = left_;
    bool dips = false;
    for (int part = 1; part <= parts; ++part) {
      const double h = (to - from) / parts, t = part == parts ? to : from + part * h;
      if (look(t, rub)) return known_ = not_known, root(from + (part - 1) * h, t, rub);
      for (int k = 0; k < grips_.size() && part > 1; ++k)
        dips = dips || dip(earlier_[k], last_[k], left_[k]) < deep * std::min(last_[k], left_[k]);
      std::swap(earlier_, last_);
      last_ = left_;
    }
    known_ = to;
    if (dips && parts < most_parts) {
      known_ = not_known;
      continue;
    }
    turned_.assign(turned_.size(), false);
    return {};
  }
}

// Regula falsi with Illinois' weights and bisection, to the side on which something has changed.
double GripWatch::root(double before, double after, const Rub& rub) {
  const double precise = 4e-16 * std::max(std::abs(before), std::abs(after)) + 1e-14 * (after - before);
  VecX& beyond = earlier_;  // how far each is, as shares of which it is counted here
  beyond = left_;
  const auto value = [&] {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < grips_.size(); ++k)
      if (beyond[k] < 0)
        least = std::min(least, -left_[k] / beyond[k]);
      else if (left_[k] < 0)
        least = std::min(least, -1.0);
    return least;
  };
  double fb = -1, wb = fb;
  look(before, rub);
  double fa = std::max(value(), 0.0), wa = fa;
  for (int round = 0; round < most_looks && after - before > precise; ++round) {
    double t = after - wb * (after - before) / (wb - wa);
    if (round % 3 == 2 || !(t > before && t < after)) t = before + 0.5 * (after - before), wa = fa, wb = fb;
    if (!(t > before && t < after)) break;
    if (look(t, rub))
      after = t, fb = wb = value(), wa *= 0.5;
    else
      before = t, fa = wa = std::max(value(), 0.0), wb *= 0.5;
  }
  look(after, rub);
  return after;
}

void GripWatch::take(double t, bool list, Results& r) {
  chatter_.clear();
  if (t - since_ > one_instant_of_grips * usual_) since_ = t, at_once_ = 0;
  for (std::size_t k = 0; k < modes_.size(); ++k) {
    const Grip& g = grips_.all[k];
    if (g.mode == modes_[k]) continue;
    const bool stops = g.mode == Grip::sticks;
    modes_[k] = g.mode;
    if (!list) continue;
    if (r.events.size() < watch::most_events)
      r.events.push_back({t, stops ? Event::stick : Event::slip, fmt::format("joint '{}'", g.name)});
    if (++at_once_ > most_changes * grips_.size())
      chatter_ = fmt::format(
          "joint '{}' sticks and slips without end at t = {:.6g} s: its friction finds no state there; check "
          "its "
          "coefficients, and what acts on it",
          g.name, t);
  }
  turned_.assign(turned_.size(), false);
  known_ = not_known;
}

void GripWatch::memory(Memory& m) {
  known_ = not_known;
  for (Grip::Mode& mode : modes_) m(mode);
  m(since_, usual_, at_once_);
}
}  // namespace mubody
