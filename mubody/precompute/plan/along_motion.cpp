#include "mubody/precompute/plan/along_motion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mubody/math/dense.h"
#include "mubody/precompute/plan/closure.h"
#include "mubody/solvers/variable_choice.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
constexpr double least_way = 0.01;       // [rad, or lengths]: what hardly moves counts as if it moved so much
constexpr double too_steep = 100;        // [rad, or lengths]
constexpr double most_sets = 2e4;        // more sets are not tried one by one
constexpr std::size_t most_boxes = 40;   // sets whose ranges are looked at
constexpr double alike = 1e-6;           // sets whose σ differ by less are the same variables with other names
constexpr double singular_rates = 1e-9;  // reciprocal condition number
constexpr double margins[] = {0.25, 0.1, 0.05, 0.02};
constexpr double reach_beside = 0.05;  // where only the neighbourhood of the motion counts
constexpr double wide_enough = 0.02;   // margins of this size make a set half as good
constexpr double same_bodies = 1e-3;   // a motion with few digits is compared
// How much better a coordinate of a body or of a ball has to be than one of another joint, and a sum of angles, which leaves fewer
// bodies that depend on one variable alone.
constexpr double less_plain = 1.1, sum_of_two = 1.3;
constexpr double usual_way = 0.2;  // [rad, or lengths]: margins of shorter ways are shares of this

Mechanism without_drivers(const Mechanism& m) {
  Mechanism free = m;
  std::erase_if(free.joints, [](const auto& j) { return j.driver; });
  free.forces.clear();
  return free;
}

double sets_of(std::size_t n, std::size_t f) {
  double count = 1;
  for (std::size_t k = 1; k <= f; ++k) count *= double(n - f + k) / double(k);
  return count;
}

/// Variables of a mechanism along its motion: values, and rates in the motions that joints leave.
class Along {
 public:
  Along(const Mechanism& m, const std::vector<VecX>& motion, const AskedAlong& asked)
      : m_(without_drivers(m)), asked_(asked), motion_(motion), system_(build_system(m_)),
        length_(system_->scales.length) {
    all_ = asked.driven;
    all_.insert(all_.end(), asked.held.begin(), asked.held.end());
    kept_ = all_.size();
    add(joint_coordinates(m_));
    plain_ = all_.size();
    add(ball_angles(m_));
    add(body_coordinates(m_));
    single_ = all_.size();
    add(sums_of_angles(m_));
    look();
  }

  // Sets that serve along the motion, whatever there is beside it; those whose tables will be small first.
  std::vector<VariablesAlong> near() {
    if (motions_.empty() || motions_.size() < values_.size() || kept_ > std::size_t(freedoms_)) return {};
    std::vector<VariablesAlong> found;
    for (const auto& [size, set] : smallest_sets()) {
      if (!(steepest(set, too_steep) < too_steep) || !tells_apart(set)) continue;
      VariablesAlong v = named(set, reach_beside, 0);
      const auto n = Eigen::Index(set.size());
      v.reach.resize(n);
      for (Eigen::Index k = 0; k < n; ++k) {
        const PrecomputeOptions::Range r = range(set[std::size_t(k)], reach_beside);
        v.reach[k] = reach_beside * (r.high - r.low);
      }
      for (std::size_t t = 0; t < values_.size(); ++t) v.motion.push_back(values(set, t));
      found.push_back(std::move(v));
    }
    return found;
  }

  std::vector<VariablesAlong> best() {
    if (motions_.empty() || kept_ > std::size_t(freedoms_)) return {};
    std::vector<VariablesAlong> found;
    for (const std::vector<int>& set : best_sets())
      for (const double margin : margins) {
        if (freedoms_ > 2 && margin == margins[0]) continue;  // cells grow with the third power
        const double s = steepest_in_box(set, margin);
        if (!(s < too_steep)) continue;
        found.push_back(named(set, margin, s));
        break;
      }
    std::ranges::stable_sort(found, {}, [](const VariablesAlong& v) {
      return v.clumsy * v.steepest / (1 + 2 * v.margin) * (1 + wide_enough / v.margin);
    });
    return found;
  }

 private:
  void add(std::vector<Variable> some) {
    for (Variable& v : some)
      if (std::ranges::find(all_, v.name, &Variable::name) == all_.end()) all_.push_back(std::move(v));
  }
  double unit(int k) const { return all_[std::size_t(k)].turn ? 1 : length_; }

  // What joints leave at every place, and how all candidates change in it.
  void look() {
    ScalarRows rows(m_, all_);
    VecX values(rows.size());
    const VecX rest = VecX::Zero(system_->nu);
    Terms terms = system_->make_terms();
    for (const VecX& q : motion_) {
      system_->constraints(0, q, rest, terms);
      MatX D = system_->structure.full(terms.D), R;
      rows.at(q, values, &R);
      values_.push_back(values);
      for (int k = 0; k < system_->nu; ++k)
        if (!system_->turns[std::size_t(k)]) D.col(k) *= length_, R.col(k) *= length_;
      MatX N = motions_of(D);
      if (motions_.empty()) freedoms_ = int(N.cols());
      if (N.cols() != freedoms_) continue;  // a singular position, where nobody knows which motions count
      // A basis that has changed its orientation would show a dead point that there is not.
      if (!motions_.empty() && Lu(motions_.back().transpose() * N).sign() < 0) N.col(0) *= -1;
      for (int k = 0; k < rows.size(); ++k) R.row(k) /= unit(k);
      rates_.push_back(R * N);
      motions_.push_back(std::move(N));
    }
    if (values_.empty()) return;
    low_ = high_ = values_.front();
    for (const VecX& v : values_) low_ = low_.cwiseMin(v), high_ = high_.cwiseMax(v);
    // In this order most sets show soon that they do not serve.
    constexpr double golden = 0.618034;
    to_and_fro_.resize(rates_.size());
    std::iota(to_and_fro_.begin(), to_and_fro_.end(), std::size_t(0));
    std::ranges::sort(to_and_fro_, {}, [](std::size_t t) { return std::fmod(golden * double(t), 1.0); });
  }

  double half_way(int k) const { return std::max(least_way, 0.5 * (high_[k] - low_[k]) / unit(k)); }

  template <class Visit> void each_set(std::vector<int>& set, int from, int to, const Visit& visit) const {
    if (int(set.size()) == freedoms_) return visit();
    for (int k = from; k < to; ++k) {
      set.push_back(k);
      each_set(set, k + 1, to, visit);
      set.pop_back();
    }
  }

  // How many of the variables are combined.
  std::size_t candidates() const {
    const std::size_t left = std::size_t(freedoms_) - kept_;
    std::size_t some = all_.size();
    for (const std::size_t fewer : {single_, plain_})
      if (sets_of(some - kept_, left) > most_sets) some = fewer;
    return some;
  }
  VecX values(const std::vector<int>& set, std::size_t t) const {
    VecX v(Eigen::Index(set.size()));
    for (std::size_t k = 0; k < set.size(); ++k) v[Eigen::Index(k)] = values_[t][set[k]];
    return v;
  }

  // Those with the smallest σ along the motion.
  std::vector<std::vector<int>> best_sets() const {
    std::vector<std::pair<double, std::vector<int>>> found;
    std::vector<int> set(kept_);
    std::iota(set.begin(), set.end(), 0);
    each_set(set, int(kept_), int(candidates()), [&] {
      const double enough = found.size() < most_boxes ? too_steep : found.back().first;
      const double s = steepest(set, enough);
      if (!(s < enough)) return;
      const auto after = std::ranges::upper_bound(found, s, {}, [](const auto& f) { return f.first; });
      const auto same = [&](const auto& f) { return std::abs(f.first - s) < alike * s; };
      if (after != found.begin() && same(*(after - 1))) return;
      found.insert(after, {s, set});
      if (found.size() > most_boxes) found.pop_back();
    });
    std::vector<std::vector<int>> sets;
    for (auto& f : found) sets.push_back(std::move(f.second));
    return sets;
  }

  // Those whose tables will be small, judged at some places of the motion.
  std::vector<std::pair<double, std::vector<int>>> smallest_sets() const {
    std::vector<std::pair<double, std::vector<int>>> found;
    std::vector<int> set(kept_);
    std::iota(set.begin(), set.end(), 0);
    each_set(set, int(kept_), int(candidates()), [&] {
      const double size = size_of_tables(set);
      if (!std::isfinite(size)) return;
      const auto after = std::ranges::upper_bound(found, size, {}, [](const auto& f) { return f.first; });
      const auto same = [&](const auto& f) { return std::abs(f.first - size) < alike * size; };
      if ((after != found.begin() && same(*(after - 1))) || (after != found.end() && same(*after))) return;
      found.insert(after, {size, set});
      if (found.size() > most_boxes) found.pop_back();
    });
    return found;
  }

  // How large tables over a set will be, roughly: bodies that one variable moves take little, and cells become more where a
  // variable hardly moves while bodies do.  Infinite if the set has a dead point.
  double size_of_tables(const std::vector<int>& set) const {
    constexpr std::size_t places = 24;
    constexpr double in_cell = 8, no_motion = 1e-9, none = std::numeric_limits<double>::infinity();
    const auto n = Eigen::Index(set.size());
    int side = 0;
    MatX R(n, n), most = MatX::Zero(Eigen::Index(m_.bodies.size()) + 1, n);
    for (std::size_t t = 0; t < rates_.size(); t += 1 + rates_.size() / places) {
      for (Eigen::Index k = 0; k < n; ++k) R.row(k) = rates_[t].row(set[std::size_t(k)]);
      const Lu lu(R);
      if (side == 0) side = lu.sign();
      if (lu.sign() != side || !(lu.rcond() > singular_rates)) return none;
      const MatX B = motions_[t] * lu.solve_columns(MatX::Identity(n, n));
      for (int row = 0; row < system_->nu; ++row)
        for (Eigen::Index k = 0; k < n; ++k) {
          double& x = most(system_->body_of_velocity[std::size_t(row)], k);
          x = std::max(x, std::abs(B(row, k)) * half_way(set[std::size_t(k)]));
        }
    }
    const Eigen::RowVectorXd sigma = most.colwise().maxCoeff();
    if (sigma.maxCoeff() > too_steep) return none;
    double all = 0;
    for (Eigen::Index body = 1; body < most.rows(); ++body) {
      double cells = 1, columns = 0;
      for (Eigen::Index k = 0; k < n; ++k)
        if (most(body, k) > no_motion) ++columns, cells *= in_cell * (1 + sigma[k]);
      all += cells * (system_->layout.coordinates + columns * system_->layout.velocities);
    }
    // Of variables that do the same, those with plain names are wanted.
    constexpr double a_little = 1e-3;
    for (const int k : set)
      if (std::size_t(k) >= plain_) all *= 1 + a_little * (std::size_t(k) < single_ ? 1 : 2);
    return all;
  }

  // Whether the motion has bodies at the same places wherever it comes to the same values.
  bool tells_apart(const std::vector<int>& set) const {
    constexpr double close = 0.1;  // of the ways
    const auto n = Eigen::Index(set.size());
    std::vector<Variable> variables;
    VecX way(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      variables.push_back(all_[std::size_t(set[std::size_t(k)])]);
      way[k] = 2 * half_way(set[std::size_t(k)]) * unit(set[std::size_t(k)]);
    }
    Closure c(m_, variables, 0, motion_.front());
    for (std::size_t t = 0; t < values_.size(); t += 1 + values_.size() / 64) {
      const VecX to = values(set, t);
      std::size_t before = 0;  // the last place before that is close by and not just before it
      double least = close;
      for (std::size_t b = 0; b + 4 < t; ++b) {
        const double away = (values(set, b) - to).cwiseQuotient(way).norm();
        if (away < least) least = away, before = b;
      }
      if (!(least < close)) continue;
      c.put(motion_[before], values(set, before));
      if (!c.go(to) || !system_->layout.same_place(motion_[t], c.q(), same_bodies)) return false;
    }
    return true;
  }

  // σ of a set along the motion; too steep if it has a dead point.  More than `enough` need not be known.
  double steepest(const std::vector<int>& set, double enough) const {
    const auto n = Eigen::Index(set.size());
    int side = 0;
    double most = 0;
    MatX R(n, n);
    for (std::size_t k = 0; k < rates_.size() && most < enough; ++k) {
      const std::size_t t = to_and_fro_[k];
      for (Eigen::Index l = 0; l < n; ++l) R.row(l) = rates_[t].row(set[std::size_t(l)]);
      const Lu lu(R);
      if (side == 0) side = lu.sign();
      if (lu.sign() != side || !(lu.rcond() > singular_rates)) return too_steep;
      const MatX B = motions_[t] * lu.solve_columns(MatX::Identity(n, n));
      for (Eigen::Index l = 0; l < n; ++l)
        most = std::max(most, B.col(l).cwiseAbs().maxCoeff() * half_way(set[std::size_t(l)]));
    }
    return most;
  }

  PrecomputeOptions::Range range(int k, double margin) const {
    const Variable& v = all_[std::size_t(k)];
    for (const auto& r : asked_.ranges)
      if (r.variable == v.name) return r;
    const double more = margin * std::max(high_[k] - low_[k], usual_way * unit(k));
    return {v.name, low_[k] - more, high_[k] + more};
  }

  // σ in the whole ranges of a set; too steep if the mechanism cannot go everywhere, each place from the one before.
  double steepest_in_box(const std::vector<int>& set, double margin) const {
    const auto n = Eigen::Index(set.size());
    const int places = n == 1 ? 17 : n == 2 ? 7 : n == 3 ? 5 : 3;
    std::vector<Variable> variables;
    VecX low(n), high(n), size(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      variables.push_back(all_[std::size_t(set[std::size_t(k)])]);
      const auto r = range(set[std::size_t(k)], margin);
      low[k] = r.low, high[k] = r.high, size[k] = unit(set[std::size_t(k)]);
    }
    Closure c(m_, variables, 0, motion_.front());
    c.put(motion_.front(), values(set, 0));
    const int side = c.side();
    double most = 0;
    long count = 1;
    for (Eigen::Index k = 0; k < n; ++k) count *= places;
    std::vector<VecX> net, there;
    for (long i = 0; i < count && most < too_steep; ++i) {
      VecX to(n);
      long rest = i;
      for (Eigen::Index k = 0; k < n; ++k, rest /= places) {
        const long at = rest / places % 2 == 0 ? rest % places : places - 1 - rest % places;
        to[k] = low[k] + (high[k] - low[k]) * double(at) / (places - 1);
      }
      if (!c.go(to) || c.side() != side) return too_steep;
      net.push_back(to), there.push_back(c.q());
      MatX B = c.velocity_coefficients();
      for (int row = 0; row < system_->nu; ++row)
        if (!system_->turns[std::size_t(row)]) B.row(row) /= length_;
      for (Eigen::Index k = 0; k < n; ++k)
        most = std::max(most, B.col(k).cwiseAbs().maxCoeff() * 0.5 * (high[k] - low[k]));
    }
    // The motion may come to the same values with other bodies elsewhere.
    for (std::size_t t = 0; t < values_.size(); t += 1 + values_.size() / 16) {
      const VecX to = values(set, t);
      const auto far = [&](const VecX& x) { return (x - to).cwiseQuotient(high - low).norm(); };
      const auto closest = std::size_t(std::ranges::min_element(net, {}, far) - net.begin());
      c.put(there[closest], net[closest]);
      if (!c.go(to) || !system_->layout.same_place(motion_[t], c.q(), same_bodies)) return too_steep;
    }
    return most;
  }

  VariablesAlong named(const std::vector<int>& set, double margin, double steepest) const {
    VariablesAlong v{{}, {}, steepest, 1, margin, size_of_tables(set), {}, {}};
    for (const PrecomputeOptions::Range& r : asked_.ranges)  // what drivers are given is kept
      if (std::ranges::find(asked_.driven, r.variable, &Variable::name) != asked_.driven.end())
        v.ranges.push_back(r);
    for (std::size_t k = asked_.driven.size(); k < set.size(); ++k) {
      if (const auto at = std::size_t(set[k]); at >= plain_) v.clumsy *= at < single_ ? less_plain : sum_of_two;
      v.ranges.push_back(range(set[k], margin));
      v.names.push_back(v.ranges.back().variable);
    }
    return v;
  }

  Mechanism m_;
  const AskedAlong& asked_;
  const std::vector<VecX>& motion_;
  std::unique_ptr<System> system_;
  double length_;
  std::vector<Variable> all_;  // those of drivers, those that are asked for, of joints, of bodies, sums
  std::size_t kept_ = 0, plain_ = 0, single_ = 0;  // where kinds of these end
  int freedoms_ = 0;
  std::vector<VecX> values_;
  VecX low_, high_;
  std::vector<MatX> motions_, rates_;
  std::vector<std::size_t> to_and_fro_;  // places of the motion, each far from the one before
};
}  // namespace

std::vector<VariablesAlong> serve_along(const Mechanism& m, const std::vector<VecX>& motion,
                                        const AskedAlong& asked) {
  if (motion.size() < 2) return {};
  return Along(m, motion, asked).best();
}
std::vector<VariablesAlong> serve_near(const Mechanism& m, const std::vector<VecX>& motion,
                                       const AskedAlong& asked) {
  if (motion.size() < 2) return {};
  return Along(m, motion, asked).near();
}
}  // namespace mubody
