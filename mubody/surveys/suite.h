#pragma once
// Several models under the same methods, and the methods in an order.
//
//   Marques, Souto & Flores (2017), sec. 4, compares treatments on four mechanisms      docs/user/compare.md#several-models
#include "mubody/surveys/comparison.h"

namespace mubody {
/// What a statement of a document says, and what the runs say to it.
struct Finding {
  std::string place, statement;  // "fig. 8", in the words of the document
  std::string ours;              // with figures
  bool agrees = false;
  std::string reason;  // why ours differs, if it does
};

/// How a method did over all models.
struct Rank {
  Method method;
  int passed = 0, models = 0;
  double cpu = 0;    // geometric mean of CPU times relative to standard multipliers
  double error = 0;  // geometric mean of errors relative to those of standard multipliers
  /// The CPU time that the errors of standard multipliers would take: errors fall with the order p of the integrator, and cost
  /// grows, as steps become smaller, cpu · error^(1/p).
  double work = 0;
  double square = 0, rate_square = 0;  // largest ΦᵀΦ and Φ̇ᵀΦ̇ of all models
  double energy = 0;                   // largest energy residual, as a share of the energy in play
};

struct Suite {
  std::vector<Comparison> comparisons;
  std::vector<Rank> ranks;  // best first
  std::vector<Finding> findings;
  bool interrupted = false;
};

/// The methods in the order of the models that they passed, then of their work.  Figures are those of the models that a method
/// passed and standard multipliers, with the same integrator and steps, reached the end of.
std::vector<Rank> ranking(std::span<const Comparison>);

/// The run of a method in a comparison; null if there is none.
const MethodRun* find_run(const Comparison&, const Method&);
/// That of standard multipliers with the integrator and steps of a method.
const MethodRun* standard_run(const Comparison&, const Method&);
}  // namespace mubody
