#pragma once
// The choice of independent variables and their ranges, before any table is made.      docs/theory/regions.md
#include "mubody/precompute/plan/curve.h"
#include "mubody/precompute/plan/options.h"
#include "mubody/precompute/tables/model.h"

namespace mubody {
struct RegionPlan {
  std::vector<Variable> variables;
  std::vector<VariableRange> ranges;
  VecX q, theta;          // a configuration in the region, and the variables there, counted over turns
  std::vector<VecX> way;  // configurations from the start to q, close to each other
  Border below, above;
  // The variables of the regions below and above, with their values at q; only with one variable.
  std::vector<Variable> next;
  VecX next_values;
};
struct Plan {
  std::vector<RegionPlan> regions;
  int start = 0;  // the region that contains the start
  std::vector<double> gain, sign;
  /// For each variable, configurations on its way all round from the start to the start, close to each other;
  /// none if it does not go round.
  std::vector<std::vector<VecX>> rounds;
  int free_ranges = 0;  // that were found, and end somewhere
  std::vector<std::string> remarks;
};

/// The variables and their ranges, as the user gives them and as drivers need them.
struct Wanted {
  std::vector<Variable> variables;  // with one freedom there may be none, and the best is chosen
  std::vector<PrecomputeOptions::Range> given, driven;
  double share = 1;                      // of the ranges that are found, other than whole turns
  std::vector<std::string> tabulated{};  // variables that are not cyclic, although they move bodies like that
  std::vector<std::string> still{};      // drivers that stay where they are, with ranges that nobody gave
  bool near_motion = false;              // ranges are given, and only what is near a motion has to be reached
};
/// With one freedom, a single variable is used if it covers the whole motion, and regions if none does.  Throws
/// ModelError.
Plan plan_one(const Mechanism&, const Wanted&, const VecX& q, double length);
/// With several freedoms, all variables cover one region together.  Cyclic variables come last.  Throws ModelError.
Plan plan_many(const Mechanism&, const Wanted&, double t, const VecX& q);
/// "A.angle from -90 deg to 90 deg"
std::string text(const VariableRange&);
/// "57.3 deg" or "0.1 m"
std::string value_text(double value, bool turn);
/// The same as it is written on the command line: "57.3deg", "0.1".
std::string option_text(double value, bool turn);
}  // namespace mubody
