#pragma once
// The options of tables, from the command line or the [precompute] section of a model file.
//                                                                              docs/user/realtime.md
#include <optional>
#include <string>
#include <vector>

#include "mubody/model/fields.h"

namespace mubody {
struct PrecomputeOptions {
  static constexpr double least_bound = 1e-14;

  std::vector<std::string> independent;  // names of variables; if empty, the best are chosen
  struct Range {
    std::string variable;
    double low = 0, high = 0;  // [rad, m]
  };
  std::vector<Range> ranges;
  std::optional<double> bound;      // on errors of all quantities, in SI units; see share()
  double memory = 100e6;            // of all tables [bytes]
  int degree = 0;                   // of polynomials: 3, 5, 7 or 9; if 0, it follows from the bound
  std::vector<std::string> design;  // parameters that may change after the tables are made
  enum { as_suits, whole, loops };
  Choice tables_of{{"auto", "whole", "loops"}};

  /// That bound; if it is not given, a share of the characteristic size of each quantity, or of its largest value if
  /// that is more.
  double share() const { return bound.value_or(1e-8); }
  /// Visits all but the memory, which has units of its own, and the ranges of variables.
  void fields(Fields& f);
  void check() const;
};
}  // namespace mubody
