#pragma once
// Scalars of a mechanism (distances, coordinates, angles) and how they change with its velocities.
#include <memory>

#include "mubody/forces/scalar_form.h"
#include "mubody/mechanism/mechanism.h"
#include "mubody/precompute/plan/variable.h"
#include "mubody/system/system.h"

namespace mubody {
class ScalarRows {
 public:
  ScalarRows(const Mechanism&, const std::vector<Measure>&);
  ScalarRows(const Mechanism&, const std::vector<Variable>&);

  int size() const { return int(turn_.size()); }
  bool turns(int k) const { return turn_[std::size_t(k)]; }
  /// Values at q.  Angles of measures in the plane follow the angles of the bodies; other angles are the ones
  /// nearest to those of the last call.  `rates`, if given, gets the rates of the scalars per unit of velocity.
  void at(const In& q, Out values, MatX* rates = nullptr);

 private:
  ScalarRows(Mechanism, std::vector<bool> turn);

  std::unique_ptr<System> system_;
  std::vector<bool> turn_;
  Terms terms_;
  VecX rest_, last_;
  std::vector<Measure> counted_;  // measures in the plane, whose angles are those of bodies
  bool first_ = true;
};
}  // namespace mubody
