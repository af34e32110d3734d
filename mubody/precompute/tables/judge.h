#pragma once
// How far polynomials are from exact values, relative to what a bound allows.   docs/theory/tables.md
#include <limits>

#include "mubody/precompute/tables/make_table.h"

namespace mubody {
class Judge {
 public:
  /// Errors go into the certificate.
  Judge(const std::vector<Sampled::Quantity>& quantities, const TableOptions& o, int arguments, Certificate& c)
      : quantities_(quantities), o_(o), n_(arguments), c_(c) {}

  /// Forgets all samples.
  void begin();
  /// A sample that polynomials are made from.
  void take(const VecX& values, const MatX& slopes);
  /// Says what the bound is a share of, from the samples so far, and forgets all errors.
  void take_sizes();
  /// The largest error at a place in a cell of these half widths, relative to what is allowed; slopes as a table has them.
  double error(const std::vector<double>& looked, const std::vector<double>& looked_slopes, const VecX& values,
               const MatX& slopes, const VecX& half);
  /// The quantity with the largest error.
  int worst() const { return worst_; }

 private:
  double unit(int argument) const { return o_.units.empty() ? 1 : o_.units[std::size_t(argument)]; }
  double size_of(std::size_t q) const {
    return quantities_[q].factor * std::max(c_.largest[q], quantities_[q].terms);
  }
  double allowed(std::size_t q, double half) const;
  void note(double& worst, double share, int q);

  static constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();
  static constexpr double solved = 16;  // slopes come from linear equations, with so many times the round-off
  const std::vector<Sampled::Quantity>& quantities_;
  const TableOptions& o_;
  int n_;
  Certificate& c_;
  std::vector<double> steepest_;
  int worst_ = 0;
};
}  // namespace mubody
