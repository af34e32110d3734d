#include "cli/run_model.h"

#include <csignal>
#include <fstream>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "mubody/analyses/run.h"
#include "mubody/report/report_page.h"
#include "mubody/report/write_report.h"
#include "mubody/text/json.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/write_results.h"
#include "mubody/writing/write_summary.h"

namespace mubody::cli {
namespace fs = std::filesystem;

Results run_model(const Study& study, const fs::path& file, bool quiet) {
  try {
    ProgressBar bar(!quiet);
    return mubody::run(study, [&](double share) {
      bar.show(share);
      return interrupt_signal() == 0;
    });
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

namespace {
// A page of mubody identifies itself at its beginning.
bool is_page(const fs::path& file) {
  std::string head(1000, ' ');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), std::streamsize(head.size()));
  return head.find(R"(<meta name="generator" content="mubody">)") != head.npos;
}
}  // namespace

namespace {
/// What a page shows, if it is the report of a run; else null.
io::Json data_of_report(const fs::path& file) {
  if (!is_page(file)) return {};
  std::ifstream in(file, std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  constexpr std::string_view before = R"(id="data">)";
  const std::size_t begin = page.find(before), end = page.find("</script>", begin);
  if (begin == page.npos || end == page.npos) return {};
  const std::size_t first = begin + before.size();
  io::Json data = io::Json::parse(page.substr(first, end - first)).value_or(io::Json());
  return data["kind"].text() == "run" ? data : io::Json();
}
}  // namespace

std::vector<std::string> remove_old_reports(const fs::path& folder, const Results& results,
                                            const fs::path& report) {
  std::vector<std::string> removed;
  std::error_code ignored;
  for (const fs::directory_entry& e : fs::directory_iterator(folder, ignored)) {
    const std::string name = e.path().filename().string();
    if (!e.is_regular_file(ignored) || e.path().extension() != ".html") continue;
    if (!report.empty() && fs::equivalent(e.path(), report, ignored)) continue;
    const io::Json data = data_of_report(e.path());
    const bool stale = data["kind"].text() == "run" &&
                       (name == usual_report_name || data["summary"]["model"].text() == results.model);
    if (stale && fs::remove(e.path(), ignored)) removed.push_back(name);
  }
  return removed;
}

void check_report(const fs::path& report) {
  if (report.extension() != ".html" && report.extension() != ".htm")
    throw UsageError(fmt::format("a report is a file that ends with .html; got '{}'", report.string()));
  with_files([&] {
    io::check_reports();
    io::check_writable(report.has_parent_path() ? report.parent_path() : fs::path("."));
    if (fs::is_directory(report))
      throw std::runtime_error("cannot write to '" + report.string() + "': it is a folder");
    // A report may only replace a report.
    if (fs::exists(report) && !fs::is_empty(report) && !is_page(report))
      throw std::runtime_error("'" + report.string() +
                               "' is there already and is no report of mubody; choose another name");
  });
}

void write_report(const Results& results, const Study& study, const fs::path& file,
                  const std::vector<std::string>& changes, const fs::path& report) {
  constexpr std::size_t most_megabytes = 64;
  const std::string text = io::read_text_file(file.string(), most_megabytes, "a model file");
  write_report(results, study, file, text, changes, report);
}

void write_report(const Results& results, const Study& study, const fs::path& file, const std::string& text,
                  const std::vector<std::string>& changes, const fs::path& report) {
  with_files([&] {
    const std::string html = io::report_html(results, io::summary_json(results, changes),
                                             {&study, {file.filename().string(), text, changes}});
    if (report.has_parent_path()) fs::create_directories(report.parent_path());
    io::write_text(html, report);
  });
}
}  // namespace mubody::cli
