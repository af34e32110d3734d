#include "mubody/system/speeds.h"

#include <algorithm>

#include "mubody/math/spread.h"

namespace mubody {
namespace {
/// Bodies that are looked at together.
class Together {
 public:
  void add(const System& s, const In& u, int body) {
    const double* own = u.data() + s.layout.first_velocity(body);
    slide_.add(own, s.layout.lengths);
    turn_.add(own + s.layout.lengths, s.layout.spins());
    ++bodies_;
  }
  void add(const JointRows& joint) {
    held_ = held_ || std::ranges::find(joint.bodies, 0) != joint.bodies.end();
  }
  bool is_held() const { return held_; }

  Speeds speeds(const System& s) {
    if (bodies_ == 0) return {};
    constexpr double still[3] = {0, 0, 0};
    const int lengths = s.layout.lengths, spins = s.layout.spins();
    if (bodies_ == 1 || held_) slide_.add(still, lengths);
    if (bodies_ == 1) turn_.add(still, spins);
    return {slide_.size(lengths), turn_.size(spins)};
  }

 private:
  int bodies_ = 0;
  bool held_ = false;
  Spread<double> slide_{false}, turn_{false};
};

int last_body(const System& s) { return int(s.body_names.size()) - 1; }
}  // namespace

Speeds speeds_of(const System& s, const In& u) {
  Together all;
  for (int body = 1; body <= last_body(s); ++body) all.add(s, u, body);
  for (const JointRows& joint : s.joints) {
    if (all.is_held()) break;
    all.add(joint);
  }
  return all.speeds(s);
}

std::vector<Speeds> speeds_of_groups(const System& s, const In& u) {
  std::vector<Together> groups(std::size_t(s.groups));
  for (int body = 1; body <= last_body(s); ++body)
    groups[std::size_t(s.group_of_body[std::size_t(body)])].add(s, u, body);
  for (const JointRows& joint : s.joints) groups[std::size_t(s.group_of(joint))].add(joint);
  std::vector<Speeds> speeds;
  for (Together& group : groups) speeds.push_back(group.speeds(s));
  return speeds;
}
}  // namespace mubody
