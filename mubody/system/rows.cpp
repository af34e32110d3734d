#include "mubody/system/rows.h"

#include <algorithm>

#include <fmt/format.h>

namespace mubody {
const JointRows* owner_of_row(const System& s, int row) {
  for (const JointRows& j : s.joints)
    if (row >= j.first && row < j.first + j.count) return &j;
  return nullptr;
}

std::string joint_at_row(const System& s, int row) {
  for (const OwnRows& o : s.own)
    if (row >= o.first && row < o.first + o.count)
      return "body '" + s.body_names[std::size_t(o.body)] + "' (its unit vectors)";
  const JointRows* j = owner_of_row(s, row);
  if (!j) return "the constraints";
  return std::string(j->driver ? "driver" : "joint") + " '" + j->name + "' (" + j->type + ")";
}

Turning::Turning(const System& s) {
  for (int k = 0; k < s.nu; ++k) {
    const int body = s.body_of_velocity[std::size_t(k)];
    if (s.turns[std::size_t(k)]) all_.push_back({k, body, all_.empty() || all_.back().body != body});
  }
}

double Turning::fastest(const In& u) const {
  double most = 0, square = 0;
  for (const Spin& s : all_) {
    square = s.begins ? u[s.velocity] * u[s.velocity] : square + u[s.velocity] * u[s.velocity];
    most = std::max(most, square);
  }
  return std::sqrt(most);
}

double fastest_spin(const System& s, const In& u) {
  double most = 0;
  for (const int k : s.angular) most = std::max(most, u.segment<3>(k).squaredNorm());
  return std::sqrt(most);
}

std::string worst_of(const System& s, const VecX& residual, const char* verb, const char* unit) {
  int row = 0;
  for (int k = 0; k < int(residual.size()); ++k) {
    if (!std::isfinite(residual[k])) return joint_at_row(s, k) + " is not finite there";
    if (std::abs(residual[k]) > std::abs(residual[row])) row = k;
  }
  return fmt::format("{} {} by {:.3g} {}", joint_at_row(s, row), verb, std::abs(residual[row]), unit);
}
}  // namespace mubody
