#pragma once
// Loops that are equal, or mirrored in a plane along axes of their carrier, have one table: left and right corners of a car.
//
//   r' = S r,  (e₁ e₂ e₃)' = −S (e₁ e₂ e₃),  s' = f s,  b' = f S b,  Ω' = −f S Ω       S = diag(1, −1, 1) for the plane xz
//
// The signs f of the variables, and of directions in which joints give way, are found by trying.  Two parts count as alike if exact values at 24 places agree to
// round-off: functions that are smooth and differ elsewhere do not.            docs/theory/loops-as-joints.md
#include <optional>

#include "mubody/precompute/precompute.h"
#include "mubody/system/body_layout.h"

namespace mubody {
/// The quantities of a table as series in stiff variables (taylor.h); nothing if they are none.
struct KnownSeries {
  std::vector<int> order{};
  int stiff = 0;
};

class KnownTables {
 public:
  struct One {
    LookupTable table;
    TableReport report;
    std::vector<VecX> seen;  // exact values at places of its ranges
  };
  /// A table like one that is known; `axes` have the ranges that it is to have.
  std::optional<One> twin_of(Sampled&, const std::vector<int>& arguments, const std::vector<Axis>& axes,
                             int degree, const KnownSeries&, const BodyLayout&);
  /// A table that others may be like.
  void add(Sampled&, const LookupTable&, const TableReport&);

 private:
  /// The signs of all quantities relative to those of a known table, if it is alike with these signs of the axes.
  static std::optional<std::vector<double>> signs_between(const One& known, const std::vector<VecX>& own,
                                                          const Sampled&, std::vector<double> flips,
                                                          const KnownSeries&, const BodyLayout&);
  std::vector<One> all_;
};
}  // namespace mubody
