#pragma once
// Which independent variables, in which ranges: before any table is made.      docs/theory/regions.md
#include "mubody/precompute/curve.h"
#include "mubody/precompute/model.h"
#include "mubody/precompute/precompute.h"

namespace mubody {
struct RegionPlan {
  std::vector<Variable> variables;
  std::vector<VariableRange> ranges;
  VecX q, theta;  // a configuration in it, and its variables there, counted over turns
  Border below, above;
  // Of one variable: those of the next regions, with their values at q.
  std::vector<Variable> next;
  VecX next_values;
};
struct Plan {
  std::vector<RegionPlan> regions;
  int start = 0;  // where the start lies
  std::vector<double> gain, sign;
  std::vector<std::string> remarks;
};

/// Of one freedom: one variable if one serves, otherwise regions.  Throws ModelError.
Plan plan_one(const Mechanism&, const PrecomputeOptions&, const VecX& q, double length);
/// Of several.
Plan plan_many(const Mechanism&, std::vector<Variable>, const PrecomputeOptions&, double t, const VecX& q);
/// "A.angle = -90 to 90 deg"
std::string text(const VariableRange&);
/// "57.3 deg" or "0.1 m"
std::string value_text(double value, bool turn);
}  // namespace mubody
