#pragma once
// The options of tables, from the command line or the [precompute] section of a model file.
//                                                                              docs/user/realtime.md
#include <string>
#include <vector>

#include "mubody/model/fields.h"

namespace mubody {
struct PrecomputeOptions {
  std::vector<std::string> independent;  // names of variables; if empty, the best are chosen
  struct Range {
    std::string variable;
    double low = 0, high = 0;  // [rad, m]
  };
  std::vector<Range> ranges;
  double bound = 1e-8;              // on errors of all quantities, in SI units
  double memory = 100e6;            // of all tables [bytes]
  int degree = 0;                   // of polynomials: 3, 5, 7 or 9; if 0, it follows from the bound
  std::vector<std::string> design;  // parameters that may change after the tables are made

  /// Visits all but the memory, which has units of its own, and the ranges of variables.
  void fields(Fields& f);
  void check() const;
};
}  // namespace mubody
