#include "mubody/device/point_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace mubody {
namespace {
constexpr double exact = 1e-12;  // of the size that a number has
constexpr std::size_t most_products = 1100;
constexpr int checks = 24;

/// The Chebyshev polynomials T0, T1, ... of x in [-1, 1].
void polynomials(double x, int count, double* t) {
  for (int k = 0; k < count; ++k) t[k] = k == 0 ? 1 : k == 1 ? x : 2 * x * t[k - 1] - t[k - 2];
}
double node(int k, int count) { return std::cos(std::numbers::pi * (k + 0.5) / count); }
std::size_t power(std::size_t base, std::size_t exponent) {
  std::size_t all = 1;
  for (std::size_t k = 0; k < exponent; ++k) all *= base;
  return all;
}
/// A share between 0 and 1 that looks random: multiples of an irrational number (Weyl 1916).
double share(std::size_t k, std::size_t variable) {
  const double x = double(k + 1) * std::sqrt(double(2 + 3 * variable) + 0.7) + 0.37 * double(variable);
  return x - std::floor(x);
}
}  // namespace

class PointMap::Finder {
 public:
  Finder(PointMap& map, const Evaluate& at, const std::vector<bool>& is_size)
      : map_(map), at_(at), is_size_(is_size) {}

  bool find(std::vector<std::size_t>& missing) {
    const auto middle = numbers_at(center());
    if (!middle) return false;
    map_.constant_ = *middle;
    scale_.assign(middle->size(), 0.0);
    if (!find_variables() || !take_checks()) return false;
    std::map<std::vector<std::size_t>, std::vector<std::size_t>> groups;
    for (std::size_t n = 0; n < depends_.size(); ++n)
      if (!depends_[n].empty()) groups[depends_[n]].push_back(n);
    for (const auto& [variables, numbers] : groups)
      if (!find_group(variables, numbers)) return false;
    fit_sizes();
    missing = missing_;
    return missing.empty();
  }

 private:
  std::vector<double> center() const {
    std::vector<double> v;
    for (const SweptRange& r : map_.ranges_) v.push_back((r.low + r.high) / 2);
    return v;
  }
  double value(std::size_t variable, double x) const {
    const SweptRange& r = map_.ranges_[variable];
    return std::clamp((r.low + r.high) / 2 + x * (r.high - r.low) / 2, r.low, r.high);
  }
  std::optional<std::vector<double>> numbers_at(const std::vector<double>& point) const {
    auto y = at_(point);
    if (y && !map_.constant_.empty() && y->size() != map_.constant_.size()) return {};
    return y;
  }

  // Beside two different points, so that a number that is multiplied by zero at one of them shows what it depends on.
  bool find_variables() {
    depends_.resize(map_.constant_.size());
    for (std::size_t v = 0; v < map_.ranges_.size(); ++v) {
      std::vector<bool> changes(depends_.size(), false);
      for (const double beside : {-0.61, 0.37}) {
        std::vector<double> at(map_.ranges_.size());
        for (std::size_t k = 0; k < at.size(); ++k) at[k] = value(k, beside * (k % 2 == 0 ? 1 : 0.7));
        const auto a = numbers_at(at);
        at[v] = value(v, 0.93);
        const auto b = numbers_at(at);
        if (!a || !b) return false;
        for (std::size_t n = 0; n < changes.size(); ++n) {
          changes[n] = changes[n] || (*a)[n] != (*b)[n];
          scale_[n] = std::max({scale_[n], std::abs((*a)[n]), std::abs((*b)[n])});
        }
      }
      for (std::size_t n = 0; n < changes.size(); ++n)
        if (changes[n]) depends_[n].push_back(v);
    }
    return true;
  }
  bool take_checks() {
    for (std::size_t k = 0; k < std::size_t(checks) + map_.ranges_.size(); ++k) {
      std::vector<double> point;
      for (std::size_t v = 0; v < map_.ranges_.size(); ++v) point.push_back(value(v, 2 * share(k, v) - 1));
      auto y = numbers_at(point);
      if (!y) return false;
      checks_.emplace_back(std::move(point), std::move(*y));
    }
    return true;
  }

  /// Tries grids of more and more nodes, and keeps those numbers that each of them gives.
  bool find_group(const std::vector<std::size_t>& variables, std::vector<std::size_t> numbers) {
    for (const int nodes : {2, 3, 4, 6, 9, 14, 20}) {
      if (numbers.empty() || power(std::size_t(nodes), variables.size()) > most_products) break;
      Group g{variables, numbers, nodes, {}};
      if (!fit(g)) return false;
      std::vector<std::size_t> good, left;
      for (std::size_t k = 0; k < numbers.size(); ++k) (agrees(g, k) ? good : left).push_back(k);
      Group kept{variables, {}, nodes, {}};
      const std::size_t products = power(std::size_t(nodes), variables.size());
      for (const std::size_t k : good) {
        kept.numbers.push_back(numbers[k]);
        const auto from = g.coefficients.begin() + std::ptrdiff_t(k * products);
        kept.coefficients.insert(kept.coefficients.end(), from, from + std::ptrdiff_t(products));
      }
      if (!kept.numbers.empty()) map_.groups_.push_back(std::move(kept));
      std::vector<std::size_t> others;
      for (const std::size_t k : left) others.push_back(numbers[k]);
      numbers = std::move(others);
    }
    for (const std::size_t n : numbers) (is_size_[n] ? map_.sizes_ : missing_).push_back(n);
    return true;
  }
  /// Values on the grid, and from them the coefficients, variable after variable.
  bool fit(Group& g) const {
    const std::size_t n = std::size_t(g.nodes), products = power(n, g.variables.size());
    g.coefficients.assign(g.numbers.size() * products, 0.0);
    for (std::size_t p = 0; p < products; ++p) {
      std::vector<double> point = center();
      for (std::size_t v = 0, rest = p; v < g.variables.size(); ++v, rest /= n)
        point[g.variables[v]] = value(g.variables[v], node(int(rest % n), g.nodes));
      const auto y = numbers_at(point);
      if (!y) return false;
      for (std::size_t k = 0; k < g.numbers.size(); ++k) g.coefficients[k * products + p] = (*y)[g.numbers[k]];
    }
    std::vector<double> t(n), sums(n);
    for (std::size_t k = 0; k < g.numbers.size(); ++k)
      for (std::size_t v = 0, stride = 1; v < g.variables.size(); ++v, stride *= n)
        for (std::size_t p = 0; p < products; ++p) {
          if (p / stride % n != 0) continue;
          double* const line = g.coefficients.data() + k * products + p;
          std::fill(sums.begin(), sums.end(), 0.0);
          for (std::size_t j = 0; j < n; ++j) {
            polynomials(node(int(j), g.nodes), g.nodes, t.data());
            for (std::size_t i = 0; i < n; ++i) sums[i] += t[i] * line[j * stride];
          }
          for (std::size_t i = 0; i < n; ++i) line[i * stride] = sums[i] * (i == 0 ? 1.0 : 2.0) / double(n);
        }
    return true;
  }
  bool agrees(const Group& g, std::size_t k) const {
    PointMap one;
    one.ranges_ = map_.ranges_;
    one.constant_ = {0};
    const std::size_t products = power(std::size_t(g.nodes), g.variables.size());
    const auto from = g.coefficients.begin() + std::ptrdiff_t(k * products);
    one.groups_ = {{g.variables, {0}, g.nodes, {from, from + std::ptrdiff_t(products)}}};
    std::vector<double> y;
    for (const auto& [point, wanted] : checks_) {
      one(point, y);
      const double x = wanted[g.numbers[k]];
      if (!(std::abs(y[0] - x) <= exact * std::max(std::abs(x), scale_[g.numbers[k]]))) return false;
    }
    return true;
  }

  /// By least squares, over the checks: normal equations of an intercept and a slope for each variable.
  void fit_sizes() {
    const std::size_t d = map_.ranges_.size() + 1;
    std::vector<double> t(d);
    for (const std::size_t n : map_.sizes_) {
      std::vector<double> A(d * (d + 1), 0.0);
      for (const auto& [point, y] : checks_) {
        t[0] = 1;
        for (std::size_t v = 0; v + 1 < d; ++v) t[v + 1] = map_.unit(v, point[v]);
        for (std::size_t i = 0; i < d; ++i) {
          for (std::size_t j = 0; j < d; ++j) A[i * (d + 1) + j] += t[i] * t[j];
          A[i * (d + 1) + d] += t[i] * y[n];
        }
      }
      for (std::size_t i = 0; i < d; ++i)  // Gauss and Jordan; the equations are well conditioned
        for (std::size_t r = 0; r < d; ++r) {
          const double factor = r == i ? 0 : A[r * (d + 1) + i] / A[i * (d + 1) + i];
          for (std::size_t c = 0; c <= d; ++c) A[r * (d + 1) + c] -= factor * A[i * (d + 1) + c];
        }
      for (std::size_t i = 0; i < d; ++i) map_.slopes_.push_back(A[i * (d + 1) + d] / A[i * (d + 1) + i]);
    }
  }

  PointMap& map_;
  const Evaluate& at_;
  const std::vector<bool>& is_size_;
  std::vector<std::vector<std::size_t>> depends_;  // variables of each number
  std::vector<double> scale_;                      // the largest size of each number
  std::vector<std::pair<std::vector<double>, std::vector<double>>> checks_;
  std::vector<std::size_t> missing_;
};

double PointMap::unit(std::size_t variable, double x) const {
  const SweptRange& r = ranges_[variable];
  return r.high > r.low ? (2 * x - r.low - r.high) / (r.high - r.low) : 0;
}

bool PointMap::is_exact(std::size_t number) const { return std::ranges::find(sizes_, number) == sizes_.end(); }

std::optional<PointMap> PointMap::find(const std::vector<SweptRange>& ranges, const Evaluate& at,
                                       const std::vector<bool>& is_size, std::vector<std::size_t>& missing) {
  PointMap map;
  map.ranges_ = ranges;
  missing.clear();
  return Finder(map, at, is_size).find(missing) ? std::optional(std::move(map)) : std::nullopt;
}

void PointMap::operator()(const std::vector<double>& point, std::vector<double>& numbers) const {
  numbers = constant_;
  std::vector<double> products, t;
  for (const Group& g : groups_) {
    const auto n = std::size_t(g.nodes);
    products.assign(1, 1.0);
    t.resize(n);
    for (const std::size_t v : g.variables) {  // the first varies fastest
      polynomials(unit(v, point[v]), g.nodes, t.data());
      const std::size_t before = products.size();
      products.resize(before * n);
      for (std::size_t i = n; i-- > 0;)
        for (std::size_t p = 0; p < before; ++p) products[i * before + p] = t[i] * products[p];
    }
    const double* c = g.coefficients.data();
    for (const std::size_t k : g.numbers) {
      double sum = 0;
      for (const double p : products) sum += *c++ * p;
      numbers[k] = sum;
    }
  }
  const double* slope = slopes_.data();
  for (const std::size_t k : sizes_) {
    double sum = *slope++;
    for (std::size_t v = 0; v < point.size(); ++v) sum += *slope++ * unit(v, point[v]);
    numbers[k] = sum;
  }
}
}  // namespace mubody
