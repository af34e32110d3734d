#include "mubody/reading/places/places_of.h"

#include "mubody/reading/places/places.h"
#include "mubody/reading/sections.h"

namespace mubody::io {
std::map<std::string, Vec<3>> places_of(const Node& root) {
  Known known;
  Faults faults;
  read_parameters(root, known, faults);
  faults.raise();
  read_dimension(root, known);
  read_places(root, known);
  return known.places;
}
}  // namespace mubody::io
