#pragma once
// The equations of motion linearised about a state, in as many coordinates as there are freedoms.
//
//   docs/theory/modes.md
//
//   x = (z, w, b, d, ḋ):   ẋ = A x + B f,   y = C x + D f
//
// z and w are displacements and velocities along the free directions of reduced.h, b states of elements
// (bristles), d displacements added to drivers among the inputs; f are the inputs, y channels.
#include "mubody/solvers/exact_slopes.h"
#include "mubody/solvers/inputs.h"
#include "mubody/solvers/reduced.h"

namespace mubody {
struct LinearModel {
  FreeDirections free;
  MatX A, B, C, D;
  int driven = 0;      // drivers among the inputs: the last states are their d, then their ḋ
  double motion = 0;   // part of A from the motion of the reference, which cancels if that is steady [1/s²]
  bool exact = false;  // derivatives are exact to round-off, no differences
  double error = 0;    // estimated error of the derivatives, relative to the largest
  MatX unsure;         // estimated errors of A, entry by entry
};

/// Linearises about a state on the constraints, with time standing still.  `outputs` are indices of channels.  Derivatives
/// are exact if somebody knows them, and extrapolated differences otherwise.
LinearModel linearise(System&, const Mechanism&, bool redundant, double t, const VecX& q, const VecX& u,
                      const std::vector<LinearInput>& inputs, const std::vector<int>& outputs,
                      ExactSlopes* = nullptr);
}  // namespace mubody
