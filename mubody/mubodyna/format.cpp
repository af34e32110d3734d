#include "mubody/mubodyna/format.h"

#include <cmath>

#include <fmt/format.h>

namespace mubody::io::mubodyna {
std::string fixed(double x, int decimals) {
  std::string text = fmt::format("{:.{}f}", x, decimals);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string exponent(double x, int digits) {
  if (!std::isfinite(x)) return fmt::format("{}", x);
  if (x == 0) return "0." + std::string(static_cast<std::size_t>(digits), '0') + "E+00";
  // d.ddde-07 is 0.ddddE-06.
  const std::string text = fmt::format("{:.{}e}", std::abs(x), digits - 1);
  const std::size_t e = text.find('e');
  const int power = std::stoi(text.substr(e + 1)) + 1;
  const std::string mantissa = text.substr(0, 1) + (digits > 1 ? text.substr(2, e - 2) : "");
  return fmt::format("{}0.{}E{}{:02}", x < 0 ? "-" : "", mantissa, power < 0 ? '-' : '+', std::abs(power));
}
}  // namespace mubody::io::mubodyna
