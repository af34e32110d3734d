#pragma once
// The points of a sweep: all combinations of lists, or a sample.  A point follows from its index alone, so that
// any worker on any machine can compute it, and the same plan has the same points everywhere.
//
//   docs/theory/sampling.md
//
// Latin hypercube: McKay, Beckman & Conover (1979).  The range of each variable is divided into n equally
// likely strata, and each of the n points lies in a different one.
#include <cstdint>
#include <string>
#include <vector>

#include "mubody/sweep/variable.h"

namespace mubody {
struct Sampling {
  enum Kind { grid, lhs, random };
  Kind kind = grid;
  std::size_t points = 0;  // the size of a sample; that of a grid follows from its lists
  std::uint64_t seed = 1;
};

class SweepPlan {
 public:
  /// Throws std::invalid_argument if a distribution is given without a sample, or columns of one file differ in
  /// length.
  SweepPlan(std::vector<SweptVariable>, const Sampling&);

  std::size_t size() const { return size_; }
  /// Some of the points, at most so many: from the first to the last, evenly.
  std::vector<std::size_t> some(std::size_t most) const;
  const std::vector<SweptVariable>& variables() const { return variables_; }
  const Sampling& sampling() const { return sampling_; }
  /// The value of each variable at a point, in its own unit.
  std::vector<double> point(std::size_t index) const;
  /// The point as settings of the model: "bodies.crank.mass=1.5 kg".
  std::vector<std::string> settings(const std::vector<double>& point) const;
  /// Everything that determines the points, for a hash.
  std::string text() const;

 private:
  double share(std::size_t variable, std::size_t index) const;

  std::vector<SweptVariable> variables_;
  Sampling sampling_;
  std::size_t size_ = 1;
  std::vector<std::size_t> group_;  // the group of each variable; variables of one group change together
  std::vector<std::size_t> length_, stride_;        // for each group of a grid
  std::vector<std::vector<std::uint32_t>> strata_;  // for each variable of a Latin hypercube
  std::vector<std::uint64_t> shares_;               // seeds, for each variable of a sample
};
}  // namespace mubody
