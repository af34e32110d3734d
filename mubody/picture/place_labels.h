#pragma once
// Places names beside points so that none covers another.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "mubody/math/space.h"

namespace mubody::io {
class LabelPlaces {
 public:
  LabelPlaces(const Vec<2>& low, const Vec<2>& high) : low_(low), high_(high) {}

  /// Keeps labels out of that circle.
  void keep_clear(const Vec<2>& at, double radius) {
    taken_.push_back({at - Vec<2>::Constant(radius), at + Vec<2>::Constant(radius)});
  }

  /// Keeps labels off that line if possible.
  void avoid(const Vec<2>& a, const Vec<2>& b) {
    const int count = 1 + int((b - a).norm() / 5);
    for (int k = 0; k <= count; ++k) avoided_.push_back(a + (b - a) * k / count);
  }

  /// Reserves a place for a label `gap` pixels beside a point and returns the start of its base line; nothing
  /// if there is no room.
  std::optional<Vec<2>> find(const Vec<2>& at, double gap, double width, double height) {
    const double h = 0.75 * height;
    std::vector<Vec<2>> corners;
    for (const double g : {gap, 2.2 * gap, 3.5 * gap}) {
      const Vec<2> ring[] = {{g, -g},    {g, h / 2},          {-g - width, -g},     {-g - width, h / 2},
                             {g, g + h}, {-g - width, g + h}, {-width / 2, -g - 1}, {-width / 2, g + h + 1}};
      corners.insert(corners.end(), std::begin(ring), std::end(ring));
    }
    std::optional<Vec<2>> best;
    Box taken{};
    std::ptrdiff_t least = std::numeric_limits<std::ptrdiff_t>::max();
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec<2>& c = corners[k];
      const Box box{at + c - Vec<2>(1, h + 1), at + c + Vec<2>(width + 1, 2)};
      // The cost of a place: what it hides, and its distance.
      const std::ptrdiff_t hidden =
          3 * std::ptrdiff_t(k / 8) +
          std::ranges::count_if(avoided_, [&](const Vec<2>& p) { return box.holds(p); });
      if (hidden >= least || !is_free(box)) continue;
      least = hidden, best = at + c, taken = box;
    }
    if (best) taken_.push_back(taken);
    return best;
  }

 private:
  struct Box {
    Vec<2> low, high;
    // There is a margin of half the width of a link.
    bool holds(const Vec<2>& p) const {
      return p.x() > low.x() - 5 && p.x() < high.x() + 5 && p.y() > low.y() - 5 && p.y() < high.y() + 5;
    }
  };
  bool is_free(const Box& b) const {
    if (b.low.x() < low_.x() || b.low.y() < low_.y() || b.high.x() > high_.x() || b.high.y() > high_.y())
      return false;
    for (const Box& t : taken_)
      if (b.low.x() < t.high.x() && t.low.x() < b.high.x() && b.low.y() < t.high.y() && t.low.y() < b.high.y())
        return false;
    return true;
  }
  Vec<2> low_, high_;
  std::vector<Box> taken_;
  std::vector<Vec<2>> avoided_;
};
}  // namespace mubody::io
