#include "cli/run_model.h"

#include <csignal>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "mubody/analyses/run.h"
#include "mubody/report/report_page.h"
#include "mubody/report/write_report.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"
#include "mubody/writing/write_summary.h"

namespace mubody::cli {
namespace fs = std::filesystem;

Results run_model(const Study& study, const fs::path& file, bool quiet) {
  try {
    ShownProgress progress(!quiet);
    return mubody::run(study, std::ref(progress));
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}

int exit_code(const Results& r) {
  switch (r.outcome.kind) {
    case Outcome::reached_end: return r.trusted ? done : inaccurate;
    case Outcome::interrupted: return interrupt_signal() == SIGTERM ? terminated : interrupted;
    case Outcome::not_assembled: return not_assembled;
    default: return solver_failed;
  }
}

std::string failure(int code, const Results& r) {
  switch (code) {
    case interrupted:
    case terminated: return "interrupted: " + r.outcome.why + "; the results up to there are kept";
    case inaccurate: return r.verdict;
    case solver_failed:
      return r.outcome.why + (r.outcome.kind == Outcome::lost_branch || r.tables.empty()
                                  ? ""
                                  : "; the results up to there are kept");
    default: return r.outcome.why;
  }
}

void check_report(const fs::path& report, const io::Replacing& how) {
  if (report.extension() != ".html" && report.extension() != ".htm")
    throw UsageError(fmt::format("a report is a file that ends with .html; got '{}'", report.string()));
  with_files([&] {
    io::check_reports();
    io::check_target(report, io::page_kind, how);
  });
}

void make_folder_of(const fs::path& report) {
  std::error_code error;
  if (report.has_parent_path()) fs::create_directories(report.parent_path(), error);
  if (error) throw io::WriteError(report, error.message());
}

void write_page(const fs::path& report, const std::string& page) {
  with_files([&] {
    make_folder_of(report);
    io::write_file(report, page);
  });
}

std::string report_page(const Results& results, const Study& study, const fs::path& file,
                        const std::vector<std::string>& changes) {
  return report_page(results, study, file, io::read_file(file, io::files::model), changes);
}

std::string report_page(const Results& results, const Study& study, const fs::path& file,
                        const std::string& text, const std::vector<std::string>& changes) {
  return io::report_html(results, io::summary_json(results, changes),
                         {&study, {file.filename().string(), text, changes}});
}
}  // namespace mubody::cli
