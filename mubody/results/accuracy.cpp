#include "mubody/results/accuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "mubody/model/units.h"
#include "mubody/results/found_errors.h"
#include "mubody/results/results.h"

namespace mubody {
namespace {
constexpr double full_turn = 6.283185307179586;  // [rad] angles are not measured against how often they turned
constexpr double round_off = 1024 * std::numeric_limits<double>::epsilon();  // of accelerations and forces
// Differences below this share of the range may be round-off, which coarser steps do not make larger.
constexpr double perhaps_round_off = 1e-10;
// The last digits of what hardly moves mean nothing, as a share of the largest range of its unit, or of the size that
// follows from the scales of the mechanism.  What moves still less is constant, and is measured against that size.
constexpr double hardly_moves = 1e-6, constant = 1e-12;
constexpr double to_the_full =
    0.4;  // share of the range: motions that differ by so much have nothing in common
constexpr double predictable = 0.01;  // share of the range
constexpr double seen = 2e-3;         // share of the range that shows in a plot
constexpr double most_digits = 15;

ChannelAccuracy::Kind kind_of(const Dimension& d) {
  if (d.kg == 0 && d.s == 0) return ChannelAccuracy::position;
  if (d.kg == 0 && d.s == -1) return ChannelAccuracy::velocity;
  if (d.kg == 0 && d.s == -2) return ChannelAccuracy::acceleration;
  if (d.kg == 1 && d.s == -2 && d.rad == 0) return ChannelAccuracy::force;
  return ChannelAccuracy::other;
}

/// The dimension of a unit; elements of the user's program may have units of their own.
Dimension dimension_of(const std::string& unit) {
  try {
    return parse_unit(unit).dim;
  } catch (const UnitError&) {
    return {.kg = 1};
  }
}

/// One column in both motions.
struct Compared {
  std::size_t table, column;
  std::size_t coarse_table, coarse_column;
  double largest = 0;  // what round-off is a share of: its own largest |value|, or the size of its unit
  double moves = 0;    // the range in either motion
  bool still = false;  // the same number in every row
  bool flips = false;  // an angle of which half turns mean nothing
  ChannelAccuracy::Kind kind = ChannelAccuracy::other;  // whether or not it moves
};

/// Rows of the fine motion, and the rows of the coarse one at the same times.
std::vector<std::pair<std::size_t, std::size_t>> common_rows(const Table& fine, const Table& coarse) {
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  for (std::size_t i = 0, k = 0; i < fine.rows() && k < coarse.rows();) {
    const double a = fine.at(i, 0), b = coarse.at(k, 0);
    if (a == b)
      rows.emplace_back(i++, k++);
    else
      ++(a < b ? i : k);
  }
  return rows;
}

/// Spans of time between the instants at which a contact changes in one motion and in the other: there the two are in
/// different phases, and their difference says nothing about the error of either.
std::vector<std::pair<double, double>> between_phases(const Results& fine, const Results& coarse) {
  std::vector<std::pair<double, double>> spans;
  const auto add = [&](double a, double b) { spans.emplace_back(std::min(a, b), std::max(a, b)); };
  const std::size_t both = std::min(fine.contacts.size(), coarse.contacts.size());
  for (std::size_t k = 0; k < both; ++k) {
    const ContactRecord &a = fine.contacts[k], &b = coarse.contacts[k];
    if (a.contact != b.contact) break;
    add(a.onset, b.onset);
    if (a.end && b.end) add(*a.end, *b.end);
  }
  return spans;
}

std::pair<double, double> extremes_of(const Table& table, std::size_t column) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    low = std::min(low, table.at(row, column));
    high = std::max(high, table.at(row, column));
  }
  return {low, high};
}

/// Whether an angle jumps by exact half turns.  One of three successive angles of a joint does so where the second of them
/// passes a right angle, and round-off decides about the direction.
bool flips(const Table& table, std::size_t column) {
  constexpr double exactly = 1e-6, half_turn = 0.5 * full_turn;  // [rad]
  for (std::size_t row = 1; row < table.rows(); ++row) {
    const double jump = table.at(row, column) - table.at(row - 1, column);
    if (std::abs(jump) > 0.5 * half_turn && std::abs(std::remainder(jump, half_turn)) < exactly) return true;
  }
  return false;
}

/// The channels of both motions, with their ranges in the fine one.  What is small is small beside its own group of bodies:
/// a fast rotor elsewhere makes nothing of the others negligible.
std::vector<Compared> channels_of(const Results& fine, const Results& coarse, const Scales& scales,
                                  Accuracy& accuracy) {
  std::vector<Compared> all;
  std::map<std::pair<int, std::string>, double> largest;  // range, by group of bodies and unit
  const auto group_of = [&](const Column& c) { return fine.group_scales.empty() ? -1 : c.group; };
  // Reactions that redundant constraints leave open are listed, and say nothing about the digits of forces.
  std::set<std::string> open;
  for (const Reaction& x : fine.reactions)
    if (x.unique == Reaction::no) open.insert(x.channel);
  for (std::size_t t = 0; t < fine.tables.size(); ++t) {
    const Table& table = fine.tables[t];
    const auto other = std::ranges::find(coarse.tables, table.name, &Table::name);
    if (other == coarse.tables.end()) continue;
    for (std::size_t c = 1; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      const int at = column.residual ? -1 : other->find(column.name);
      if (at < 0 || table.rows() == 0) continue;
      const Dimension d = dimension_of(column.unit);
      ChannelAccuracy a{column.name, column.unit, table.energies ? ChannelAccuracy::energy : kind_of(d)};
      if (open.contains(column.name)) a.kind = ChannelAccuracy::other;
      const auto [low, high] = extremes_of(table, c);
      const auto [least, greatest] = extremes_of(*other, std::size_t(at));
      a.range = high - low;
      if (d == Dimension{.rad = 1}) a.range = std::min(a.range, full_turn);
      const int group = group_of(column);
      const Scales& own = group < 0 ? scales : fine.group_scales[std::size_t(group)];
      const double natural = std::pow(own.mass, d.kg) * std::pow(own.length, d.m) * std::pow(own.time, d.s);
      double& most = largest[{group, a.unit}];
      most = std::max({most, a.range, natural});
      accuracy.channels.push_back(std::move(a));
      all.push_back({t, c, std::size_t(other - coarse.tables.begin()), std::size_t(at),
                     std::max(std::abs(low), std::abs(high)), std::max(high - low, greatest - least),
                     low == high, d == Dimension{.rad = 1} && flips(table, c), accuracy.channels.back().kind});
    }
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    ChannelAccuracy& a = accuracy.channels[k];
    const double size = largest[{group_of(fine.tables[all[k].table].columns[all[k].column]), a.unit}];
    if (!all[k].still) all[k].largest = std::max(all[k].largest, size);
    const bool one_row = fine.tables.front().rows() == 1;
    const bool rests = all[k].moves < hardly_moves * size;
    if (rests && !one_row) a.kind = ChannelAccuracy::other;  // listed, and no kind is judged by it
    if (a.range < constant * size) a.range = rests ? size : all[k].moves;
  }
  return all;
}

double reported(double difference, double range, const Compared& x, const Coarseness& c) {
  if (x.still && difference == 0) return std::numeric_limits<double>::epsilon() * x.largest;
  // Motions that have nothing in common any more say no more about the error than that it is as large as the range.
  const double scaled = difference > to_the_full * range ? difference : c.reported() * difference;
  return std::max(
      {scaled, std::min(difference, perhaps_round_off * range), round_off * x.largest, c.least * range});
}

/// How the largest share of positions and velocities grows with time: the difference of the two motions, as a share of
/// the range, never falling.
struct History {
  std::vector<double> t, share;

  void add(double time, double value) {
    t.push_back(time);
    share.push_back(share.empty() ? value : std::max(share.back(), value));
  }
};

/// A straight line through points, and what it leaves.
struct Line {
  double slope = 0, offset = 0, rest = 0;  // rest: mean square of what it leaves, as a share of the variance

  Line(const std::vector<double>& x, const std::vector<double>& y) {
    const double n = double(x.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k], syy += y[k] * y[k];
    const double vx = sxx - sx * sx / n, vxy = sxy - sx * sy / n, vy = syy - sy * sy / n;
    slope = vx > 0 ? vxy / vx : 0;
    offset = (sy - slope * sx) / n;
    rest = vy > 0 ? 1 - slope * vxy / vy : 1;
  }
};

// Errors that grow with a power of the time are the usual ones; an exponential fits better where neighbouring motions
// part for good.
void find_growth(const History& h, Accuracy& accuracy) {
  constexpr double from = 1e-11, to = 0.1, decades = 2.5;
  std::vector<double> t, powers, logs;
  for (std::size_t k = 0; k < h.t.size(); ++k)
    if (h.share[k] > from && h.share[k] < to && h.t[k] > h.t.front()) {
      t.push_back(h.t[k]);
      powers.push_back(std::log10(h.t[k] - h.t.front()));
      logs.push_back(std::log10(h.share[k]));
    }
  if (t.size() < 8 || !(logs.back() - logs.front() > decades)) return;
  const Line exponential(t, logs), power(powers, logs);
  if (exponential.rest < power.rest && exponential.rest < 0.15) accuracy.tenfold = 1 / exponential.slope;
}

void find_horizon(const History& h, const Coarseness& coarseness, Accuracy& accuracy) {
  const double limit = std::min(predictable * coarseness.difference(), to_the_full);
  for (std::size_t k = 0; k < h.t.size() && !accuracy.until; ++k)
    if (h.share[k] >= limit) accuracy.until = h.t[k];
}
}  // namespace

bool Coarseness::shows_horizon() const { return predictable * difference() <= to_the_full; }

double ChannelAccuracy::digits() const {
  const double s = share();
  if (!(s > 0)) return std::isnan(s) ? 0 : most_digits;
  return std::clamp(-std::log10(s), 0.0, most_digits);
}

const ChannelAccuracy* Accuracy::worst(ChannelAccuracy::Kind kind) const {
  const ChannelAccuracy* found = nullptr;
  for (const ChannelAccuracy& a : channels)
    if (a.kind == kind && (!found || (!(a.share() <= found->share()) && !std::isnan(found->share()))))
      found = &a;
  return found;
}

double Accuracy::digits() const {
  double fewest = most_digits;
  for (const ChannelAccuracy& a : channels)
    if (a.kind != ChannelAccuracy::other) fewest = std::min(fewest, a.digits());
  return fewest;
}

std::string Accuracy::in_words() const {
  if (!missing.empty()) return "no estimate of the error: " + missing;
  std::string text;
  for (const ChannelAccuracy::Kind kind :
       {ChannelAccuracy::position, ChannelAccuracy::velocity, ChannelAccuracy::acceleration,
        ChannelAccuracy::force, ChannelAccuracy::frequency}) {
    const ChannelAccuracy* w = worst(kind);
    if (!w) continue;
    const int digits = int(w->digits());
    const std::string count = digits == 0 ? "no digit" : fmt::format("{}", digits);
    if (text.empty())
      text = fmt::format("{}{} in {}, worst {} at {:.4g} s", count,
                         digits == 0   ? ""
                         : digits == 1 ? " digit"
                                       : " digits",
                         ChannelAccuracy::words[kind], w->channel, w->at);
    else
      text += fmt::format("; {} in {}", count, ChannelAccuracy::words[kind]);
  }
  if (text.empty()) text = "nothing moves";
  if (until) text += fmt::format("; predictable to 1 % until {:.3g} s", *until);
  if (tenfold) text += fmt::format("; errors grow tenfold every {:.2g} s", *tenfold);
  return text;
}

Accuracy accuracy_of_solutions(const Results& r, std::span<const FoundError> found, std::string method) {
  // What evaluating a channel leaves, beside what the equations make of it.
  constexpr double last_digits = 32 * std::numeric_limits<double>::epsilon();
  Accuracy accuracy;
  accuracy.method = std::move(method);
  if (!r.tables.empty() && r.tables.front().rows() > 0) accuracy.end = r.times().back();
  const std::vector<Compared> columns = channels_of(r, r, r.scales, accuracy);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    ChannelAccuracy& a = accuracy.channels[c];
    const auto own = std::ranges::find(found, a.channel, &FoundError::column);
    if (own != found.end()) a.error = own->error, a.at = own->at;
    a.error = std::max(a.error, last_digits * columns[c].largest);
  }
  return accuracy;
}

Accuracy compare_motions(const Results& fine, const Results& coarse, const Coarseness& coarseness,
                         const Scales& scales) {
  Accuracy accuracy;
  if (fine.tables.empty() || coarse.tables.empty()) return accuracy;
  const auto rows = common_rows(fine.tables.front(), coarse.tables.front());
  const auto skipped = between_phases(fine, coarse);
  const std::vector<Compared> columns = channels_of(fine, coarse, scales, accuracy);
  if (fine.tables.front().rows() > 0) accuracy.end = fine.times().back();
  History history;
  std::vector<std::vector<double>> errors(columns.size());
  for (const auto& [i, k] : rows) {
    const double t = fine.tables.front().at(i, 0);
    if (std::ranges::any_of(skipped, [&](const auto& s) { return t >= s.first && t <= s.second; })) continue;
    double most = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Compared& x = columns[c];
      ChannelAccuracy& a = accuracy.channels[c];
      double difference =
          std::abs(fine.tables[x.table].at(i, x.column) - coarse.tables[x.coarse_table].at(k, x.coarse_column));
      // An error that grows shows on its way from one half turn to the next.
      if (x.flips) difference = std::abs(std::remainder(difference, 0.5 * full_turn));
      const double error = reported(difference, a.range, x, coarseness);
      if (!(error <= a.error)) a.error = error, a.at = t;
      errors[c].push_back(a.error);
      if (a.kind <= ChannelAccuracy::velocity && a.range > 0) most = std::max(most, difference / a.range);
    }
    history.add(t, most);
  }
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (accuracy.channels[c].share() > seen) {
      accuracy.channels[c].band = std::move(errors[c]);
      accuracy.times = history.t;
    }
  find_growth(history, accuracy);
  find_horizon(history, coarseness, accuracy);
  return accuracy;
}
}  // namespace mubody
