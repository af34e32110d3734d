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
/// Results that the page lays over those that it shows.
struct Overlay {
  std::string name;  // what the page calls them
  Results results;
};

/// The model that results belong to, as far as it is known.
struct ReportModel {
  const Study* study = nullptr;  // without it bodies are drawn as points
  ModelFile file;
  const Overlay* overlay = nullptr;
};

/// What the page gets: RunReport in web/src/data.ts.  `summary` is the content of summary.json.
Json report_data(const Results&, const Json& summary, const ReportModel&);

/// The page with these data.  Throws std::runtime_error if the program was built without pages.
std::string report_html(const Results&, const Json& summary, const ReportModel&);
}  // namespace mubody::io
