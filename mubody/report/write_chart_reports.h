#pragma once
// Pages without a mechanism: the comparison of methods, and regions of stability.
#include <string>
#include <vector>

#include "mubody/report/report_page.h"
#include "mubody/surveys/comparison.h"

namespace mubody::io {
/// Throws std::runtime_error if the program was built without pages.
std::string comparison_html(const Comparison&, const ModelFile&);

/// Where in the plane of Baumgarte's gains an integrator damps violations.
struct Region {
  std::string integrator;
  std::vector<double> alpha_h, beta2_h2;  // the grid [1]
  std::vector<float> largest_z;           // for each beta2_h2 a row along alpha_h [1]
};
std::string regions_html(const std::vector<Region>&);
}  // namespace mubody::io
