#pragma once
// Statistics of the rows of a sweep: mean, spread and quantiles of each column.
#include <string>
#include <vector>

#include "mubody/sweep/row.h"

namespace mubody {
struct ColumnStatistics {
  std::string name;         // header of the column
  bool varied = false;      // an input, not a result
  std::size_t n = 0;        // count of its numbers
  double mean = 0, sd = 0;  // sd is divided by n − 1, and 0 for a single number
  double min = 0, max = 0;
  double q05 = 0, q25 = 0, median = 0, q75 = 0, q95 = 0;  // interpolated between the sorted numbers
};

struct SweepStatistics {
  std::size_t points = 0, good = 0, doubtful = 0, failed = 0;  // the others are not done
  std::vector<ColumnStatistics> columns;                       // over the good points
  /// Why points failed or are doubtful, the most frequent reason first.  Messages that differ only in numbers
  /// count as one.
  struct Reason {
    std::string message;  // of the first such point
    std::size_t count = 0, first = 0;
  };
  std::vector<Reason> reasons;
  std::string digits;  // in words, those that stay at the first point; empty if not known

  std::size_t done() const { return good + doubtful + failed; }
};

/// The statistics of numbers in any order; there must be one at least.
ColumnStatistics statistics_of(std::vector<double> numbers);

SweepStatistics statistics_of(const std::vector<SweepRow>&, std::size_t points,
                              const std::vector<std::string>& varied, const std::vector<std::string>& kept);
}  // namespace mubody
