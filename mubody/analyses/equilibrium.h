#pragma once
// Equilibrium: the position of rest, its reactions, and its stability.
//
//   docs/theory/equilibrium.md
//
//   Rᵀ Q(t, q, 0) = 0  on the constraints (statics.h);   K = −∂(RᵀQ)/∂z:  all eigenvalues positive means stable
//
// In coordinates that are orthonormal in the metric of the mass the eigenvalues of K are ω² [1/s²].
#include "mubody/study/options.h"

namespace mubody {
struct Equilibrium {
  static constexpr Info info{"equilibrium",
                             "where the mechanism rests, its reactions there, and whether that is stable"};
  static constexpr std::string_view tables[] = {"stability"};
  static constexpr AnalysisFacts facts{.at_one_instant = true, .any_coordinates = true, .tables = tables};

  Results run(const Study&, const Progress& = {}) const;
};
}  // namespace mubody
