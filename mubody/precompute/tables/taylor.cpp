#include "mubody/precompute/tables/taylor.h"

#include <array>

namespace mubody {
namespace {
// The first derivative from values at ±h and ±2h, correct up to fifth powers of h.
template <class T> T slope(const std::array<T, 4>& f, double h) {
  return (8.0 / (12 * h)) * (f[0] - f[1]) - (1.0 / (12 * h)) * (f[2] - f[3]);
}
constexpr std::array<double, 4> places{1, -1, 2, -2};
}  // namespace

TaylorSamples::TaylorSamples(Sampled& of, int free, std::vector<Small> small, std::vector<int> order,
                             bool slopes_by_small)
    : of_(of), free_(free), small_(std::move(small)), order_(std::move(order)),
      slopes_by_small_(slopes_by_small) {
  for (std::size_t q = 0; q < of_.quantities.size(); ++q) {
    const Quantity& one = of_.quantities[q];
    quantities.push_back(one);
    if (!slopes_by_small_ || !one.exact_slopes) order_[q] = std::min(order_[q], 1);
    const auto add = [&](const std::string& by, bool exact, double factor) {
      quantities.push_back({one.name + " by " + by, one.unit, exact, one.slopes_used, 0, one.factor * factor,
                            one.series, one.size});
    };
    if (order_[q] > 0)
      for (const Small& s : small_) add(s.name, one.exact_slopes, s.most);
    if (order_[q] > 1)
      for (std::size_t s = 0; s < small_.size(); ++s)
        for (std::size_t t = 0; t <= s; ++t)
          add(small_[s].name + ", " + small_[t].name, false, small_[s].most * small_[t].most);
  }
}

TaylorSamples::TaylorSamples(std::unique_ptr<Sampled> of, int free, std::vector<Small> small,
                             std::vector<int> order, bool slopes_by_small)
    : TaylorSamples(*of, free, std::move(small), std::move(order), slopes_by_small) {
  kept_ = std::move(of);
}

bool TaylorSamples::sample(const VecX& x, VecX& f, MatX& g) {
  const auto nq = Eigen::Index(of_.quantities.size());
  f.resize(nq);
  g.resize(nq, x.size());
  return of_.at(x, f, g);
}

bool TaylorSamples::at(const VecX& x, Out values, MatX& slopes) {
  const auto n = Eigen::Index(small_.size());
  VecX full = VecX::Zero(free_ + n);
  full.head(free_) = x;
  VecX f;
  MatX g;
  if (!sample(full, f, g)) return false;
  // Derivatives of values and slopes by each small variable.
  std::vector<VecX> df(small_.size());
  std::vector<MatX> dg(small_.size());
  for (Eigen::Index s = 0; s < n; ++s) {
    const double h = small_[std::size_t(s)].step;
    std::array<VecX, 4> fs;
    std::array<MatX, 4> gs;
    for (std::size_t k = 0; k < places.size(); ++k) {
      full[free_ + s] = places[k] * h;
      if (!sample(full, fs[k], gs[k])) return false;
    }
    full[free_ + s] = 0;
    df[std::size_t(s)] = slope(fs, h);
    dg[std::size_t(s)] = slope(gs, h);
  }
  Eigen::Index to = 0;
  slopes.setZero();
  for (Eigen::Index q = 0; q < f.size(); ++q) {
    const bool exact = of_.quantities[std::size_t(q)].exact_slopes;
    values[to] = f[q];
    slopes.row(to++) = g.row(q).head(free_);
    if (order_[std::size_t(q)] > 0)
      for (Eigen::Index s = 0; s < n; ++s) {
        values[to] = exact && slopes_by_small_ ? g(q, free_ + s) : df[std::size_t(s)][q];
        slopes.row(to++) = dg[std::size_t(s)].row(q).head(free_);
      }
    if (order_[std::size_t(q)] > 1)
      for (Eigen::Index s = 0; s < n; ++s)
        for (Eigen::Index t = 0; t <= s; ++t)
          values[to++] = (s == t ? 0.5 : 1.0) * dg[std::size_t(s)](q, free_ + t);
  }
  return true;
}

void sum_series(std::span<const int> order, int free, std::span<const double> sigma, int upto,
                const double* values, const double* slopes, double* out, double* out_slopes) {
  const auto n = int(sigma.size()), quantities = int(order.size());
  int in = 0;  // numbers in the table
  for (const int o : order) in += terms_of(o, n);
  int k = 0;
  for (int q = 0; q < quantities; ++q) {
    const int last = k + terms_of(order[std::size_t(q)], n), used = std::min(order[std::size_t(q)], upto);
    const auto sum = [&](const double* f) {
      double all = f[k];
      if (used > 0)
        for (int s = 0; s < n; ++s) all += f[k + 1 + s] * sigma[std::size_t(s)];
      if (used > 1) all += second_order(sigma, f + k);
      return all;
    };
    out[q] = sum(values);
    if (out_slopes) {
      for (int a = 0; a < free; ++a) out_slopes[a * quantities + q] = sum(slopes + a * in);
      for (int s = 0; s < n; ++s) {
        double by = used > 0 ? values[k + 1 + s] : 0;
        if (used > 1)
          for (int t = 0; t < n; ++t) {
            const int high = std::max(s, t), low = std::min(s, t);
            by +=
                (s == t ? 2.0 : 1.0) * values[k + 1 + n + high * (high + 1) / 2 + low] * sigma[std::size_t(t)];
          }
        out_slopes[(free + s) * quantities + q] = by;
      }
    }
    k = last;
  }
}

double second_order(std::span<const double> sigma, const double* values) {
  const auto n = int(sigma.size());
  double all = 0;
  for (int s = 0, k = 1 + n; s < n; ++s)
    for (int t = 0; t <= s; ++t, ++k) all += values[k] * sigma[std::size_t(s)] * sigma[std::size_t(t)];
  return all;
}
}  // namespace mubody
