#pragma once
// The numbers that a sweep keeps from each run, as they are written on the command line:
//
//   crank.angle         the last value            crank.angle@2 s        the value at a time
//   max(crank.omega)    the largest value and its time, over the results of the run; also min(...)
//
// A star in a name stands for any characters.                                  docs/user/sweep.md#keep
#include <optional>
#include <string>
#include <vector>

#include "mubody/results/results.h"

namespace mubody {
struct Kept {
  enum What { last, at, max, min };
  What what = last;
  std::string channel, unit;
  double time = 0;  // for `at` [s]

  /// "crank.angle[rad]", or "max(crank.omega)[rad/s]" and "time of max(crank.omega)[s]".
  std::vector<std::string> headers() const;
};

/// Finds the channels that the words name among those of a run.  Without words, the channels are those that
/// [output] lists, or the positions of the bodies.  Throws std::invalid_argument, which says what is wrong.
std::vector<Kept> read_kept(const std::vector<std::string>& words, const Results& example);

/// The times at which there must be results for these [s].
std::vector<double> times_of(const std::vector<Kept>&);

/// The numbers from a run, as many as there are headers; NaN where there is none.
std::vector<double> take(const std::vector<Kept>&, const Results&);
}  // namespace mubody
