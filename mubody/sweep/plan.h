#pragma once
// Which points a sweep visits: all combinations of lists, or a sample.  A point is known by its index alone, so that any
// worker on any machine can make it, and the same plan has the same points everywhere.
//
//   docs/theory/sampling.md
//
// Latin hypercube: McKay, Beckman & Conover (1979).  Of n points each lies in another of n equally likely strata of every
// variable.
#include <cstdint>
#include <string>
#include <vector>

#include "mubody/sweep/variable.h"

namespace mubody {
struct Sampling {
  enum Kind { grid, lhs, random };
  Kind kind = grid;
  std::size_t points = 0;  // of a sample; a grid has as many as it has
  std::uint64_t seed = 1;
};

class SweepPlan {
 public:
  /// Throws std::invalid_argument: a distribution needs a sample, files that go together must be equally long.
  SweepPlan(std::vector<SweptVariable>, const Sampling&);

  std::size_t size() const { return size_; }
  const std::vector<SweptVariable>& variables() const { return variables_; }
  const Sampling& sampling() const { return sampling_; }
  /// The number of each variable, in its own unit.
  std::vector<double> point(std::size_t index) const;
  /// The same as settings of the model: "bodies.crank.mass=1.5 kg".
  std::vector<std::string> settings(const std::vector<double>& point) const;
  /// Everything that makes it what it is, for a hash.
  std::string text() const;

 private:
  double share(std::size_t variable, std::size_t index) const;

  std::vector<SweptVariable> variables_;
  Sampling sampling_;
  std::size_t size_ = 1;
  std::vector<std::size_t> group_;            // of each variable: variables of one group go along together
  std::vector<std::size_t> length_, stride_;  // of each group of a grid
  std::vector<std::vector<std::uint32_t>> strata_;  // of each variable in a Latin hypercube
};

/// Fowler, Noll and Vo's hash of a text.
std::uint64_t hash_of(std::string_view text);
}  // namespace mubody
