#pragma once
// Forward sensitivity: how a motion from forces changes with parameters of the model and with its start.
//
//   Hairer, Nørsett & Wanner, Solving ODEs I, sec. I.14                    docs/theory/forward-sensitivity.md
//
//   Ṡ = f_y S + f_p P,   S = ∂y/∂p;   derivatives of the recorded equations, exact to round-off
//
// The motion is computed as a forward analysis does, and once more beside its derivatives, in body coordinates with
// projection; the verdict says how well the two motions agree.
#include "mubody/study/options.h"

namespace mubody {
struct ForwardSensitivity {
  static constexpr Info info{"forward_sensitivity", "how parameters and the start change a motion from forces"};
  static constexpr std::string_view tables[] = {"sensitivity"};
  static constexpr AnalysisFacts facts{.integrates = true, .tables = tables};
  std::vector<std::string> parameters, start_values;

  void fields(Fields& f) {
    f.optional("parameters", parameters, "", "results are differentiated with respect to these", "all");
    f.optional("start_values", start_values, "",
               "and with respect to these numbers of the start, as in \"crank.omega\"", "none");
  }
  void check(const Study&) const;
  Results run(const Study&, const Progress& = {}) const;
};
}  // namespace mubody
