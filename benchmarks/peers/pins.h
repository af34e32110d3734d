#pragma once
// A planar mechanism of pins as other programs want it: a tree of bodies, and joints that close its loops.
// This file is plain C++17, as the headers of one of them need.
#include <algorithm>
#include <cmath>
#include <vector>

namespace mubody::bench {
struct Spot {
  double x, y;
};

struct Pins {
  struct Rod {
    double mass, inertia;  // [kg], [kg m²] about the centre of mass, which is the origin
    double x, y, angle;    // at the start, assembled
    double omega;
    int parent;               // 0 is the ground; parents come before their children
    Spot on_parent, on_self;  // the pin between them, in the axes of each
  };
  struct Loop {
    int i, j;
    Spot at_i, at_j;
  };
  std::vector<Rod> rods;  // body k is rods[k - 1]
  std::vector<Loop> loops;
  double gravity = 0;  // along −y [m/s²]
  int watched = 0;     // the body whose angle is compared; its parent is the ground

  /// Angle and angular velocity relative to the parent, at the start.
  double relative_angle(int body) const {
    const Rod& rod = rods[std::size_t(body - 1)];
    return rod.angle - (rod.parent == 0 ? 0 : rods[std::size_t(rod.parent - 1)].angle);
  }
  double relative_omega(int body) const {
    const Rod& rod = rods[std::size_t(body - 1)];
    return rod.omega - (rod.parent == 0 ? 0 : rods[std::size_t(rod.parent - 1)].omega);
  }
};

/// The largest distance between the two points of a loop; `where` gives the positions of points of bodies.
template <class Where> double largest_gap(const Pins& pins, Where&& where) {
  double gap = 0;
  for (const Pins::Loop& loop : pins.loops) {
    const Spot i = where(loop.i, loop.at_i), j = where(loop.j, loop.at_j);
    gap = std::max(gap, std::hypot(i.x - j.x, i.y - j.y));
  }
  return gap;
}
}  // namespace mubody::bench
