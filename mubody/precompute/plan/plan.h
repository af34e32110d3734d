#pragma once
// Which independent variables, in which ranges: before any table is made.      docs/theory/regions.md
#include "mubody/precompute/plan/curve.h"
#include "mubody/precompute/plan/options.h"
#include "mubody/precompute/tables/model.h"

namespace mubody {
struct RegionPlan {
  std::vector<Variable> variables;
  std::vector<VariableRange> ranges;
  VecX q, theta;          // a configuration in it, and its variables there, counted over turns
  std::vector<VecX> way;  // configurations from the start to there, close to each other
  Border below, above;
  // Of one variable: those of the next regions, with their values at q.
  std::vector<Variable> next;
  VecX next_values;
};
struct Plan {
  std::vector<RegionPlan> regions;
  int start = 0;  // where the start lies
  std::vector<double> gain, sign;
  /// Of each variable: configurations on its way all round, close to each other, from the start to the start; none if
  /// it does not go round.
  std::vector<std::vector<VecX>> rounds;
  std::vector<std::string> remarks;
};

/// What the variables are and where they must reach: as the user has it, and as drivers ask for.
struct Wanted {
  std::vector<Variable> variables;  // all; of one freedom perhaps none: then the best
  std::vector<PrecomputeOptions::Range> given, driven;
};
/// Of one freedom: one variable if one serves, otherwise regions.  Throws ModelError.
Plan plan_one(const Mechanism&, const Wanted&, const VecX& q, double length);
/// Of several.
Plan plan_many(const Mechanism&, const Wanted&, double t, const VecX& q);
/// What body coordinates gain on a way that leads back to the same place: turns of angles, and signs of Euler parameters.
struct Gained {
  std::vector<double> turns, sign;
};
Gained gained_by_round(const Mechanism&, const VecX& from, const VecX& to);
/// "A.angle = -90 to 90 deg"
std::string text(const VariableRange&);
/// "57.3 deg" or "0.1 m"
std::string value_text(double value, bool turn);
/// The same as it is written on the command line: "57.3deg", "0.1".
std::string option_text(double value, bool turn);
}  // namespace mubody
