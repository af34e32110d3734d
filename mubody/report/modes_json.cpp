#include "mubody/report/modes_json.h"

#include "mubody/report/report_page.h"
#include "mubody/text/json.h"

namespace mubody::io {
namespace {

/// The motion of all modes, one after the other, with the same number of rows each.
Json motion_json(const Table& motion) {
  std::size_t rows = 0;
  while (rows < motion.rows() && motion.at(rows, 0) == motion.at(0, 0)) ++rows;
  Json columns = Json::array();
  std::vector<float> numbers(motion.rows());
  for (std::size_t c = 2; c < motion.columns.size(); ++c) {
    for (std::size_t row = 0; row < motion.rows(); ++row) numbers[row] = float(motion.at(row, c));
    columns.push_back(
        {{"name", motion.columns[c].name}, {"unit", motion.columns[c].unit}, {"data", base64(numbers)}});
  }
  return {{"rows", rows}, {"columns", columns}};
}
}  // namespace

Json modes_json(const Results& r) {
  const Table* const modes = r.find("modes");
  const Table* const motion = r.find("mode_motion");
  if (!modes || !motion) return {};
  Json list = Json::array();
  for (std::size_t row = 0; row < modes->rows(); ++row) {
    Json mode;
    for (const char* name : {"frequency", "damping_ratio", "real", "imaginary"})
      mode[name] = modes->find(name) < 0 ? Json() : Json(modes->at(row, std::size_t(modes->find(name))));
    list.push_back(std::move(mode));
  }
  return {{"list", list}, {"motion", motion_json(*motion)}};
}
}  // namespace mubody::io
