#include "mubody/mechanism/groups.h"

#include <numeric>
#include <utility>

namespace mubody {
int count_groups(const Mechanism& m, std::vector<int>& group_of_body) {
  std::vector<int> leader(m.bodies.size() + 1);
  std::iota(leader.begin(), leader.end(), 0);
  const auto lead = [&](int body) {
    while (leader[std::size_t(body)] != body)
      body = leader[std::size_t(body)] = leader[std::size_t(leader[std::size_t(body)])];
    return body;
  };
  const auto connect = [&](int i, int j) {
    if (i != ground && j != ground) leader[std::size_t(lead(j))] = lead(i);
  };
  const auto connect_all = [&](const std::vector<const Marker*>& markers) {
    int last = ground;
    for (const Marker* marker : markers)
      if (marker->body != ground) connect(std::exchange(last, marker->body), marker->body);
  };
  for (const auto& joint : m.joints) connect_all(joint.what->markers());
  for (const auto& force : m.forces) connect_all(force.what->markers());
  // Numbered in the order of the bodies.
  std::vector<int> number(leader.size(), -1);
  group_of_body.assign(leader.size(), 0);
  int groups = 0;
  for (std::size_t b = 1; b < leader.size(); ++b) {
    int& n = number[std::size_t(lead(int(b)))];
    if (n < 0) n = groups++;
    group_of_body[b] = n;
  }
  return groups;
}
}  // namespace mubody
