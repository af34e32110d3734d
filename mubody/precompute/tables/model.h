#pragma once
// A precomputed mechanism: J(θ) θ̈ + h(θ, θ̇) = Q(θ, θ̇, t) as tables over its independent variables.
//
//   T = ½ θ̇ᵀ J θ̇,   h_k = Σ (∂J_kl/∂θ_m − ½ ∂J_lm/∂θ_k) θ̇_l θ̇_m,   Q = −∂V/∂θ + Q_p − C θ̇ + Σ F ∂σ/∂θ
//
// The slopes of J and V are those of the polynomials for J and V, so that energy is conserved as well as the
// integrator can, whatever the error of the table.                             docs/theory/precompute.md
#include <string>

#include "mubody/precompute/tables/table.h"

namespace mubody {
struct VariableRange {
  std::string name, unit;
  bool turn = false, periodic = false;
  double low = 0, high = 0;
  /// No table has an axis for it: bodies move on from where they are at `low`, at the rate that B says.
  bool cyclic = false;

  bool holds(double x) const { return periodic || (x >= low && x <= high); }
  /// "A.angle = 1.57 rad is beyond ...", for a value that it does not hold.
  std::string beyond(double x) const;
};
/// A direction in which a joint gives way.  It is a variable beside the independent ones, small enough for a
/// series.
struct StiffVariable {
  std::string name, unit;
  bool turn = false;
};
/// A parameter of the model that may change after the tables are made; they hold its effect to first order.
struct DesignVariable {
  std::string name;
  double nominal = 0, value = 0;
};

/// Generalized inertia and the forces that depend on the position only.  Its quantities are J_kl for k ≥ l, row
/// by row; V; Q_p for each argument, if `positional`; C row by row, if `damped`.
struct DynamicsTable {
  LookupTable table;
  bool positional = false, damped = false;
  /// The order of the series of each quantity in stiff variables (taylor.h); empty if there are neither these nor design
  /// variables.  With design variables each term has a series of first order in them.
  std::vector<int> order{};
};
/// Where bodies are and how they move.  Its quantities are, for each body, the coordinates and then B, row by
/// row.
struct BodyTable {
  LookupTable table;
  std::vector<int> bodies;
  std::vector<int> order{};
  std::vector<int> stiff{};  // of a loop: those stiff variables of it that move these bodies
};
/// Scalars that forces at run time depend on; `scalars` are their indices among all of the model.
struct ScalarTable {
  LookupTable table;
  std::vector<int> scalars;
  std::vector<int> order{};
};

/// The transition from one region into the next one.
struct Border {
  int region = -1;   // the next region; -1 if the range ends here
  double at = 0;     // value of the variable beyond which the next region takes over
  double shift = 0;  // added to the tabulated value of the next region's variable
  int laps = 0;      // +1 or -1 if the way all round is closed here
};
/// A part of the motion that one set of variables covers.
struct Region {
  std::vector<VariableRange> variables;
  std::vector<DynamicsTable> dynamics;
  std::vector<BodyTable> bodies;
  std::vector<ScalarTable> scalars;
  LookupTable next;  // the variables of the regions below and above, if there are any
  std::vector<int> next_order{};
  Border below, above;
};

/// Loops that hang together, as a joint with several bodies: where these are relative to the body that carries them, and
/// how they move, over variables of their own.                              docs/theory/loops-as-joints.md
struct LoopTable {
  int carrier = 0;
  std::vector<int> bodies;  // of the mechanism; a table of the region knows them as 1, 2, ...
  int degree = 0;
  Region region;                       // with tables of bodies alone
  std::vector<double> gain, sign;      // as those of a model, over these bodies
  std::vector<StiffVariable> stiff{};  // they follow the variables of the region
};

struct RealTimeModel {
  std::string name;
  std::string file, text;             // the model file, and its contents
  std::vector<std::string> settings;  // key=value, as given when the file was read
  std::string version;                // of the library
  std::string summary;                // printed when it was made: ranges, bound, sizes, cost
  double bound = 0;                   // on the errors, as it was asked for
  double certified = 0;               // the largest error that was found, with its margin
  bool in_si = true;                  // these are in SI units, else shares of the sizes of quantities
  int degree = 0;
  std::vector<Region> regions;  // of the whole mechanism; none if its loops are joints
  std::vector<LoopTable> loops;
  bool loops_as_joints = false;
  std::vector<int> run_time;               // forces that are applied at run time
  std::vector<StiffVariable> stiff;        // they follow the independent variables
  std::vector<double> stiffness, damping;  // matrices of the stiff variables, row by row
  std::vector<DesignVariable> design;
  /// What each way all round adds to the body coordinates, and the sign that it gives them; variable by
  /// variable.
  std::vector<double> gain, sign;
  /// What each way all round adds to the scalars, variable by variable; with cyclic variables, in proportion to the way.
  std::vector<double> scalar_gain;
  // The start of the analysis.
  int start_region = 0;
  std::vector<double> start, start_rate;
  double t = 0;

  /// What the bound is measured in, in words.
  std::string bound_unit() const { return in_si ? "in SI units" : "of the size of each quantity"; }
  /// The number of variables, stiff ones included.

  int n() const { return int(start.size()); }
  std::size_t bytes() const;
};
}  // namespace mubody
