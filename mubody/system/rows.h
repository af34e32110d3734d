#pragma once
// The joint or body that owns a row of the equations, for messages, and the speeds at which bodies turn.
#include <string>
#include <vector>

#include "mubody/system/system.h"

namespace mubody {
/// The joint that owns a row of the equations; nullptr if none does.
const JointRows* owner_of_row(const System&, int row);
/// "joint 'A' (revolute)", "driver 'motor' (angle)" or "body 'crank' (its unit vectors)" of a row of the equations.
std::string joint_at_row(const System&, int row);
/// Where the angular velocities of bodies are.
class Turning {
 public:
  explicit Turning(const System&);
  /// The fastest of a body [rad/s].
  double fastest(const In& u) const;

 private:
  struct Spin {
    int velocity, body;
    bool begins;  // it is the first of its body
  };
  std::vector<Spin> all_;
};
/// The fastest of the angular velocities in System::angular [rad/s].
double fastest_spin(const System&, const In& u);
/// The place of the largest residual, "joint 'A' (revolute) gapes by 0.1 m", or of one that is not finite.
std::string worst_of(const System&, const VecX& residual, const char* verb, const char* unit);
}  // namespace mubody
