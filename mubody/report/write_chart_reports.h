#pragma once
// Pages without a mechanism: the comparison of methods, the agreement of results, and regions of stability.
#include <array>
#include <string>
#include <vector>

#include "mubody/report/report_page.h"
#include "mubody/surveys/suite.h"
#include "mubody/writing/compare_files.h"

namespace mubody::io {
/// Throws std::runtime_error if the program was built without pages.
std::string comparison_html(const Comparison&, const ModelFile&);

/// The same of several models, with the ranking of the methods.
std::string suite_html(const Suite&);

/// Where in the plane of Baumgarte's gains an integrator damps violations.
struct Region {
  std::string integrator;
  std::vector<double> alpha_h, beta2_h2;  // the grid [1]
  std::vector<float> largest_z;           // for each beta2_h2 a row along alpha_h [1]
};
/// A violation that Baumgarte's method damps: over-, critically or under-damped.
struct DampedResponse {
  std::string damping;
  double alpha = 0, beta = 0;  // [1/s]
  std::vector<double> times;   // [s]
  std::vector<float> values;   // [s] for a speed of one at the start
};
/// The factors per step of the violations in the plane of complex numbers.
struct PlaneRoots {
  std::string integrator;
  double alpha = 0, beta = 0, step = 0;  // [1/s], [s]
  std::vector<std::array<double, 2>> z;  // real and imaginary parts
};
struct StabilityPictures {
  std::vector<Region> regions;
  std::vector<DampedResponse> responses;
  std::vector<PlaneRoots> roots;
};
std::string stability_html(const StabilityPictures&);

/// The plots of Bland and Altman for two results, which must have kept their series; `a` and `b` are what they are called.
std::string agreement_html(const FileComparison&, const std::string& a, const std::string& b);
}  // namespace mubody::io
