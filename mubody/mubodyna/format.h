#pragma once
// Numbers as FORTRAN prints them, but without a sign before zero.
#include <string>

namespace mubody::io::mubodyna {
/// F format: "-0.123"; what rounds to zero has no sign.
std::string fixed(double x, int decimals);
/// E format: "-0.7058E-06" with so many digits.
std::string exponent(double x, int digits);
}  // namespace mubody::io::mubodyna
