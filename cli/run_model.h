#pragma once
// Runs a model with a progress bar, for 'run' and 'report'.
#include <filesystem>

#include "cli/commands.h"
#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody::cli {
/// Throws ModelError, with the name of the file before the message of an analysis.
Results run_model(const Study&, const std::filesystem::path& file, bool quiet);

/// The message on stderr for a run that did not end well.
std::string failure(int code, const Results&);

/// Writes the report of a run; `file` is the model, `text` its content without changes.  Throws UsageError.
void write_report(const Results&, const Study&, const std::filesystem::path& file, const std::string& text,
                  const std::vector<std::string>& changes, const std::filesystem::path& report);
/// The same, with the text read from the file.
void write_report(const Results&, const Study&, const std::filesystem::path& file,
                  const std::vector<std::string>& changes, const std::filesystem::path& report);
/// The name of a report in a folder of results.
inline constexpr std::string_view usual_report_name = "report.html";
/// Removes reports of earlier runs, but not `report`, from a folder that has new results; returns their names.
std::vector<std::string> remove_old_reports(const std::filesystem::path& folder, const Results&,
                                            const std::filesystem::path& report);
/// Throws UsageError if reports cannot be written at all, or not there.
void check_report(const std::filesystem::path& report);

/// Turns a failure to write into a UsageError, for it is no fault of the program.
template <class Work> void with_files(const Work& work) {
  try {
    work();
  } catch (const ModelError&) {
    throw;
  } catch (const std::runtime_error& e) {
    throw UsageError(e.what());
  }
}
}  // namespace mubody::cli
