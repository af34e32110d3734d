// CSV files, and the functions of time and forces that a model takes from them.
#include "mubody/reading/read_model.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/text_file.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;

namespace {
constexpr std::string_view model = R"toml(gravity = [0, 0]
[bodies]
rod = {mass = 1, inertia = 1, position = [0, 0]}
[drivers]
x = {type = "coordinate", body = "rod", coordinate = "x", value = {type = "spline", data = {file = "data.csv", columns = [0, 1]}}}
[forces]
push = {type = "time_series", body = "rod", data = "data.csv"}
)toml";

std::optional<io::ColumnFile> read(const std::string& path, io::Blanks blanks, io::Quotes quotes) {
  return accepted<io::FileError>([&] { return io::ColumnFile("data.csv", path, quotes, blanks); });
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using io::Blanks;
  static const Folder folder;
  folder.put("data.csv", text_in(data, size));
  const std::string path = folder.file("data.csv");
  const auto file = read(path, Blanks::mistakes, io::Quotes::shown);
  const auto hidden = read(path, Blanks::mistakes, io::Quotes::hidden);
  hold(file.has_value() == hidden.has_value(), "quotes decide about messages alone");
  const auto blank = read(path, Blanks::not_finite, io::Quotes::shown);
  hold(blank || !file, "blanks are allowed in addition");
  if (!file) return 0;
  const auto& columns = file->data().columns;
  hold(file->names().empty() || file->names().size() == columns.size(), "every column has a name, or none");
  for (std::size_t k = 0; k < columns.size(); ++k) {
    hold(columns[k].size() == columns[0].size(), "columns are equally long");
    accepted<io::FileError>([&] { return file->column(k, "m"); });
  }
  accepted<ModelError>([&] { return io::read_study_text(model, folder.file("model.toml"), {{}, true}); });
  return 0;
}
