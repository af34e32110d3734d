#pragma once
// The tables that are asked for: the command line, or the [precompute] section of a model file.
//                                                                              docs/user/precompute.md
#include <string>
#include <vector>

#include "mubody/model/fields.h"

namespace mubody {
struct PrecomputeOptions {
  std::vector<std::string> independent;  // names of variables; the best if empty
  struct Range {
    std::string variable;
    double low = 0, high = 0;  // [rad, m]
  };
  std::vector<Range> ranges;
  double bound = 1e-8;              // on errors of all quantities, in SI units
  double memory = 100e6;            // [bytes] of all tables
  int degree = 0;                   // of polynomials: 3, 5, 7 or 9; as the bound asks for if 0
  std::vector<std::string> design;  // parameters whose changes the tables foresee

  /// All but the memory, which has units of its own, and the ranges of variables.
  void fields(Fields& f);
  void check() const;
};
}  // namespace mubody
