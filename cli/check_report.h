#pragma once
// The report of 'mubody check', for people and for programs.
#include <string>
#include <vector>

#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody::cli {
struct CheckReport {
  const Study& study;
  const Results& results;  // results of assembly
  std::vector<std::string> warnings;
  std::string obstacle;  // why the analysis cannot be done; empty if it can
};

std::string report_text(const CheckReport&);
std::string report_json(const CheckReport&);
}  // namespace mubody::cli
