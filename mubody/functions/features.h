#pragma once
// What a function of time does within a span that steps could pass over: a bell, a peak, a sudden rise.
//                                                                              docs/theory/breakpoints.md
#include <functional>
#include <vector>

namespace mubody {
/// How long steps may be.
struct StepLength {
  double longest;      // [s]
  double stretch = 1;  // by what they are longer than those of the motion that this one is compared with
};

/// Times between two times at which steps have to end, so that none passes over a feature that is shorter than it and
/// steps of one size follow it.  `places` are times at which a feature is likely, in any order; without them a feature
/// is found if it lasts a ten-thousandth of the span.
std::vector<double> short_features(const std::function<double(double)>& f, double from, double to,
                                   const StepLength&, std::vector<double> places = {});
}  // namespace mubody
