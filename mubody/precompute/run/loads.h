#pragma once
// Some of the forces of a mechanism, and the weight of some of its bodies, without joints or inertia.
#include <memory>

#include "mubody/mechanism/mechanism.h"
#include "mubody/system/system.h"

namespace mubody {
class Loads {
 public:
  /// `forces` are indices of forces, `heavy` are the bodies whose weight counts.
  Loads(const Mechanism&, const std::vector<int>& forces, const std::vector<int>& heavy = {});

  bool empty() const { return empty_; }
  /// Generalized forces, for the velocities of the bodies.
  const VecX& at(double t, const In& q, const In& u);
  Energy energy(double t, const In& q, const In& u) { return system_->energy(t, q, u); }
  /// Counts turns from here on.
  void remember(double t, const In& q) { system_->remember(t, q, rest_); }
  /// Which of its contacts is that of a force of the mechanism; −1 if it has none.
  int contact_of(int force) const;
  System& system() { return *system_; }
  const System& system() const { return *system_; }

 private:
  std::vector<int> forces_;
  bool empty_;
  std::unique_ptr<System> system_;
  Terms terms_;
  VecX rest_;
};
}  // namespace mubody
