#include "mubody/system/speeds.h"

#include <algorithm>
#include <limits>

namespace mubody {
namespace {
/// The spread of vectors with up to three components.
class Spread {
 public:
  explicit Spread(bool with_zero) {
    if (with_zero) low_.setZero(), high_.setZero();
  }
  void add(const double* v, int n) {
    for (int k = 0; k < n; ++k) low_[k] = std::min(low_[k], v[k]), high_[k] = std::max(high_[k], v[k]);
  }
  double size(int n) const { return (high_ - low_).head(n).norm(); }

 private:
  Vec<3> low_ = Vec<3>::Constant(std::numeric_limits<double>::infinity()), high_ = -low_;
};
}  // namespace

Speeds speeds_of(const System& s, const In& u, int group) {
  const auto counts = [&](int body) { return group < 0 || s.group_of_body[std::size_t(body)] == group; };
  const auto last = int(s.body_names.size()) - 1;
  int bodies = 0;
  for (int body = 1; body <= last; ++body) bodies += counts(body);
  if (bodies == 0) return {};
  const bool held = std::ranges::any_of(s.joints, [&](const JointRows& j) {
    return (group < 0 || s.group_of(j) == group) && std::ranges::find(j.bodies, 0) != j.bodies.end();
  });
  Spread slide(bodies == 1 || held), turn(bodies == 1);
  const int lengths = s.layout.lengths, spins = s.layout.spins();
  for (int body = 1; body <= last; ++body) {
    if (!counts(body)) continue;
    const double* own = u.data() + s.layout.first_velocity(body);
    slide.add(own, lengths);
    turn.add(own + lengths, spins);
  }
  return {slide.size(lengths), turn.size(spins)};
}
}  // namespace mubody
