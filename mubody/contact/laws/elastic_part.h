#pragma once
// The elastic part K δⁿ of every contact law, with its potential K δⁿ⁺¹/(n + 1).
#include <cassert>
#include <cmath>
#include <optional>

#include "mubody/model/errors.h"
#include "mubody/model/fields.h"

namespace mubody {
struct ElasticPart {
  static constexpr double hertzian = 1.5;  // the exponent of bodies that touch in a point

  std::optional<double> stiffness{};  // K [N/mⁿ]; absent: from radii and materials
  double exponent = hertzian;         // n

  void fields(Fields& f) {
    f.optional("stiffness", stiffness, "", "K of K depth^exponent, in N/m^exponent",
               "from radii and materials");
    f.optional("exponent", exponent, "", "of the depth; 1.5 for round bodies that touch in a point");
  }
  void check() const {
    require(!stiffness || (std::isfinite(*stiffness) && *stiffness > 0), "stiffness", "must be positive");
    require(std::isfinite(exponent) && exponent >= 1, "exponent", "must be 1 or more");
  }
  /// Takes K as found by stiffness.h unless a stiffness was given.
  void stiffness_from(double hertz) {
    if (stiffness) return;
    require(exponent == hertzian, "stiffness",
            "must be given, for only with exponent 1.5 it follows from radii and materials");
    stiffness = hertz;
  }

  double elastic(double depth) const {
    assert(stiffness);
    return depth > 0 ? *stiffness * std::pow(depth, exponent) : 0;
  }
  double stored(double depth) const { return depth > 0 ? elastic(depth) * depth / (exponent + 1) : 0; }
};
}  // namespace mubody
