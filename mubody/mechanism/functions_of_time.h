#pragma once
// The functions of time that forces and drivers of a mechanism follow.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// A function of time alone: that of a force or driver, or a part of a formula that sees the state as well.
struct FunctionOfTime {
  std::string element;                          // in words, as in "force 'f'"
  const FunctionKind* kind = nullptr;           // null: a part of a formula
  std::shared_ptr<const Expression> formula{};  // as it is evaluated; null if it is made of numbers

  double operator()(double t) const { return kind ? kind->at(t).x : (*formula)(std::span(&t, 1)); }
  Breakpoints breakpoints(double from, double to) const;
};

/// All that vary; the mechanism must outlive them.
std::vector<FunctionOfTime> functions_of_time(const Mechanism&);
}  // namespace mubody
