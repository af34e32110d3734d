// mubody topology: the mechanism as a graph.  Nothing is assembled or written.
#include <iostream>

#include "cli/commands.h"
#include "cli/limits.h"
#include "cli/terminal.h"
#include "cli/verb.h"
#include "mubody/reading/read_model.h"
#include "mubody/writing/write_topology.h"

namespace mubody::cli {
struct TopologyOptions {
  std::string model, format = "text";
  std::vector<std::string> chords;  // joints to be chords; chosen by the program if empty
  io::Settings settings;            // key=value
  Limits limits;

  void declare(Options& o) {
    o.model(model);
    o.chords(chords,
             "joints that shall be chords, in place of 'chords' in [analysis]; the others are chosen as above");
    o.settings(settings);
    o.limits(limits);
    o.format(format, {"text", "json", "svg"},
             "for people, for programs, or a picture; with json an invalid model is {\"error\": \"...\"}");
  }
};

namespace {
int topology(const TopologyOptions& options) {
  const std::filesystem::path file = model_file(options.model);
  Study study = io::read_study(file.string(), options.settings);
  options.limits.hold_time(study);
  const Mechanism& mechanism = study.mechanism;
  try {
    const Graph graph = graph_of(mechanism, options.chords.empty() ? study.analysis.chords : options.chords);
    const std::string answer = options.format == "json"  ? io::topology_json(mechanism, graph)
                               : options.format == "svg" ? io::topology_svg(mechanism, graph)
                                                         : io::topology_text(mechanism, graph);
    lift_limit_of_time();
    std::cout << answer;
    flush_stdout();
    return done;
  } catch (const ModelError& e) {
    throw ModelError(located(file, e.what()));
  }
}
}  // namespace

Verb topology_verb() {
  return Verb::of(
      topology,
      {.name = "topology",
       .shelf = Shelf::study,
       .sentence = "show the graph of a mechanism: tree, chords and loops",
       .description =
           {R"(Bodies are nodes, joints are links, the ground is the root. A spanning tree has one arc for
            each body; joints that are left over are chords, and each closes one loop. The answer names arcs
            and chords, the joints of each loop with the sign with which it runs through them, the matrices
            of incidence, paths and loops, and which loops share joints. Drivers and joints that set
            conditions on velocities alone are no links. Nothing is assembled and nothing is written.)",
            R"(The tree is chosen so that loops are small; among trees that are equal in that, one whose
            chords set few equations, and whose paths are short. A body that no joint connects to the ground
            has a free arc.)"},
       .exits = {{done, "done"},
                 {failed, "an internal error"},
                 {wrong_input,
                  "wrong usage, the model is invalid, or the tree falls apart without the chords that were "
                  "asked for"},
                 {solver_failed, "the limit of CPU time was reached"}},
       .examples = {"mubody topology four_bar.toml", "mubody topology four_bar.toml --chords D",
                    "mubody topology four_bar.toml --format svg > four_bar.svg",
                    "mubody topology four_bar.toml --format json | jq '.loops[].members'"}});
}
}  // namespace mubody::cli
