#pragma once
// Tables as C: static arrays and the initializers that refer to them, for the types of runtime.h.
#include <string>
#include <vector>

#include "mubody/precompute/tables/model.h"

namespace mubody {
/// A table as C has it: some of its quantities, in an order of their own, each with the terms of its series.
struct SeriesInC {
  /// `order` is that of the series (taylor.h), empty if there are none; terms above `upto` stay behind.  Without a list, all
  /// quantities.
  SeriesInC(const LookupTable&, const std::vector<int>& order, int stiff,
            std::vector<std::size_t> quantities = {}, int upto = 2);
  /// The first number of a quantity, in the order of C.
  long first_number(std::size_t quantity) const;

  LookupTable table;
  std::vector<int> order;  // of the quantities; empty if there are no series
  int stiff = 0;
};

/// Collects the arrays of one source.  Each function writes the arrays that it needs and returns an
/// initializer.
class CData {
 public:
  /// The largest sizes of all tables so far: of the arrays on the stack.
  struct Sizes {
    std::size_t arguments = 1, quantities = 1, scratch = 1, slopes = 1, stiff = 0, places = 1;
  };

  /// With `apart`, numbers are not in the source but in `apart`, as mb_numbers: whoever loads the code puts them there.
  explicit CData(bool single, std::vector<double>* apart = nullptr) : single_(single), apart_(apart) {}

  /// With so many stiff variables behind those of the region.
  std::string region(const Region&, int stiff);
  /// Slopes are asked for from quantity `sloped` on; `stiff` are the stiff variables of its series.
  std::string table(const SeriesInC&, const std::vector<int>& stiff, std::size_t sloped = 0);
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

  std::string text() const;
  /// The sizes of all tables so far, as in sizes.h.
  std::string sizes_in_c() const;

 private:
  std::string axis(const Axis&, bool cyclic = false);
  std::string axes(const std::vector<Axis>&);
  std::string border(const Border&) const;
  void make_room(const SeriesInC&);
  std::string fresh(const char* kind) { return std::string(kind) + std::to_string(++count_); }

  bool single_;
  std::vector<double>* apart_;
  int count_ = 0;
  std::string text_;
  Sizes sizes_;
};
}  // namespace mubody
