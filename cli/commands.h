#pragma once
// Helpers shared by verbs: where a model lies, and which exit code results give.
#include <filesystem>
#include <string>

#include "cli/exit.h"
#include "mubody/results/results.h"

namespace mubody::cli {
/// The exit code for results.
int exit_code(const Results&);

/// The model file that the user means: MODEL, or MODEL/model.toml or MODEL/model.mub if that is a folder.
/// Throws ModelError.
std::filesystem::path model_file(const std::string& model);

/// What to add to the message of a run that has nothing to write: that what is at the place for it is of an earlier one.
/// Empty unless such files are there that are ours.
std::string earlier_remains(const std::filesystem::path& place, bool ours);

/// The message of an analysis, after the name of the model file.
std::string located(const std::filesystem::path& file, const std::string& message);
/// The same, with the place in the file if it is known.
std::string located(const std::filesystem::path& file, const Place& place, const std::string& message);
}  // namespace mubody::cli
