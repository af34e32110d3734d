#pragma once
// One argument of a table: its range is divided into equal intervals, and each interval into equal cells, as
// many as it needs.
//
// Finding a cell takes two multiplications and two roundings, however fine the cells are.
//                                                                              docs/theory/tables.md
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace mubody {
class Axis {
 public:
  Axis() = default;
  Axis(double low, double high, bool periodic, int intervals)
      : low_(low), high_(high), periodic_(periodic), parts_(std::size_t(intervals), 1) {
    count();
  }
  Axis(double low, double high, bool periodic, std::vector<int> parts)
      : low_(low), high_(high), periodic_(periodic), parts_(std::move(parts)) {
    count();
  }

  double low() const { return low_; }
  double high() const { return high_; }
  bool periodic() const { return periodic_; }
  const std::vector<int>& parts() const { return parts_; }
  int intervals() const { return int(parts_.size()); }
  int cells() const { return cells_; }
  /// Intervals per unit.
  double density() const { return per_; }

  /// Where x lies: a cell, the place s in it from −1 to 1, and ds/dx.  Beyond the ends of a range it is the end, since
  /// nobody has checked a polynomial there.
  struct At {
    int cell;
    double s, slope;
  };
  At locate(double x) const {
    double y = (x - low_) * per_;
    y = periodic_ ? y - turns_ * std::floor(y * per_turns_) : std::min(std::max(0.0, y), turns_);
    const int i = whole_within(y, int(parts_.size()) - 1);
    const int parts = parts_[std::size_t(i)];
    const double f = (y - i) * parts;
    const int j = whole_within(f, parts - 1);
    return {first_[std::size_t(i)] + j, 2 * (f - j) - 1, 2 * parts * per_};
  }
  /// The number of whole periods that locate() takes away.
  double laps(double x) const { return periodic_ ? std::floor((x - low_) * per_ * per_turns_) : 0; }

  /// Middle and half width of a cell.
  struct Cell {
    double middle, half;
    int interval;
  };
  Cell cell(int k) const {
    const auto i = std::size_t(std::upper_bound(first_.begin(), first_.end(), k) - first_.begin()) - 1;
    const double half = 0.5 / (per_ * parts_[i]);
    return {low_ + double(i) / per_ + (2 * (k - first_[i]) + 1) * half, half, int(i)};
  }
  /// Divides an interval into so many cells.
  void divide(int interval, int parts) {
    parts_[std::size_t(interval)] = parts;
    count();
  }

 private:
  // x without its fraction, from 0 to `most` whatever x is: no number and infinity included.
  static int whole_within(double x, int most) { return int(std::min(std::max(0.0, x), double(most))); }

  void count() {
    per_ = double(parts_.size()) / (high_ - low_);
    turns_ = double(parts_.size());
    per_turns_ = 1 / turns_;
    first_.clear();
    // More cells than can be counted are refused where a table is read or made.
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    std::int64_t cells = 0;
    for (const int p : parts_) first_.push_back(int(cells)), cells = std::min(cells + p, most);
    cells_ = int(cells);
  }

  double low_ = 0, high_ = 1, per_ = 1, turns_ = 1, per_turns_ = 1;
  bool periodic_ = false;
  std::vector<int> parts_{1}, first_{0};
  int cells_ = 1;
};
}  // namespace mubody
