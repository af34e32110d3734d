#pragma once
// Units in which numbers are shown: a list such as "deg", "mm", "rpm", "kN" takes the place of the SI units of the same
// quantities.
//
// A moment and an energy have the same dimension; a unit that is written with J is for energies, any other for moments.
#include <string>
#include <string_view>
#include <vector>

namespace mubody {
/// A unit, and what a number is multiplied by to be in it.
struct ShownUnit {
  std::string unit;
  double factor = 1;
};

class ShownUnits {
 public:
  ShownUnits() = default;
  /// Units that cannot be read are passed over; why_not_shown() tells them before.
  explicit ShownUnits(const std::vector<std::string>& units);

  bool any() const { return !units_.empty(); }
  /// In which unit a number with that unit is shown; the unit itself if none of the list fits.
  ShownUnit of(std::string_view unit) const;

 private:
  std::vector<std::string> units_;
};

/// What is wrong with the last unit of a list, in words; empty if nothing is.
std::string why_not_shown(const std::vector<std::string>& units);

/// The SI unit of the quantity as results name it, "rad" for "deg", and the factor that leads there; the unit itself if it
/// is one of SI, or of no quantity that results have.
ShownUnit in_si(std::string_view unit);
}  // namespace mubody
