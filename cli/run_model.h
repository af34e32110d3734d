#pragma once
// Runs a model with a progress bar, for 'run' and 'report'.
#include <filesystem>

#include "cli/commands.h"
#include "mubody/reading/read_model.h"
#include "mubody/results/results.h"
#include "mubody/study/options.h"
#include "mubody/text/target.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
struct Overlay;
}

namespace mubody::cli {
/// Throws ModelError, with the name of the file before the message of an analysis.
Results run_model(const Study&, const std::filesystem::path& file, bool quiet);

/// Asks for enough rows that the motion looks smooth: the output step is divided by a whole number, so that the times asked
/// for are among the rows.
void refine_for_page(Study&);

/// The message on stderr for a run that did not end well.
std::string failure(int code, const Results&);

/// The report of a run; `file` is the model, `text` its content without changes.
std::string report_page(const Results&, const Study&, const std::filesystem::path& file,
                        const std::string& text, const std::vector<std::string>& changes,
                        const io::Overlay* overlay = nullptr);
/// The same, with the text read from the file.
std::string report_page(const Results&, const Study&, const std::filesystem::path& file,
                        const std::vector<std::string>& changes, const io::Overlay* overlay = nullptr);
/// Throws UsageError if that is no name of a report, Hindrance if reports cannot be written at all, or not there.
void check_report(const std::filesystem::path& report, const io::Replacing&);
/// Makes the folder that a file goes to; it is removed again if the file does not get there.  Throws WriteError.
[[nodiscard]] io::NewFolders make_folder_of(const std::filesystem::path& file);
/// Writes a page, and makes its folder.  Throws Hindrance.
void write_page(const std::filesystem::path& report, const std::string& page);

/// What a command reads of a model, and whose links its outputs must not follow; outputs are to be added.
io::CommandFiles files_of_model(const std::filesystem::path& model, const io::DataFiles&, const io::Settings&);
/// Throws UsageError if these files are not apart, see io::check_apart().
void check_files(const io::CommandFiles&);

/// Every writing step begins with this: from now on there is something to keep, and neither a signal nor the limit of time
/// ends the program in between.  Writing goes on until the next interruption; what has been computed until an earlier one
/// is written nevertheless.
io::GoesOn until_interrupted();

/// Turns a failure to write into a Hindrance, for it is no fault of the program.
template <class Work> void with_files(const Work& work) {
  try {
    work();
  } catch (const ModelError&) {
    throw;
  } catch (const UsageError&) {
    throw;
  } catch (const io::WritingStopped&) {
    throw;
  } catch (const std::runtime_error& e) {
    throw Hindrance(e.what());
  }
}
}  // namespace mubody::cli
