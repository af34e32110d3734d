#pragma once
// A folder of results, as `mubody run` wrote it, to be shown again.
#include <string>

#include "mubody/results/results.h"
#include "mubody/text/json.h"

namespace mubody::io {
struct StoredResults {
  Results results;  // tables, events, reactions and contacts; what else there is to say stands in the summary
  Json summary;     // what summary.json says
  std::vector<std::string> changes;  // of the model file before the run, as "key=value"
};

/// Whether a folder has a summary of mubody in it.
bool has_results(const std::string& folder);

/// What was changed of the model file before the run, as "key=value"; nothing if the folder does not say.
std::vector<std::string> changes_in(const std::string& folder);

/// Throws ModelError if a file is missing or damaged.
StoredResults read_results(const std::string& folder);
}  // namespace mubody::io
