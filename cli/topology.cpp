// mubody topology: the mechanism as a graph.  Nothing is assembled or written.
#include <iostream>

#include "cli/commands.h"
#include "mubody/reading/read_model.h"
#include "mubody/writing/write_topology.h"

namespace mubody::cli {
int topology(const TopologyOptions& options) {
  const std::filesystem::path file = model_file(options.model);
  const Study study = io::read_study(file.string(), options.settings);
  const Mechanism& mechanism = study.mechanism;
  try {
    const Graph graph = graph_of(mechanism, options.chords.empty() ? study.analysis.chords : options.chords);
    std::cout << (options.format == "json"  ? io::topology_json(mechanism, graph)
                  : options.format == "svg" ? io::topology_svg(mechanism, graph)
                                            : io::topology_text(mechanism, graph))
              << std::flush;
    return done;
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}
}  // namespace mubody::cli
