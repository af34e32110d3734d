#pragma once
// Sensitivity: how results change with parameters p of the model, by direct differentiation.
//
//   Haug & Arora (1979)                                                      docs/theory/sensitivity.md
//
//   driven motion   D ξ = −Φ_p,   D η = −(D u − ν)_p,   D α = −(D a − γ)_p,   Dᵀ μ = −(M a + Dᵀ λ − Q)_p
//                   ξ, η, α, μ: changes of positions, velocities, accelerations, multipliers
//   equilibrium     K z = (RᵀQ)_p,   ξ = ξ_n + R z,   ξ_n puts q back on the constraints of the changed model
//
// Each right-hand side is a derivative at fixed unknowns, taken along the changes found so far; it needs the model with
// another p but solves nothing there.  As a check everything is solved anew with four other values of each parameter.
#include "mubody/study/options.h"

namespace mubody {
struct Sensitivity {
  static constexpr Info info{"sensitivity", "how parameters change the equilibrium or a driven motion"};
  static constexpr std::string_view tables[] = {"stability", "sensitivity"};
  static constexpr AnalysisFacts facts{.tables = tables};
  std::vector<std::string> parameters;

  void fields(Fields& f) {
    f.optional("parameters", parameters, "", "results are differentiated with respect to these", "all");
  }
  void check(const Study&) const;
  Results run(const Study&, const Progress& = {}) const;
};
}  // namespace mubody
