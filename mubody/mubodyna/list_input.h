#pragma once
// FORTRAN's list-directed input: the values of a record, which may run over several lines.
//
//   ISO/IEC 1539-1, list-directed input                                docs/user/mubodyna.md#numbers
//
//   1 2.5,3      blanks, commas or both stand between values; the end of a line is a blank
//   3*0  2*      three zeros; two values that are left open
//   1,,3         a value that is left open between two commas
//   4 5 /        the record ends here, what is missing is left open
#include "mubody/mubodyna/words.h"

namespace mubody::io::mubodyna {
/// A value as it is written; an empty text leaves it open.
struct Item {
  std::string_view text;
  int line = 0, column = 0;  // from 1
  std::size_t times = 1;
};

class Record {
 public:
  /// Appends the values of a line, up to "/".
  void add(const Line&);

  const std::vector<Item>& items() const { return items_; }
  /// How many values there are, counting repetitions.
  std::size_t size() const { return size_; }
  /// Whether "/" ended the record.
  bool ended() const { return ended_; }
  /// Whether digits stand on both sides of a comma, as in a decimal comma.
  bool has_tight_comma() const { return tight_comma_; }
  /// The value at a place, counting repetitions; none if there are not as many.
  const Item* at(std::size_t place) const;

 private:
  void append(Item);

  std::vector<Item> items_;
  std::size_t size_ = 0;
  bool ended_ = false;
  bool tight_comma_ = false;
  bool comma_ = true;  // whether a comma that comes now leaves a value open
};

/// The numbers that a line begins with, before any words.
std::vector<Item> leading_numbers(const Line&);
}  // namespace mubody::io::mubodyna
