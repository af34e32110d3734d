#pragma once
// What the verbs do with models and results: where a model is, and what the shell gets for results.
#include <filesystem>
#include <string>

#include "cli/exit.h"
#include "mubody/results/results.h"

namespace mubody::cli {
/// What the shell gets for results.
int exit_code(const Results&);

/// The model file that is meant: MODEL, or MODEL/model.toml or MODEL/model.mub if it is a folder.  Throws ModelError.
std::filesystem::path model_file(const std::string& model);

/// What an analysis has to say about a model that could be read, with the name of the file before it.
std::string located(const std::filesystem::path& file, const std::string& message);
/// The same with the place in the file, if it is known.
std::string located(const std::filesystem::path& file, const Place& place, const std::string& message);
}  // namespace mubody::cli
