#pragma once
// mubody compare --suite: several models under the same methods.                  docs/user/compare.md#several-models
#include <filesystem>
#include <optional>

#include "cli/compare/methods.h"
#include "cli/limits.h"
#include "mubody/surveys/suite.h"

namespace mubody::cli {
/// A model of a suite: a file, or a text that the program has with it.
struct SuiteModel {
  std::filesystem::path file;  // its name in messages, if there is a text
  std::optional<std::string> text;

  Study read(const io::Settings&) const;
};

struct SuiteChoice {
  MethodChoice methods;
  std::vector<SuiteModel> models;
  Limits limits;  // of each run
  std::optional<int> repeat;
  bool quiet = false;
};

/// Runs all models under all methods; a line on stderr tells of each.  Throws ModelError, UsageError.
Suite run_suite(const SuiteChoice&);

/// What is printed: one table of all runs, the ranking, and what a document finds beside it.
std::string suite_text(const Suite&);
}  // namespace mubody::cli
