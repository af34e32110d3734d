#pragma once
// Modes: small motions about a state, x = X e^{λt}.
//
//   Meirovitch (1980)                                                       docs/theory/modes.md
//
//   A X = λ X,   f = |λ| / 2π,   ζ = −Re λ / |λ|,   shape R_h z
//
// A is that of linear.h; the matrices of ẋ = A x + B f, y = C x + D f are tables as well, and so is the response of y to f
// that oscillates.
#include "mubody/study/options.h"

namespace mubody {
struct Modes {
  static constexpr Info info{
      "modes",
      "frequencies, damping ratios and shapes of small motions; state-space matrices and "
      "frequency responses"};
  static constexpr std::string_view tables[] = {"modes", "mode_motion", "states", "A",
                                                "B",     "C",           "D",      "frequency_response"};
  static constexpr AnalysisFacts facts{.at_one_instant = true, .tables = tables};
  enum About { start, equilibrium };
  Choice about{{"start", "equilibrium"}};
  std::vector<std::string> inputs;
  std::vector<double> frequencies;  // [Hz]
  int points = 100;

  void fields(Fields& f) {
    f.optional("about", about, "", "the state at which the equations are linearised");
    f.optional("inputs", inputs, "",
               "coordinates on which forces act, forces with a signal, drivers, [inputs]; as in [\"slider.x\"]",
               "[inputs] if the model has any, else all coordinates");
    f.optional(
        "frequencies", frequencies, "Hz",
        "range of frequency responses, [low, high]; they are of [outputs], or of the channels of [output]",
        "around all modes");
    f.optional("points", points, "1", "frequencies in a decade of the response");
  }
  void check() const;
  void check(const Study&) const;
  Results run(const Study&, const Progress& = {}) const;
};
}  // namespace mubody
