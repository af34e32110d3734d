#include "mubody/watches/branch.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/system/rows.h"
#include "mubody/watches/limits.h"

namespace mubody {
namespace {
constexpr double near = 1e-3;    // independence below this is the neighbourhood of a singular position
constexpr double passed = 1e-4;  // an approach that came this close is reported
constexpr double slow = 0.05;    // share of the fastest speed, below which the direction of motion says little
}  // namespace

BranchWatch::BranchWatch(System& s, Dynamics& d, bool passes_singular_positions)
    : dynamics_(d), passes_(passes_singular_positions), mass_(s.structure.mass_diagonal(s.make_terms().M)),
      before_(VecX::Zero(s.nu)), last_(before_), earlier_(before_), u_(before_) {}

double BranchWatch::angle(const VecX& u, const VecX& w) const {
  const double size = speed(u) * speed(w);
  return size > 0 ? std::acos(std::min(1.0, std::abs(u.dot(mass_.cwiseProduct(w))) / size)) : 0;
}

void BranchWatch::start(double t, const In& u) {
  last_ = earlier_ = u;
  last_t_ = earlier_t_ = t;
}

void BranchWatch::step(double t, const In& u, double independence, Results& r) {
  if (dynamics_.system.m == 0 || r.freedom.always_redundant()) return;
  std::copy_n(u.data(), u_.size(), u_.data());
  fastest_ = std::max(fastest_, speed(u_));
  if (independence < near) {
    if (!near_) {
      near_ = true, closest_ = 1, sharpest_ = 0, before_ = last_, entered_ = last_t_;
      rate_ = last_t_ > earlier_t_ ? angle(earlier_, last_) / (last_t_ - earlier_t_) : 0;
    }
    if (independence < closest_)
      closest_ = independence, closest_t_ = t, closest_row_ = dynamics_.weakest_row();
  }
  if (near_) sharpest_ = std::max(sharpest_, angle(last_, u_));
  if (!(independence < near)) {
    if (near_) leave(u_, r);
    near_ = false;
  }
  std::swap(earlier_, last_);
  earlier_t_ = last_t_;
  std::swap(last_, u_);
  last_t_ = t;
}

void BranchWatch::leave(const VecX& u, Results& r) {
  if (closest_ > passed) return;
  const std::string where = joint_at_row(dynamics_.system, closest_row_);
  if (r.events.size() < watch::most_events)
    r.events.push_back({closest_t_, Event::singular_position, "passed at " + where});

  // With one freedom the direction of motion is the tangent of a curve; with more it may turn for other reasons.
  const double turned = angle(before_, u), expected = rate_ * (closest_t_ - entered_) * 4;
  if (r.freedom.usual != 1 || turned < watch::bend + expected ||
      std::min(speed(before_), speed(u)) < slow * fastest_)
    return;
  // A mechanism that is not quite singular (rods of nearly equal length) bends by itself; the steps then follow the
  // bend, and the violation is too small to have made it.
  if (sharpest_ < 0.5 * turned && r.statistics.violation_share < 0.01 * closest_) return;
  r.events.push_back({closest_t_, Event::lost_branch,
                      fmt::format("the direction of motion turned by {:.2f} rad at {}", turned, where)});
  if (r.outcome)
    r.outcome = {Outcome::lost_branch, closest_t_,
                 fmt::format("lost branch: at the singular position near t = {:.6g} s ({}) the direction of "
                             "motion turned by {:.2f} rad; "
                             "what follows is another motion of the mechanism{}",
                             closest_t_, where, turned,
                             passes_ ? "; use smaller steps or a smaller tolerance"
                                     : "; use treatment = \"projection\"")};
}
}  // namespace mubody
