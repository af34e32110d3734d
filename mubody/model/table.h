#pragma once
// Checks of curves that users give by points.
#include <string_view>
#include <vector>

#include "mubody/model/fields.h"

namespace mubody {
/// The points of a curve: column 0 of the data and one more.
struct Points {
  std::vector<double> x, y;
};

/// Throws FieldError for `data` or `column` unless column 0 increases strictly, both columns are finite and
/// there are two rows or more.  `abscissas` names the content of column 0: "times must increase: row 4 has 0.2
/// after 0.3".
Points points_of(const Data& data, int column, std::string_view abscissas);
}  // namespace mubody
