#include "mubody/lanes/elimination.h"

#include <map>
#include <set>

namespace mubody {
Elimination eliminate(int rows, int columns, const std::vector<LaneEntry>& entries) {
  Elimination e;
  e.rows = rows, e.columns = columns;
  e.entries = entries;
  std::vector<std::set<int>> touches(static_cast<std::size_t>(rows));  // rows that share a column
  for (const LaneEntry& a : entries)
    for (const LaneEntry& b : entries)
      if (a.column == b.column && a.row != b.row) touches[std::size_t(a.row)].insert(b.row);

  // The row with the fewest neighbours goes first, and makes its neighbours touch each other.
  std::vector<int> position(static_cast<std::size_t>(rows), -1);
  std::vector<std::set<int>> under(
      static_cast<std::size_t>(rows));  // for each pivot, the later rows that it changes
  for (int p = 0; p < rows; ++p) {
    int best = -1;
    for (int r = 0; r < rows; ++r)
      if (position[std::size_t(r)] < 0 &&
          (best < 0 || touches[std::size_t(r)].size() < touches[std::size_t(best)].size()))
        best = r;
    position[std::size_t(best)] = p;
    e.order.push_back(best);
    under[std::size_t(p)] = touches[std::size_t(best)];
    for (const int a : under[std::size_t(p)]) {
      touches[std::size_t(a)].erase(best);
      for (const int b : under[std::size_t(p)])
        if (a != b) touches[std::size_t(a)].insert(b);
    }
  }

  std::map<std::pair<int, int>, int> place;  // by (later, earlier) row in the order of elimination
  int count = 0;
  for (int p = 0; p < rows; ++p) place[{p, p}] = count++;
  for (int p = 0; p < rows; ++p) {
    const int begin = int(e.below.size());
    for (const int row : under[std::size_t(p)]) {
      const int later = position[std::size_t(row)];
      place[{later, p}] = count;
      e.below.push_back({later, count++});
    }
    e.of_pivot.push_back({begin, int(e.below.size())});
  }
  for (int p = 0; p < rows; ++p) {
    const int begin = int(e.updates.size());
    const auto [first, last] = e.of_pivot[std::size_t(p)];
    for (int a = first; a < last; ++a)
      for (int b = first; b < last; ++b) {
        const auto &later = e.below[std::size_t(a)], &earlier = e.below[std::size_t(b)];
        if (later.row >= earlier.row) e.updates.push_back({place.at({later.row, earlier.row}), later.at, b});
      }
    e.updates_after.push_back({begin, int(e.updates.size())});
  }

  std::vector<std::vector<Elimination::Product>> products(static_cast<std::size_t>(count));
  for (const LaneEntry& a : entries)
    for (const LaneEntry& b : entries) {
      const int first = position[std::size_t(a.row)], second = position[std::size_t(b.row)];
      if (a.column == b.column && first >= second)
        products[std::size_t(place.at({first, second}))].push_back({a.at, b.at});
    }
  for (const auto& of_this : products) {
    const int begin = int(e.products.size());
    e.products.insert(e.products.end(), of_this.begin(), of_this.end());
    e.of_place.push_back({begin, int(e.products.size())});
  }
  return e;
}
}  // namespace mubody
