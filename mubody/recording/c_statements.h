#pragma once
// The statements of a routine in C, before they are divided among functions.
#include <string>
#include <vector>

#include "mubody/recording/c_text.h"

namespace mubody {
struct CStatement {
  int defines = -1;       // the node whose value it names; none if it sets an output
  bool is_whole = false;  // a truth or a row, which is an int
  std::string text;
  std::vector<int> uses;  // nodes with names
};
std::string c_name(int number);
/// A number in C that gives no warning, whatever it is.
std::string c_constant(double);
/// The inputs whose sines and cosines a routine needs, if they are so many that a loop which makes them all is shorter and
/// faster.  It leaves them at the beginning of the memory w, the sine of the k-th at 2k and its cosine at 2k + 1.
std::vector<int> turned_inputs(const Computation&, const Routine&, const CFrame&);
/// In an order that keeps few values waiting.  `name` of each node that has one is its number among them.
std::vector<CStatement> c_statements(const Computation&, const Routine&, const CFrame&,
                                     const std::vector<int>& turned, std::vector<int>& name);
}  // namespace mubody
