#pragma once
// Functions of time that vary within a step: a sine in tune with the steps looks like nothing at all.
//                                                                              docs/theory/breakpoints.md
#include <string>
#include <vector>

#include "mubody/mechanism/breakpoints.h"

namespace mubody {
struct Unresolved {
  std::string element;  // in words, as in "force 'f'"
  double step;          // [s] one that would do
  bool clearly;         // so far that it is worth a remark; less may still be in tune with the steps
};

/// The functions of time that steps of one size do not resolve, one entry per force or driver.
std::vector<Unresolved> unresolved_by(const Mechanism&, double from, double to, double step);
}  // namespace mubody
