#pragma once
// Numbers with units as users write them, "60 deg" or "1.2e3 N/mm", turned into SI.
//
// A unit is a product such as "N s/m", "N*m/rad", "kg m^2", "kg m2", "m/s²" or "N/(m s)"; without parentheses
// only divisions may follow a division, for people do not agree on what "N/m s" means.
#include <stdexcept>
#include <string>
#include <string_view>

namespace mubody {
/// A unit that is unknown or does not fit; the message names it and what was expected.
struct UnitError : std::runtime_error {
  enum Kind { no_number, no_unit, unknown_unit, other_quantity };
  Kind kind;
  std::string more;  // for an unknown unit, a suggestion; for another quantity, its name and the expected one

  UnitError(Kind k, const std::string& message, std::string rest = "")
      : std::runtime_error(message + rest), kind(k), more(std::move(rest)) {}
};

/// Exponents of the base units, whole numbers but within formulas that take roots.  An angle has its own, so that it is
/// neither a length nor a pure number.
struct Dimension {
  double kg = 0, m = 0, s = 0, rad = 0;
  bool operator==(const Dimension&) const = default;
};

/// A number in the SI unit of its dimension.
struct Quantity {
  double si = 0;
  Dimension dim;
};

/// "a length", "an angular velocity", ... or "a quantity in kg m^5".
std::string describe(const Dimension& dimension);

/// Whether it is a unit of length or of angle, as "m" and "deg" are; any other text is not.
bool is_length(std::string_view unit);
bool is_angle(std::string_view unit);

/// The value of one unit: "mm" is 0.001 m.  "" and "1" are the pure number.
Quantity parse_unit(std::string_view unit);

/// A number and a unit, which may be missing: "0.5 mm" is 0.0005 m.
Quantity parse_quantity(std::string_view text);

/// The number in SI, if its unit fits; a number alone is in the expected unit.  Radians may be left out or
/// added where masses or lengths are involved: N m for N m/rad.  Not so for cycles per second, whose 2π would
/// get lost: "Hz" is refused for rad/s, and "rpm" is understood for both.
double to_si(std::string_view text, std::string_view expected_unit);
}  // namespace mubody
