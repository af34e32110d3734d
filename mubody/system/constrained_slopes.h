#pragma once
// Derivatives of the equations of motion before they are solved, for implicit methods: few numbers, since a body meets
// few others.
//
//   docs/theory/integrators.md#the-matrix-of-newton
//
//   F = Q − Dᵀ λ,   G = γ − D a,   q̇,   ż,   powers;   by q, u and z, while λ and a stay as they are
//
// Whoever can differentiate a mechanism's equations makes one; it is in body coordinates.
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
struct Terms;

/// A state, with the accelerations and multipliers that it has.
struct SolvedState {
  double t;
  In q, u, z, a, lambda;
};

class ConstrainedSlopes {
 public:
  /// Rows and columns are counted through all of them, in the order above.
  struct Entry {
    int row, column;
  };
  virtual ~ConstrainedSlopes() = default;
  /// Whether derivatives are there, or are worth making where differences have cost so many evaluations more so far.
  virtual bool pays(double evaluations) = 0;
  /// Those that are not zero by structure; once they are there.
  virtual const std::vector<Entry>& entries() const = 0;
  /// Constraints that follow from the others at all times; empty if there are none.
  virtual const std::vector<bool>& left_out() const = 0;
  /// The values of the entries at a state, whose terms are given; null where these are not those of the equations that were
  /// differentiated.
  virtual const double* at(const SolvedState&, const Terms&) = 0;
  /// Takes an accepted state: turns are counted from here on.
  virtual void remember(double t, const In& q, const In& u, const In& z) = 0;
};
}  // namespace mubody
