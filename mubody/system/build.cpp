#include "mubody/system/build.h"

#include "mubody/system/assembled.h"
#include "mubody/system/jointed.h"

namespace mubody {
std::unique_ptr<System> build_system(const Mechanism& mechanism, Coordinates coordinates,
                                     const std::vector<std::string>& chords) {
  return build_system(std::make_shared<const Mechanism>(mechanism), coordinates, chords);
}

std::unique_ptr<System> build_system(std::shared_ptr<const Mechanism> mechanism, Coordinates coordinates,
                                     const std::vector<std::string>& chords) {
  const auto make = [&]<class InPlane, class InSpace>() -> std::unique_ptr<System> {
    if (mechanism->dim == 2) return std::make_unique<Assembled<InPlane>>(mechanism);
    return std::make_unique<Assembled<InSpace>>(mechanism);
  };
  switch (coordinates) {
    case Coordinates::cartesian: return make.operator()<Cartesian<2>, Cartesian<3>>();
    case Coordinates::joint: return build_jointed(*mechanism, chords);
    default: return make.operator()<Body<2>, Body<3>>();
  }
}
}  // namespace mubody
