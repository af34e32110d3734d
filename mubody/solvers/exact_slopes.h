#pragma once
// Derivatives of the equations of motion at a state, exact to round-off, for solvers that otherwise take differences.
//
//   docs/theory/modes.md#linearisation
//
// Whoever can differentiate a mechanism's equations makes one; it is in body coordinates.
#include <optional>
#include <string>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
class ExactSlopes {
 public:
  /// Changes of velocities, accelerations and channels, a column for each direction.
  struct Changes {
    MatX u, a, y;
  };
  enum class Velocities {
    closed,  // as the constraints ask of the displaced mechanism
    given
  };

  virtual ~ExactSlopes() = default;
  /// Whether these channels of the system can be differentiated.
  virtual bool has(const std::vector<int>& channels) const = 0;
  /// The changes along displacements, with velocities that change as well, at a state on the constraints.  None if they are
  /// not finite.
  virtual std::optional<Changes> along(double t, const VecX& q, const VecX& u, const MatX& displacements,
                                       const MatX& faster, Velocities, const std::vector<int>& channels) = 0;
  /// The changes with one of the model's own inputs, by its name; there is one column.
  virtual std::optional<Changes> with_input(double t, const VecX& q, const VecX& u, const std::string& input,
                                            const std::vector<int>& channels) = 0;
};
}  // namespace mubody
