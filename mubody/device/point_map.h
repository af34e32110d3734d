#pragma once
// Numbers of a mechanism as functions of what varies in a sweep, found from some points of it: reading and assembling a model takes longer
// than its motion does on a graphics processor.
//
//   docs/theory/gpu.md#starts
//
// A number of a mechanism, as a mass or the product of two lengths, depends on few of the variables, and smoothly.  So it is a sum of
// products of Chebyshev polynomials of these variables alone, and is known to round-off from its values on a grid of them.  Numbers that
// are sizes to compare with may be known to a few per cent, and are else linear functions of all variables.
#include <functional>
#include <optional>
#include <vector>

namespace mubody {
struct SweptRange {
  double low, high;
};

class PointMap {
 public:
  /// All numbers at a point; none if there are none there, or others.
  using Evaluate = std::function<std::optional<std::vector<double>>(const std::vector<double>& point)>;

  /// `is_size` marks numbers that need not be exact.  None if they are no such functions; `missing` then says which numbers are not, or is
  /// empty if there were no numbers at some point.
  static std::optional<PointMap> find(const std::vector<SweptRange>&, const Evaluate&,
                                      const std::vector<bool>& is_size, std::vector<std::size_t>& missing);

  std::size_t size() const { return constant_.size(); }
  /// Whether a number is known to round-off.
  bool is_exact(std::size_t number) const;
  void operator()(const std::vector<double>& point, std::vector<double>& numbers) const;

 private:
  /// Numbers that depend on the same variables.
  struct Group {
    std::vector<std::size_t> variables, numbers;
    int nodes = 1;                     // of each variable
    std::vector<double> coefficients;  // of each number, of the products of polynomials
  };
  class Finder;

  double unit(std::size_t variable, double x) const;  // -1 to 1 over its range

  std::vector<SweptRange> ranges_;
  std::vector<double> constant_;
  std::vector<Group> groups_;
  std::vector<std::size_t> sizes_;  // numbers that are linear functions
  std::vector<double> slopes_;      // of these, by all variables
};
}  // namespace mubody
