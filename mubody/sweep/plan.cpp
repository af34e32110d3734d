#include "mubody/sweep/plan.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mubody/text/checksum.h"

namespace mubody {
namespace {
constexpr double most_points = 1e8;

/// The n-th number of the sequence that belongs to a seed, computed directly: SplitMix64 by Steele, Lea & Flood
/// (2014).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t n) {
  std::uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// The n-th number as a share between 0 and 1, without these.
double random_share(std::uint64_t seed, std::uint64_t n) {
  return (double(random_bits(seed, n) >> 12) + 0.5) * 0x1p-52;
}

/// The seed of a variable.  It does not depend on the other variables, so that its numbers stay when others are
/// added.
std::uint64_t stream(const Sampling& s, const SweptVariable& v, std::string_view purpose) {
  return random_bits(io::checksum(fmt::format("{} {}", purpose, v.together.empty() ? v.key : v.together)),
                     s.seed);
}

/// A random order, by the method of Fisher and Yates.
std::vector<std::uint32_t> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t k = n; k > 1; --k) std::swap(order[k - 1], order[random_bits(seed, k) % k]);
  return order;
}
}  // namespace

SweepPlan::SweepPlan(std::vector<SweptVariable> variables, const Sampling& sampling)
    : variables_(std::move(variables)), sampling_(sampling) {
  if (variables_.empty()) throw std::invalid_argument("nothing varies");
  std::vector<std::string> groups;
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    const SweptVariable& v = variables_[k];
    for (std::size_t l = 0; l < k; ++l)
      if (variables_[l].key == v.key) throw std::invalid_argument(fmt::format("'{}' is varied twice", v.key));
    if (v.distribution && sampling_.kind == Sampling::grid)
      throw std::invalid_argument(fmt::format(
          "'{}' has a distribution, which needs a sample: add --sample lhs N or --sample random N, or "
          "give a number of values, as in {}=lo:hi:n",
          v.key, v.key));
    const auto found = v.together.empty() ? groups.end() : std::ranges::find(groups, v.together);
    const auto group = std::size_t(found - groups.begin());
    if (found == groups.end()) {
      groups.push_back(v.together.empty() ? "--vary " + v.key : v.together);
      length_.push_back(v.values.size());
    } else if (length_[group] != v.values.size()) {
      throw std::invalid_argument(fmt::format("the columns of {} differ in length", v.together));
    }
    group_.push_back(group);
  }
  stride_.assign(groups.size(), 1);
  if (sampling_.kind != Sampling::grid) {
    if (sampling_.points < 1 || double(sampling_.points) > most_points)
      throw std::invalid_argument(
          fmt::format("a sample of {} points: expected 1 to {}", sampling_.points, most_points));
    size_ = sampling_.points;
    for (const SweptVariable& v : variables_) shares_.push_back(stream(sampling_, v, "share"));
    if (sampling_.kind == Sampling::lhs)
      for (const SweptVariable& v : variables_)
        strata_.push_back(shuffled(size_, stream(sampling_, v, "stratum")));
    return;
  }
  double count = 1;
  for (std::size_t g = groups.size(); g-- > 0;) {  // the last varies fastest
    stride_[g] = size_;
    size_ *= length_[g];
    count *= double(length_[g]);
    if (count > most_points)
      throw std::invalid_argument(
          fmt::format("the grid has more than {} points; take a sample of it", most_points));
  }
}

std::vector<std::size_t> SweepPlan::some(std::size_t most) const {
  const std::size_t count = std::min(most, size_);
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(count > 1 ? k * (size_ - 1) / (count - 1) : 0);
  return all;
}

/// The share p at which a point of a sample lies in the distribution of a variable.
double SweepPlan::share(std::size_t variable, std::size_t index) const {
  const double within = random_share(shares_[variable], index);
  if (sampling_.kind == Sampling::random) return within;
  return (double(strata_[variable][index]) + within) / double(size_);
}

std::vector<double> SweepPlan::point(std::size_t index) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    const SweptVariable& v = variables_[k];
    const std::size_t n = v.values.size();
    if (sampling_.kind == Sampling::grid)
      values.push_back(v.values[index / stride_[group_[k]] % n]);
    else if (v.distribution)
      values.push_back(v.distribution->quantile(share(k, index)));
    else
      values.push_back(v.values[std::min(n - 1, std::size_t(share(k, index) * double(n)))]);
  }
  return values;
}

std::vector<std::string> SweepPlan::settings(const std::vector<double>& point) const {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < point.size(); ++k) all.push_back(variables_[k].setting(point[k]));
  return all;
}

std::string SweepPlan::text() const {
  std::string all = fmt::format("{} {} {}\n", int(sampling_.kind), sampling_.points, sampling_.seed);
  for (const SweptVariable& v : variables_)
    all += fmt::format("{} {} {} {}\n", v.header(), v.together.empty() ? "" : "file",
                       v.distribution ? v.distribution->text() : "", fmt::join(v.values, ","));
  return all;
}
}  // namespace mubody
