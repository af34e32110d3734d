#pragma once
// A number of the model that a sweep varies, as it is written on the command line:
//
//   key=lo:hi:n  key=lo:hi:n:log  key=1,2,5  key=@file.csv  key=@file.csv:column  key=normal(1, 0.1)  key=lo:hi
//
// Numbers may have a unit.  It is the same for all, and a unit on any of them holds for all.
//                                                                              docs/user/sweep.md
#include <optional>
#include <string>
#include <vector>

#include "mubody/sweep/distribution.h"
#include "mubody/text/quotes.h"

namespace mubody {
struct SweptVariable {
  std::string key;                           // with dots, as in "bodies.crank.mass"
  std::string unit;                          // as the user wrote it; empty if there is none
  std::vector<double> values;                // the list, in that unit; empty for a distribution
  std::optional<Distribution> distribution;  // in that unit
  std::string together;                      // the file; variables from the same file change together

  /// "crank_angle[deg]".
  std::string header() const { return unit.empty() ? key : key + "[" + unit + "]"; }
  /// "bodies.crank.mass=1.5 kg".
  std::string setting(double value) const;
};

/// Throws std::invalid_argument, which says what is wrong, or io::FileError; `quotes` is about the file that the text may name.
SweptVariable read_variable(const std::string& text, io::Quotes quotes);
}  // namespace mubody
