#pragma once
// The digits of what comes from equations solved at single positions, from errors that were found by experiment.
//                                                                              docs/theory/estimate.md
#include <span>

#include "mubody/results/results.h"

namespace mubody {
/// The error of a column of the results, and its time.
struct FoundError {
  std::string column;
  double error = 0, at = 0;  // in the unit of the column; [s]
};

/// The digits that such errors and the last digits of numbers leave; `method` says in words how they were found.
Accuracy accuracy_of_solutions(const Results&, std::span<const FoundError>, std::string method);
}  // namespace mubody
