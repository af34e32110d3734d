#include "mubody/picture/ticks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace mubody::io {
std::string tick_label(double value, double step) {
  const double exponent = std::floor(std::log10(step) + 1e-9);
  if (std::abs(value) < step / 2) return "0";
  if (std::abs(value) >= 1e5 || exponent < -4) {
    const double lead = std::floor(std::log10(std::abs(value)) + 1e-12);
    return fmt::format("{:.{}e}", value, std::clamp(int(lead - exponent), 0, 15));
  }
  std::string text = fmt::format("{:.{}f}", value, std::max(0, int(-exponent)));
  if (text.starts_with('-')) text.replace(0, 1, "\u2212");  // a minus as wide as a plus
  return text;
}

Ticks::Ticks(double from, double to, int most, double margin) : low(from), high(to) {
  if (!std::isfinite(low) || !std::isfinite(high) || low > high) low = 0, high = 1;
  // A range that is rounding only is drawn as a constant.
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-11 * size || high - low < 1e-300) {
    const double half = size > 1e-300 ? 0.1 * size : 1;
    const double middle = (low + high) / 2;
    low = middle - half, high = middle + half;
  }
  const double add = margin * (high - low);
  low -= add, high += add;

  // An axis has at least three marks, even if they then stand closer.
  for (int count = std::max(1, most); at.size() < 3; ++count) {
    const double raw = (high - low) / count, power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
      step = factor * power;
      if (step >= raw * (1 - 1e-9)) break;
    }
    at.clear();
    const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
    for (double k = first; k <= last; ++k) at.push_back(k * step);
  }
  for (const double x : at) labels.push_back(tick_label(x, step));
}
}  // namespace mubody::io
