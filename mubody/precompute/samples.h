#pragma once
// The quantities in the tables of a precomputed mechanism, evaluated from its exact closure.
//
//   J = Bᵀ M B,  ∂J/∂θ_k = Bᵀ M ∂B/∂θ_k + its transpose;   V,  ∂V/∂θ = −Bᵀ g;   Q_p = Bᵀ g_p;   C = −Bᵀ ∂g/∂u B
//
// Precomputation (dissertation), eqs. 3.6.27-3.6.31, 3.7.64-3.7.68 (3.7.68 with its sign: Q_11 = −dJ/dθ).
//                                                                              docs/theory/precompute.md
#include "mubody/precompute/folding.h"
#include "mubody/precompute/plan/closure.h"
#include "mubody/precompute/plan/scalars.h"
#include "mubody/precompute/tables/make_table.h"

namespace mubody {
/// A closure, and the variables of it that are arguments; the others keep their values at the start.  Errors of what is
/// sampled are measured in `sizes`.
class SamplePlace {
 public:
  /// `moved` are the arguments that change; the others are cyclic, and keep their values.  `units` are those of all
  /// variables; if there are none, the characteristic length and 1.
  /// In the neighbourhood of a motion the others follow it.
  SamplePlace(Closure& c, std::vector<int> arguments, std::vector<int> moved, const Scales& sizes = {},
              std::vector<double> units = {}, const Neighbourhood* near = nullptr)
      : closure(c), arguments(std::move(arguments)), moved(std::move(moved)), sizes(sizes), theta_(c.theta()),
        units_(std::move(units)), near_(near) {}
  bool go(const VecX& x) {
    if (near_) return closure.go(near_->place(moved, x));
    for (std::size_t a = 0; a < moved.size(); ++a) theta_[moved[a]] = x[Eigen::Index(a)];
    return closure.go(theta_);
  }
  /// The size of an argument.
  double unit(std::size_t argument) const {
    const auto variable = std::size_t(arguments[argument]);
    if (!units_.empty()) return units_[variable];
    return closure.variables()[variable].turn ? 1 : sizes.length;
  }
  Closure& closure;
  std::vector<int> arguments, moved;
  Scales sizes;

 private:
  VecX theta_;
  std::vector<double> units_;
  const Neighbourhood* near_;
};

/// Coordinates and B of some bodies.  Series in stiff variables go to the second order for coordinates, where
/// the second-order terms show what the first order leaves out, and to the first for B.  Columns of B up to `steady` go to the
/// second too: with those of stiff variables they are then the slopes of coordinates with all their terms.
class BodySamples final : public Sampled {
 public:
  BodySamples(SamplePlace, std::vector<int> bodies, std::size_t steady = 0);
  bool at(const VecX& x, Out values, MatX& slopes) override;
  std::pair<VecX, VecX> here() const override { return {place_.closure.q(), place_.closure.theta()}; }
  void put(const std::pair<VecX, VecX>& place) override { place_.closure.put(place.first, place.second); }

 private:
  SamplePlace place_;
  std::vector<int> bodies_;
  BodyLayout layout_;
};

/// J of some bodies, and V and Q from their weight and some forces.
class DynamicsSamples final : public Sampled {
 public:
  /// V is zero at the position `start`; `way` leads from there to the place, so that turns are counted.
  DynamicsSamples(SamplePlace, const Mechanism&, double t, const std::vector<int>& bodies, const Folding&,
                  const VecX& start, const std::vector<VecX>& way);
  bool at(const VecX& x, Out values, MatX& slopes) override;
  bool positional() const { return positional_; }
  bool damped() const { return damped_; }

 private:
  void count(const VecX& q);

  SamplePlace place_;
  double t_;
  MatX M_;
  Loads stored_, positional_loads_, dampers_;
  bool positional_, damped_;
  double zero_ = 0;  // potential energy at the start [J], subtracted so that fewer digits are lost to it
};

/// Scalars that forces depend on.  The rows have followed the way to the place, so that turns are counted.
class ScalarSamples final : public Sampled {
 public:
  ScalarSamples(SamplePlace, ScalarRows, VecX offset = {});
  bool at(const VecX& x, Out values, MatX& slopes) override;

 private:
  SamplePlace place_;
  ScalarRows rows_;
  VecX offset_;
};

}  // namespace mubody
