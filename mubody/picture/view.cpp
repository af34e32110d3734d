#include "mubody/picture/view.h"

#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "mubody/model/errors.h"
#include "mubody/text/node.h"

namespace mubody::io {
namespace {
constexpr double degree = std::numbers::pi / 180;

bool read_degrees(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

int vertical_of(const Vec<3>& gravity) {
  if (gravity.norm() == 0) return 2;
  int axis = 0;
  gravity.cwiseAbs().maxCoeff(&axis);
  return axis;
}
}  // namespace

View View::from(double az, double el, int vertical) {
  const double ca = std::cos(az), sa = std::sin(az), ce = std::cos(el), se = std::sin(el);
  // This is written for z up; the other cases follow by a cyclic change of the axes.
  const auto turned = [&](double x, double y, double z) {
    Vec<3> v;
    v[vertical] = z, v[(vertical + 1) % 3] = x, v[(vertical + 2) % 3] = y;
    return v;
  };
  return {turned(-sa, ca, 0), turned(-se * ca, -se * sa, ce), turned(ce * ca, ce * sa, se)};
}

View View::named(std::string_view text, int dim, const Vec<3>& gravity) {
  if (text == "xy" || (text.empty() && dim == 2)) return {};
  if (text == "xz") return {Vec<3>::UnitX(), Vec<3>::UnitZ(), -Vec<3>::UnitY()};
  if (text == "yz") return {Vec<3>::UnitY(), Vec<3>::UnitZ(), Vec<3>::UnitX()};
  const int vertical = dim == 3 ? vertical_of(gravity) : 1;
  // The direction in which the three axes look equally long.
  if (text == "iso" || text.empty()) return from(-45 * degree, std::atan(std::sqrt(0.5)), vertical);
  double az = 0, el = 0;
  const std::size_t comma = text.find(',');
  if (comma == text.npos || !read_degrees(text.substr(0, comma), az) ||
      !read_degrees(text.substr(comma + 1), el))
    throw FieldError(
        "view",
        fmt::format("expected iso, xy, xz, yz or two angles in degrees as in -45,30; got {}", in_quotes(text)));
  if (std::abs(el) > 90)
    throw FieldError("view", fmt::format("the elevation must lie within -90 and 90 degrees; got {}", el));
  return from(az * degree, el * degree, vertical);
}
}  // namespace mubody::io
