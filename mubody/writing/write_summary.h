#pragma once
// The summary of a run for programs: summary.json.
#include <string>
#include <vector>

#include "mubody/results/results.h"
#include "mubody/text/columns/table_format.h"
#include "mubody/text/json.h"

namespace mubody::io {
/// A file of results, without its folder.
struct ResultFile {
  std::string name;
  std::size_t rows = 0;
  std::vector<std::string> columns;
};
/// The tables and the lists as they are written; `format` of the tables is a word of OutputOptions::format.
std::vector<ResultFile> files_of(const Results&, std::string_view format = usual_format);

/// The remarks, and one more if numbers of the tables are not finite.
std::vector<std::string> remarks_of(const Results&, std::string_view format = usual_format);

/// The time up to which there are results [s].
double end_of(const Results&);

/// The content of summary.json; `changes` are those made to the model file before the run, as "key=value".
Json summary_json(const Results&, const std::vector<std::string>& changes = {},
                  std::string_view format = usual_format);
}  // namespace mubody::io
