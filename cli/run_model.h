#pragma once
// A model run with a progress bar: what 'run' and 'report' have in common.
#include <filesystem>

#include "cli/commands.h"
#include "mubody/results/results.h"
#include "mubody/study/options.h"

namespace mubody::cli {
/// Throws ModelError, with the name of the file before what an analysis has to say.
Results run_model(const Study&, const std::filesystem::path& file, bool quiet);

/// What is said on stderr if a run did not end well.
std::string failure(int code, const Results&);

/// Writes the report of a run; `file` is the model, `text` what stands in it, without these changes.  Throws UsageError.
void write_report(const Results&, const Study&, const std::filesystem::path& file, const std::string& text,
                  const std::vector<std::string>& changes, const std::filesystem::path& report);
/// The same, the text read from the file.
void write_report(const Results&, const Study&, const std::filesystem::path& file,
                  const std::vector<std::string>& changes, const std::filesystem::path& report);
/// Throws UsageError if reports cannot be written at all, or not there.
void check_report(const std::filesystem::path& report);

/// No fault of the program if a folder cannot be written to.
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
