#pragma once
// The numbers that a computation carries from one step to the next, saved and put back.
//
// A class lists the numbers that it remembers once, in one member for both directions:
//
//   void memory(Memory& m) { m(t_, y_, count_); }
//
// After Memory::restoring() the same calls in the same order put the numbers back, bit for bit.
#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
class Memory {
 public:
  /// A copy of this memory that gives its numbers back to the members it is shown.
  Memory restoring() const {
    Memory m = *this;
    m.saves_ = false;
    m.next_ = 0;
    return m;
  }
  bool saves() const { return saves_; }
  bool at_end() const { return next_ == numbers_.size(); }

  template <class... T> void operator()(T&... members) { (take(members), ...); }

 private:
  template <class T>
  requires std::is_arithmetic_v<T>
  void take(T& x) {
    static_assert(sizeof(T) <= sizeof(double));
    if (saves_) {
      numbers_.push_back(double(x));
    } else {
      if (next_ == numbers_.size()) throw std::logic_error("a memory of something else");
      x = T(numbers_[next_++]);
    }
  }
  template <class T>
  requires std::is_enum_v<T>
  void take(T& x) {
    int number = int(x);
    take(number);
    x = T(number);
  }
  template <int Rows, int Columns> void take(Eigen::Matrix<double, Rows, Columns>& x) {
    Eigen::Index rows = x.rows(), columns = x.cols();
    take(rows);
    take(columns);
    if constexpr (Rows == Eigen::Dynamic || Columns == Eigen::Dynamic) x.resize(rows, columns);
    for (Eigen::Index k = 0; k < x.size(); ++k) take(x.data()[k]);
  }
  void take(Quaternion& x) { take(x.coeffs()); }
  template <class T, std::size_t N> void take(std::array<T, N>& all) {
    for (T& x : all) take(x);
  }
  template <class T> void take(std::vector<T>& all) {
    std::size_t size = all.size();
    take(size);
    all.resize(size);
    for (T& x : all) take(x);
  }
  template <class T> void take(std::optional<T>& x) {
    bool there = x.has_value();
    take(there);
    if (there && !x) x.emplace();
    if (there)
      take(*x);
    else
      x.reset();
  }
  /// Anything else lists its own members.
  template <class T>
  requires requires(T& x, Memory& m) { x.memory(m); }
  void take(T& x) { x.memory(*this); }

  std::vector<double> numbers_;
  std::size_t next_ = 0;
  bool saves_ = true;
};
}  // namespace mubody
