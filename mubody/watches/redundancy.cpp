#include "mubody/watches/redundancy.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/solvers/freedom.h"
#include "mubody/system/rows.h"
#include "mubody/watches/limits.h"

namespace mubody {
namespace {
constexpr int most_for_dense = 400;  // rows; a larger mechanism is not watched
constexpr double grown = 1e-5;       // pivot at which a row that was redundant no longer is
constexpr double weak = 0.3;         // pivot below which the rank may be about to fall
constexpr double touched = 1e-7;     // share of the largest reaction that counts as not unique

// Multipliers n that load nothing, Dᵀ n = 0, one in each column.
MatX open_multipliers(const System& s, const Terms& terms) {
  VecX sizes;
  const PivotedQr qr(scaled_rows(s, terms, &sizes), watch::negligible);
  MatX N = qr.q().rightCols(s.m - qr.rank());
  for (int r = 0; r < s.m; ++r) N.row(r) *= sizes[r] > 0 ? 1 / sizes[r] : 0;
  return N;
}
}  // namespace

std::vector<Reaction> list_reactions(const System& s) {
  std::vector<Reaction> all;
  if (s.channels.size() > watch::most_listed) return all;
  for (std::size_t k = 0; k < s.channels.size(); ++k)
    if (s.channels.rest(k).reaction) all.push_back({std::string(s.channels.name(k)), s.channels.unit(k)});
  return all;
}

void mark_unique(System& s, double t, const In& q, const In& u, std::vector<Reaction>& reactions) {
  if (s.m == 0) return;
  if (s.m > most_for_dense) {
    for (Reaction& r : reactions) r.unique = Reaction::unknown;
    return;
  }
  Terms terms = s.make_terms();
  s.constraints(t, q, u, terms);
  const MatX N = open_multipliers(s, terms);
  if (N.cols() == 0) return;
  const VecX still = VecX::Zero(s.nu);
  VecX values(Eigen::Index(s.channels.size())), without = values, forces(Eigen::Index(reactions.size()));
  s.observe(t, q, u, still, VecX::Zero(s.m), without);  // the part from springs of compliant joints
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    s.observe(t, q, u, still, N.col(k), values);
    Eigen::Index next = 0;
    for (std::size_t c = 0; c < s.channels.size(); ++c)
      if (s.channels.rest(c).reaction)
        forces[next++] = std::abs(values[Eigen::Index(c)] - without[Eigen::Index(c)]);
    const double largest = forces.maxCoeff();
    for (std::size_t c = 0; c < reactions.size(); ++c)
      if (forces[Eigen::Index(c)] > touched * largest) reactions[c].unique = Reaction::no;
  }
}

std::vector<std::string> open_frictions(System& s, double t, const In& q, const In& u) {
  std::vector<std::string> names;
  if (!s.grips.loaded || s.m > most_for_dense) return names;
  Terms terms = s.make_terms();
  s.constraints(t, q, u, terms);
  const MatX N = open_multipliers(s, terms);
  const VecX still = VecX::Zero(s.nu);
  std::vector<bool> open(s.grips.all.size());
  MatX loads(3, s.grips.size());
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    s.grip_loads(terms, still, N.col(k), {}, loads);
    const double largest = N.col(k).cwiseAbs().maxCoeff();
    for (std::size_t g = 0; g < open.size(); ++g) {
      const DryFriction& law = s.grips.all[g].law;
      Vec<3> load = loads.col(Eigen::Index(g));
      if (law.collar == 0) load[2] = 0;  // nothing rubs along the axis
      open[g] = open[g] || (law.reaction && load.cwiseAbs().maxCoeff() > touched * largest);
    }
  }
  for (std::size_t g = 0; g < open.size(); ++g)
    if (open[g]) names.push_back(s.joints[std::size_t(s.grips.all[g].joint)].name);
  names.erase(std::ranges::unique(names).begin(), names.end());  // of joints with two grips
  return names;
}

RankWatch::RankWatch(System& s, const Freedom& f)
    : system_(s), watching_(f.always_redundant() && s.m <= most_for_dense), every_(1 + (s.m / 60) * (s.m / 60)),
      rank_(f.rank), usual_(f.coordinates - f.usual) {
  if (watching_) terms_ = s.make_terms();
}

// Rows of length one turn about as far as bodies do, and with displacements as large as the mechanism.  A pivot that falls by as
// much at most is still far from zero.
bool RankWatch::is_due(double t, const In& u) {
  if (!watching_) return false;
  moved_ += (t - t_) * u.cwiseQuotient(system_.units).lpNorm<Eigen::Infinity>();
  t_ = t;
  constexpr double share = 0.02;
  return count_++ % every_ == 0 && !(moved_ < share * std::min(margin_, hold_));
}

void RankWatch::look(double t, const In& q, const In& u, Results& r) {
  moved_ = 0;
  system_.constraints(t, q, u, terms_);
  scale_rows(system_, terms_, rows_);
  columns_ = rows_.transpose();
  qr_.compute(columns_);
  hold_ = usual_ > 0 ? qr_.pivot(usual_ - 1) : 1;
  widest_ = std::max(widest_, hold_);
  const auto say = [&](double when, const std::string& what) {
    if (r.events.size() < watch::most_events) r.events.push_back({when, Event::redundancy, what});
  };
  const auto weakest = [&](int rank) { return joint_at_row(system_, qr_.column(rank)); };
  const int before = rank_, rows = std::min(system_.nu, system_.m);
  while (rank_ < rows && qr_.pivot(rank_) > grown) ++rank_;
  if (rank_ > before)
    say(t, fmt::format("{} equation{} no longer redundant: rank {} of {}", rank_ - before,
                       rank_ - before == 1 ? " is" : "s are", rank_, system_.m));
  while (rank_ > 0 && qr_.pivot(rank_ - 1) < watch::negligible) --rank_;
  if (rank_ < before)
    say(t, fmt::format("{} more equation{} redundant: rank {} of {}, at {}", before - rank_,
                       before - rank_ == 1 ? " is" : "s are", rank_, system_.m, weakest(rank_)));
  const double margin = rank_ > 0 ? qr_.pivot(rank_ - 1) : 1;
  if (rank_ == before && crossed(t, margin))
    say(margin_t_ + (t - margin_t_) * margin_ / (margin_ + margin),
        fmt::format("one more equation is redundant for a moment: a singular position passed at {}",
                    weakest(rank_ - 1)));
  slope_ = t > margin_t_ && rank_ == before ? (margin_ - margin) / (t - margin_t_) : 0;
  margin_ = margin;
  margin_t_ = t;
}

// The margin falls to zero along a line and rises again: it has crossed if its value is that of the line beyond
// zero, with the sign reversed.  Pivots are a measure up to a factor of about two, since another
// row may come first.
bool RankWatch::crossed(double t, double margin) const {
  if (!(slope_ > 0 && margin_ < weak)) return false;
  const double beyond = slope_ * (t - margin_t_) - margin_;
  constexpr double factor = 2.2;
  return beyond > 0 && beyond < factor * margin && margin < factor * beyond;
}
}  // namespace mubody
