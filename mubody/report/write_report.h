#pragma once
// The report of a run: one HTML file that shows the mechanism in motion, plots, and the summary.
//
//   docs/user/report.md
//
// Columns are base64 of 32-bit numbers, the times of 64-bit numbers.  Very long results are thinned, see thin.h, and
// the page says so.
#include <string>

#include "mubody/report/report_page.h"
#include "mubody/results/results.h"
#include "mubody/study/options.h"
#include "mubody/text/json.h"

namespace mubody::io {
/// The model that results belong to, as far as it is known.
struct ReportModel {
  const Study* study = nullptr;  // without it bodies are drawn as points
  ModelFile file;
};

/// `summary` is the content of summary.json.  Throws std::runtime_error if the program was built without pages.
std::string report_html(const Results&, const Json& summary, const ReportModel&);
}  // namespace mubody::io
