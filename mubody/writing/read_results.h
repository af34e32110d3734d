#pragma once
// Reads a folder of results that `mubody run` wrote, to show them again.
#include <string>

#include "mubody/results/results.h"
#include "mubody/text/json.h"

namespace mubody::io {
struct StoredResults {
  Results results;                   // tables, events, reactions and contacts; the rest is in the summary
  Json summary;                      // content of summary.json
  std::vector<std::string> changes;  // changes made to the model file before the run, as "key=value"
};

/// Whether a folder contains a summary of mubody.
bool has_results(const std::string& folder);

/// The changes made to the model file before the run, as "key=value"; none if the folder does not list them.
std::vector<std::string> changes_in(const std::string& folder, bool untrusted = false);

/// Throws ModelError if a file is missing or damaged; see read_tables() for a folder that comes from a stranger.
StoredResults read_results(const std::string& folder, bool untrusted = false);
}  // namespace mubody::io
