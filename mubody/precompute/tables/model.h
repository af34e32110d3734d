#pragma once
// A precomputed mechanism: J(θ) θ̈ + h(θ, θ̇) = Q(θ, θ̇, t) as tables over its independent variables.
//
//   T = ½ θ̇ᵀ J θ̇,   h_k = Σ (∂J_kl/∂θ_m − ½ ∂J_lm/∂θ_k) θ̇_l θ̇_m,   Q = −∂V/∂θ + Q_p − C θ̇ + Σ F ∂σ/∂θ
//
// J with its slopes, and V with its slopes, come from one polynomial each, so that energy is conserved as well as the
// integrator can, whatever the error of the table.                            docs/theory/precompute.md
#include <string>

#include "mubody/precompute/tables/table.h"

namespace mubody {
struct VariableRange {
  std::string name, unit;
  bool turn = false, periodic = false;
  double low = 0, high = 0;
};
/// A direction in which a joint gives way: a variable beside the independent ones, small enough for a series.
struct StiffVariable {
  std::string name, unit;
  bool turn = false;
};
/// A parameter of the model whose changes the tables foresee, to first order.
struct DesignVariable {
  std::string name;
  double nominal = 0, value = 0;
};

/// Generalized inertia and what depends on the position only.  Quantities: J_kl for k ≥ l of its arguments, row by row;
/// V; Q_p for each argument, if `positional`; C row by row, if `damped`.
struct DynamicsTable {
  LookupTable table;
  bool positional = false, damped = false;
  std::vector<int>
      order{};  // of the series of each quantity in stiff or design variables (taylor.h); empty: no series
};
/// Where bodies are and how they move.  Quantities for each body: its coordinates; then B, row by row.
struct BodyTable {
  LookupTable table;
  std::vector<int> bodies;
  std::vector<int> order{};
};
/// Scalars that forces at run time see; in order of all scalars of the model.
struct ScalarTable {
  LookupTable table;
  std::vector<int> scalars;
  std::vector<int> order{};
};

/// The way from one region to the next one.
struct Border {
  int region = -1;   // -1: there is none, the range ends
  double at = 0;     // of the variable
  double shift = 0;  // added to the value of the next region's variable
  int laps = 0;      // +1 or -1 if it closes the way round
};
/// A part of the motion in which one set of variables serves.
struct Region {
  std::vector<VariableRange> variables;
  std::vector<DynamicsTable> dynamics;
  std::vector<BodyTable> bodies;
  std::vector<ScalarTable> scalars;
  LookupTable next;  // values of the variables of the regions below and above, if there are any
  std::vector<int> next_order{};
  Border below, above;
};

struct RealTimeModel {
  std::string name;                   // of the model
  std::string file, text;             // its file, and what stood there
  std::vector<std::string> settings;  // key=value, as it was read with
  std::string version;                // of the library
  std::string summary;                // what is told when it is made: ranges, bound, sizes, cost
  double bound = 0;                   // that was asked for
  double certified = 0;               // largest error found, with its margin
  int degree = 0;
  std::vector<Region> regions;
  std::vector<int> run_time;               // forces that are applied at run time
  std::vector<StiffVariable> stiff;        // behind the independent variables
  std::vector<double> stiffness, damping;  // of these, row by row
  std::vector<DesignVariable> design;      // one kind or the other
  /// Of one way round of each variable: what body coordinates gain, and the sign that Euler parameters take.
  std::vector<double> gain, sign;
  std::vector<double> scalar_gain;  // ... and what scalars gain: of the first variable, of the second ...
  // The start of the analysis.
  int start_region = 0;
  std::vector<double> start, start_rate;
  double t = 0;

  int n() const { return int(start.size()); }
  std::size_t bytes() const;
};
}  // namespace mubody
