#pragma once
// Loops that are equal, or mirrored in a plane along axes of their carrier, have one table: left and right corners of a car.
//
//   r' = S r,  (e₁ e₂ e₃)' = −S (e₁ e₂ e₃),  s' = f s,  b' = f S b,  Ω' = −f S Ω       S = diag(1, −1, 1) for the plane xz
//
// The signs f of the variables are found by trying.  Two parts count as alike if exact values at 24 places agree to
// round-off: functions that are smooth and differ elsewhere do not.            docs/theory/loops-as-joints.md
#include <optional>

#include "mubody/precompute/precompute.h"
#include "mubody/system/body_layout.h"

namespace mubody {
class KnownTables {
 public:
  struct One {
    LookupTable table;
    TableReport report;
    std::vector<VecX> seen;  // exact values at places of its ranges
  };
  /// A table like one that is known; `axes` have the ranges that it is to have.
  std::optional<One> twin_of(Sampled&, const std::vector<int>& arguments, const std::vector<Axis>& axes,
                             int degree, const BodyLayout&);
  /// A table that others may be like.
  void add(Sampled&, const LookupTable&, const TableReport&);

 private:
  std::vector<One> all_;
};
}  // namespace mubody
