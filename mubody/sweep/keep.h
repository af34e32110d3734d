#pragma once
// What a sweep keeps of each run, as the command line states it:
//
//   crank.angle         the last value            crank.angle@2 s        the value at a time
//   max(crank.omega)    the largest value and its time, over the results of the run; also min(...)
//
// A star stands for any characters of a name.                                             docs/user/sweep.md#keep
#include <optional>
#include <string>
#include <vector>

#include "mubody/results/results.h"

namespace mubody {
struct Kept {
  enum What { last, at, max, min };
  What what = last;
  std::string channel, unit;
  double time = 0;  // of `at` [s]

  /// "crank.angle[rad]", or "max(crank.omega)[rad/s]" and "time of max(crank.omega)[s]".
  std::vector<std::string> headers() const;
};

/// What is asked for, of the channels that a run has; for none, the positions of the bodies or what [output] lists.
/// Throws std::invalid_argument with what is wrong.
std::vector<Kept> read_kept(const std::vector<std::string>& words, const Results& example);

/// The times that results must have for these [s].
std::vector<double> times_of(const std::vector<Kept>&);

/// Their numbers in a run, as many as there are headers; not a number where there is none.
std::vector<double> take(const std::vector<Kept>&, const Results&);
}  // namespace mubody
