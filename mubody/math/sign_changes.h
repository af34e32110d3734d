#pragma once
// Where functions of one variable change their sign.
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace mubody {
struct SignChange {
  double at;
  double unsure =
      0;  // so far on either side round-off decides about the sign; 0 if no farther than a few last digits
};

/// Arguments between two arguments at which one of `count` functions changes its sign, in increasing order, each as
/// precise as numbers are.  A pair of changes closer than two of the samples is found if the function has an extremum
/// there and is smooth; one within a jump is not.  Functions with more than `most` changes are left out.
std::vector<SignChange> sign_changes(std::size_t count, double from, double to,
                                     const std::function<const std::vector<double>&(double)>& values,
                                     int samples = 20'000,
                                     std::size_t most = std::numeric_limits<std::size_t>::max());
}  // namespace mubody
