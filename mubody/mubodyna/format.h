#pragma once
// Numbers as FORTRAN prints them, except that zero has no sign.
#include <string>

namespace mubody::io::mubodyna {
/// F format: "-0.123"; a number that rounds to zero has no sign.
std::string fixed(double x, int decimals);
/// E format: "-0.7058E-06" with that many digits.
std::string exponent(double x, int digits);
}  // namespace mubody::io::mubodyna
