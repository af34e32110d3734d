#pragma once
// The surface of a road: the height z over x and y of its frame, with its slopes.
//
//   docs/theory/tyres.md#roads
//
// A road is a plane unless more is said.  What is given adds up: a profile along x, a formula of x and y, a grid of heights, a
// roughness by its spectrum.
#include <memory>
#include <optional>

#include "mubody/forces/bases/height_grid.h"
#include "mubody/functions/function.h"

namespace mubody {
struct Road {
  Function profile;
  std::string formula;
  Data grid;
  Choice roughness{{"none", "A", "B", "C", "D", "E"}};
  int seed = 1;

  void fields(Fields& f) {
    f.curve("profile", profile, "m", "m", "height over the way x");
    f.optional("formula", formula, "", "height [m] as a formula of x and y [m], with plain numbers", "none");
    f.optional("grid", grid, "m, m, m", "rows x, y, height of all points of a grid, or a CSV file of them",
               "none");
    f.optional("roughness", roughness, "", "class of ISO 8608, from smooth to poor");
    f.optional("seed", seed, "", "of the random phases of the roughness");
  }
  void check() const;
  /// Makes what evaluation needs of the fields.
  void prepare();

  /// Where the profile bends down more sharply than a wheel of that radius; none if it does so nowhere.
  std::optional<double> edge(double radius) const;

  bool is_plane() const { return !profile.varies() && !formula_ && !grid_ && waves_.empty(); }
  template <class R> HeightAt<R> at(const R& x, const R& y) const;

 private:
  /// a sin(k (x + c y) + phase): along x at any y a wave of the wave number k [rad/m].
  struct Wave {
    double a, k, c, phase;
  };
  static Expression parsed(const std::string& text);

  std::optional<Expression> formula_;
  std::shared_ptr<const HeightGrid> grid_;
  std::vector<Wave> waves_;
};
}  // namespace mubody
