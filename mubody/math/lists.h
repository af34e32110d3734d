#pragma once
// Many short lists in one array: a list of its own for each of 100 000 bodies would cost a piece of memory each.
#include <span>
#include <vector>

namespace mubody {
class Lists {
 public:
  /// List k has the items whose key is k, in their order.  `key(item)` must lie in [0, count).
  template <class Key>
  Lists(int count, int items, const Key& key) : begin_(std::size_t(count) + 1, 0), items_(std::size_t(items)) {
    for (int i = 0; i < items; ++i) ++begin_[std::size_t(key(i)) + 1];
    for (std::size_t k = 1; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
    std::vector<int> next(begin_.begin(), begin_.end() - 1);
    for (int i = 0; i < items; ++i) items_[std::size_t(next[std::size_t(key(i))]++)] = i;
  }
  std::span<int> operator[](int k) {
    return {items_.data() + begin_[std::size_t(k)], items_.data() + begin_[std::size_t(k) + 1]};
  }
  std::span<const int> operator[](int k) const {
    return {items_.data() + begin_[std::size_t(k)], items_.data() + begin_[std::size_t(k) + 1]};
  }
  int size() const { return int(begin_.size()) - 1; }

 private:
  std::vector<int> begin_, items_;
};
}  // namespace mubody
