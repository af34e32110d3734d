#include "mubody/model/table.h"

#include <cmath>

#include <fmt/format.h>

#include "mubody/model/errors.h"

namespace mubody {
Points points_of(const Data& data, int column, std::string_view abscissas) {
  const int columns = static_cast<int>(data.columns.size());
  require(columns >= 2, "data", fmt::format("needs 2 columns or more, has {}", columns));
  require(column >= 1 && column < columns, "column",
          fmt::format("must lie between 1 and {}, not {}", columns - 1, column));
  const Points points{data.columns[0], data.columns[static_cast<std::size_t>(column)]};
  const std::size_t rows = points.x.size();
  require(points.y.size() == rows, "data", "columns must be equally long");
  require(rows >= 2, "data", fmt::format("needs 2 rows or more, has {}", rows));
  for (std::size_t k = 0; k < rows; ++k) {
    require(std::isfinite(points.x[k]) && std::isfinite(points.y[k]), "data",
            fmt::format("values must be finite: row {} has {}", k + 1,
                        std::isfinite(points.x[k]) ? points.y[k] : points.x[k]));
    require(k == 0 || points.x[k] > points.x[k - 1], "data",
            fmt::format("{} must increase: row {} has {} after {}", abscissas, k + 1, points.x[k],
                        k == 0 ? 0 : points.x[k - 1]));
  }
  return points;
}
}  // namespace mubody
