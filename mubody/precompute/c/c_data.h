#pragma once
// Tables as C: static arrays and the initializers that refer to them, for the types of runtime.h.
#include <string>
#include <vector>

#include "mubody/precompute/tables/model.h"

namespace mubody {
/// Collects the arrays of one source.  Each function writes the arrays that it needs and returns an
/// initializer.
class CData {
 public:
  /// The largest sizes of all tables so far: of the arrays on the stack.
  struct Sizes {
    std::size_t arguments = 1, quantities = 1, scratch = 1;
  };

  explicit CData(bool single) : single_(single) {}

  std::string region(const Region&);
  /// Slopes are asked for from quantity `sloped` on.
  std::string table(const LookupTable&, int sloped = 0);
  /// The ranges of variables, as axes without cells.
  std::string ranges(const std::vector<VariableRange>&);
  /// The name of a new array.
  std::string numbers(const std::vector<double>&);
  std::string integers(const std::vector<int>&);
  std::string array(const char* type, const std::vector<std::string>& initializers);
  /// A literal of the type that is asked for.
  std::string number(double) const;
  /// Literals with commas between them.
  std::string list(const std::vector<double>&) const;

  const std::string& text() const { return text_; }
  const Sizes& sizes() const { return sizes_; }

 private:
  std::string axis(const Axis&, bool cyclic = false);
  std::string axes(const std::vector<Axis>&);
  std::string border(const Border&) const;
  std::string fresh(const char* kind) { return std::string(kind) + std::to_string(++count_); }

  bool single_;
  int count_ = 0;
  std::string text_;
  Sizes sizes_;
};
}  // namespace mubody
