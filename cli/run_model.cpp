#include "cli/run_model.h"

#include <csignal>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "mubody/analyses/run.h"
#include "mubody/report/report_page.h"
#include "mubody/report/write_report.h"
#include "mubody/text/text_file.h"
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

void refine_for_page(Study& study) {
  constexpr std::size_t enough = 400;
  const std::size_t rows = study.output.at(study.analysis).size();
  if (!study.output.step || study.analysis.type->facts().at_one_instant || rows < 2 || rows > enough) return;
  *study.output.step /= double((enough + rows - 2) / (rows - 1));
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

io::NewFolders make_folder_of(const fs::path& file) {
  try {
    return io::NewFolders(file.parent_path());
  } catch (const io::WriteError& e) {
    throw io::WriteError(file, e.why);
  }
}

io::CommandFiles files_of_model(const fs::path& model, const io::DataFiles& data,
                                const io::Settings& settings) {
  io::CommandFiles files{.inputs = {{"the model itself", model}}};
  for (const fs::path& file : data) files.inputs.push_back({"data of the model", file});
  if (settings.untrusted) files.stranger = model.parent_path();
  return files;
}

void check_files(const io::CommandFiles& files) {
  try {
    io::check_apart(files);
  } catch (const io::WriteError& e) {
    throw UsageError(e.what());
  }
}

io::GoesOn until_interrupted() {
  begin_keeping();
  return [before = interrupt_signal()] { return interrupt_signal() == before; };
}

void write_page(const fs::path& report, const std::string& page) {
  with_files([&] {
    const io::GoesOn goes_on = until_interrupted();
    const io::NewFolders folder = make_folder_of(report);
    io::write_file(report, page, goes_on);
  });
}

std::string report_page(const Results& results, const Study& study, const fs::path& file,
                        const std::vector<std::string>& changes, const io::Overlay* overlay) {
  return report_page(results, study, file, io::read_file(file, io::files::model), changes, overlay);
}

std::string report_page(const Results& results, const Study& study, const fs::path& file,
                        const std::string& text, const std::vector<std::string>& changes,
                        const io::Overlay* overlay) {
  return io::report_html(results, io::summary_json(results, changes, study.output.format.word()),
                         {&study, {file.filename().string(), text, changes}, overlay});
}
}  // namespace mubody::cli
