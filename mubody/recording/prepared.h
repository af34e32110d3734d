#pragma once
// A computation of which everything is done that its inputs do not take part in.  What is left of it are numbers, so that
// mechanisms that differ in numbers alone have the same code.
//
//   docs/theory/recording.md#routines
#include <vector>

#include "mubody/recording/graph.h"

namespace mubody {
/// Makes parameters of all nodes that follow from parameters alone and that others, or `outputs`, need.  Returns the values of
/// all parameters.
std::vector<double> prepare(Computation&, const std::vector<int>& outputs);

/// Which numbers of a mechanism are to be parameters, as Computation wants it: all but those that make terms vanish or
/// factors superfluous.  Equal ones are one parameter.
std::vector<int> all_parameters(const std::vector<double>& numbers);
}  // namespace mubody
