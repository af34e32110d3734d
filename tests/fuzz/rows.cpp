// Rows of a sweep that is continued, below the head of their file; an input that begins with # has a head of its own.
#include "mubody/model/errors.h"
#include "mubody/sweep/rows_file.h"
#include "tests/fuzz/folder.h"
#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;

namespace {
const RowsHead head{.hash = 1, .points = 50, .engine = "lanes", .varied = {"L[m]", "k"}, .kept = {"rod.x[m]"}};

void check_row(const SweepRow& row) {
  const std::string line = line_of(row, head.kept.size());
  const auto again =
      row_of(std::string_view(line).substr(0, line.size() - 1), head.varied.size(), head.kept.size());
  hold(again && line_of(*again, head.kept.size()) == line, "a row that is written is read again as it was");
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  static const std::string first = head.text();
  const std::string_view text = text_in(data, size);
  folder.put("rows.csv", text.starts_with('#') ? std::string(text) : first + std::string(text));
  const std::string path = folder.file("rows.csv");
  const auto rows = accepted<ModelError>([&] { return read_rows(path, head); });
  if (rows)
    for (const SweepRow& row : *rows) check_row(row);
  const auto count = accepted<ModelError>([&] { return RowsFile(path, head, OldRows::resume).count(); });
  if (!count) return 0;
  const auto kept = accepted<ModelError>([&] { return read_rows(path, head); });
  hold(kept && *count <= kept->size(), "a sweep that is continued can be read");
  return 0;
}
