#include "mubody/mubodyna/guide_line.h"

#include <cmath>
#include <limits>

#include "mubody/kinematics/frame.h"
#include "mubody/model/marker.h"

namespace mubody::io::mubodyna {
std::optional<Vec<2>> second_point(const Marker& i, const Marker& j, double body_i, double body_j) {
  constexpr double aligned = 1e-9;  // [rad] an angle that assembly and rounding may leave
  constexpr int tries = 10'000;
  const Mount<2> mount_i(i), mount_j(j);
  const Vec<2> p = i.at.head<2>(), along = mount_i.axes.col(0);
  std::optional<Vec<2>> best;
  double least = aligned;
  for (int k = 0; k < tries; ++k) {
    // Irregular lengths, so that the roundings differ, and tilts smaller than one rounding.
    const double length = 1 + 0.618033988749895 * k, tilt = k % 9 == 0 ? 0 : (k % 9 - 4.5) * 1e-16;
    const Vec<2> q = p + length * (along + tilt * perp(along)), d = q - p;
    const Quaternion turn_i = turn_about_z(std::atan2(d.y(), d.x()));
    const Quaternion turn_j = turned_alike(turn_i, body_i, body_j);
    const Mount<2> read_i({i.body, i.at, turn_i}), read_j({j.body, j.at, turn_j});
    const double off = std::max(std::abs(wrapped(read_i.angle - mount_i.angle)),
                                std::abs(wrapped(read_j.angle - mount_j.angle)));
    if (read_i.angle == mount_i.angle && read_j.angle == mount_j.angle && read_i.axes == mount_i.axes) return q;
    if (off < least) least = off, best = q;
  }
  return best;
}
}  // namespace mubody::io::mubodyna
