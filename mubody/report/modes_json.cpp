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

Json bode_json(const Results& r) {
  const Table* const table = r.find("frequency_response");
  if (!table || table->rows() < 2) return {};
  std::vector<double> frequency;
  for (std::size_t row = 0; row < table->rows(); ++row) frequency.push_back(table->at(row, 0));
  const auto numbers = [&](std::size_t column) {
    std::vector<float> all;
    for (std::size_t row = 0; row < table->rows(); ++row) all.push_back(float(table->at(row, column)));
    return base64(all);
  };
  // After the frequency the table has a gain and a phase for each pair.
  Json responses = Json::array();
  for (std::size_t c = 1; c + 1 < table->columns.size(); c += 2) {
    const std::string& name = table->columns[c].name;
    responses.push_back({{"name", name.substr(0, name.rfind('.'))},
                         {"unit", table->columns[c].unit},
                         {"gain", numbers(c)},
                         {"phase", numbers(c + 1)}});
  }
  return {{"frequency", base64(frequency)}, {"responses", responses}};
}
}  // namespace mubody::io
