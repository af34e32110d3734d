#pragma once
// How large bodies are, as far as a model tells: by what is attached to them.
#include <optional>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
class BodySizes {
 public:
  /// The mechanism must outlive it.
  explicit BodySizes(const Mechanism&);

  /// Half the extent of a body [m]: of its centre and of all points where something is attached.  One without extent has
  /// its radius of gyration, a particle the size of the whole mechanism.  Of hundreds of points the extent may be too small
  /// by one part in a hundred, so that its cost grows with their number alone.
  double operator()(int body);

 private:
  const Mechanism& m_;
  std::vector<std::vector<Vec<3>>> points_;  // of every body, in its axes, the ground's first
  std::optional<double> whole_;              // the size of the mechanism, once it was asked for
};

/// Whether a joint or a force is attached to each body, the ground first.
std::vector<bool> attached_bodies(const Mechanism&);
}  // namespace mubody
