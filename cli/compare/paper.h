#pragma once
// The comparison of Marques, Souto & Flores (2017), sec. 4: its four models, and its conclusions beside our figures.
#include "cli/compare/suite.h"

namespace mubody::cli {
/// The planar four-bar, the spatial pendulum of five bars, the spatial slider-crank and the suspension, which are examples.
std::vector<SuiteModel> paper_models();
/// What the paper concludes, and what a suite of its models shows.
std::vector<Finding> paper_findings(const Suite&);
}  // namespace mubody::cli
