#pragma once
// A force in terms of a few scalars of the mechanism, which precomputed models evaluate in the library, and in C as it is
// recorded.
//
//   σ_k      scalars that the force sees: a distance, a coordinate, an angle
//   F_k(σ, σ̇, t)   what it does along the first of them: virtual work Σ F_k δσ_k
//                                                                              docs/theory/precompute.md
#include <functional>
#include <utility>
#include <vector>

#include "mubody/model/marker.h"
#include "mubody/recording/recorded.h"

namespace mubody {
/// A scalar of two markers.
struct Measure {
  enum Kind {
    distance,
    coordinate,
    angle
  };  // |o_j − o_i|;  axis of i · (o_j − o_i);  about z, counted over turns
  Kind kind = distance;
  Marker i, j;
  int axis = 0;  // the axis of a coordinate: 0 x, 1 y, 2 z
};

struct ScalarForm {
  std::vector<Measure> sees;
  int acts = 0;  // how many scalars it acts along, the first ones
  std::function<void(const double* x, const double* v, double t, double* F)> force{};
  /// The same where equations are recorded; empty if they cannot be.
  std::function<void(const Recorded* x, const Recorded* v, const Recorded& t, Recorded* F)> recorded{};
  /// What its dampers take [W]; empty if it has none.
  std::function<double(const double* x, const double* v, double t)> lost{};

  /// Takes both from one function of any scalar.
  template <class Any> void acts_by(Any f) {
    force = f;
    recorded = std::move(f);
  }
};
}  // namespace mubody
