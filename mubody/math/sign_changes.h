#pragma once
// Where functions of one variable change their sign.
#include <cstddef>
#include <functional>
#include <vector>

namespace mubody {
/// Arguments between two arguments at which one of `count` functions changes its sign, in increasing order, each as
/// precise as numbers are.  A pair of changes closer than a 20 000th of the span is found if the function has an
/// extremum there and is smooth; one within a jump is not.
std::vector<double> sign_changes(std::size_t count, double from, double to,
                                 const std::function<const std::vector<double>&(double)>& values);
}  // namespace mubody
