#pragma once
// What outputs of a linear model do when its inputs oscillate: gains and phases over the frequency, as in Bode's plots.
//
//   Laub (1981)                                              docs/theory/modes.md#frequency-responses
//
//   y = H(iω) f,   H(s) = C (s − A)⁻¹ B + D
//
// A is brought to Hessenberg form once, so that each frequency costs n² operations, not n³.  Sums over modes would cost less
// still, but lose all digits where two modes meet, as at critical damping.
#include "mubody/model/table.h"
#include "mubody/solvers/linear.h"

namespace mubody {
/// An output of a linear model: a row of its C.
struct LinearOutput {
  std::string name, unit;
};

/// Frequencies [Hz] from low to high, with equal ratios and so many in a decade, and more about every eigenvalue of A that
/// oscillates, so that no peak falls between two of them.
std::vector<double> frequencies_around(const std::vector<std::complex<double>>& eigenvalues, double low,
                                       double high, int in_decade);

/// The table "frequency_response": frequency, then gain and phase of every output for every input.  Phases are continuous.
/// A driver counts with its motion, not with its acceleration, which is the input of the linear model.  Frequencies at which
/// a response is infinite are left out.
Table frequency_response(const LinearModel&, const std::vector<LinearInput>& inputs,
                         const std::vector<LinearOutput>& outputs, const std::vector<double>& frequencies);
}  // namespace mubody
