#include "mubody/fmi/fmu_dependencies.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "mubody/code/recorded_study.h"
#include "mubody/recording/routine.h"

namespace mubody::io {
namespace {
constexpr std::size_t most_bodies = 60;  // beyond these the graph of an elimination takes seconds

/// The inputs of a graph of which each node is made.
class Ancestry {
 public:
  Ancestry(const Computation& graph, std::map<int, int> references)
      : graph_(graph), references_(std::move(references)), of_(graph.nodes().size()) {
    for (std::size_t n = 0; n < of_.size(); ++n) {
      const mubody::Node& node = graph_[int(n)];
      if (const auto known = references_.find(int(n)); known != references_.end()) of_[n] = {known->second};
      for (const int argument : arguments_of(node)) of_[n] = united(of_[n], of_[std::size_t(argument)]);
    }
  }
  const std::vector<int>& of(int node) const { return of_[std::size_t(node)]; }

 private:
  static std::vector<int> united(const std::vector<int>& a, const std::vector<int>& b) {
    if (b.empty() || a == b) return a;
    std::vector<int> both;
    std::ranges::set_union(a, b, std::back_inserter(both));
    return both;
  }
  const Computation& graph_;
  std::map<int, int> references_;
  std::vector<std::vector<int>> of_;
};

/// References of the time and of the inputs by the nodes that stand for them.
std::map<int, int> known_inputs(const FmuContents& c, const RecordedModel& m) {
  std::map<int, int> references{{m.graph->input(0), 0}};
  for (std::size_t v = 0; v < c.variables.size(); ++v) {
    const FmuVariable::Kind kind = c.variables[v].kind;
    if (kind == FmuVariable::parameter || kind == FmuVariable::output) continue;
    const auto at = std::ranges::find(m.inputs, c.variables[v].of, &RecordedModel::Channel::name);
    if (at == m.inputs.end()) continue;
    const int number = 3 * int(at - m.inputs.begin()) + (kind - FmuVariable::input);
    references[m.graph->input(m.first_input() + number)] = int(v) + 1;
  }
  return references;
}
/// The channel that an output is: the model may give it another name.
const std::string& channel_of(const Study& study, const std::string& output) {
  const std::vector<NamedChannel>& named = study.mechanism.outputs;
  const auto at = std::ranges::find(named, output, &NamedChannel::name);
  return at == named.end() ? output : at->channel;
}
/// A number that is zero now need not be once parameters are set: each is a parameter of the recording then.
RecordedStudy record_structure(const FmuContents& c, const Study& study) {
  RecordOptions options{asked_inputs(c, study)};
  RecordedStudy as_it_is = record(study, options);
  if (std::ranges::count(c.variables, FmuVariable::parameter, &FmuScalar::kind) == 0) return as_it_is;
  options.parameter_of.resize(as_it_is.model.graph->numbers().size());
  std::iota(options.parameter_of.begin(), options.parameter_of.end(), 0);
  return record(study, options);
}
}  // namespace

std::vector<std::string> asked_inputs(const FmuContents& c, const Study& study) {
  std::vector<std::string> names;
  for (const FmuScalar& v : c.variables) {
    const bool declared = std::ranges::any_of(
        study.mechanism.signals, [&](const Noted& n) { return n.kind == Noted::input && n.name == v.of; });
    if (v.kind == FmuVariable::input && !declared) names.push_back(v.of);
  }
  return names;
}

void find_dependencies(FmuContents& c, const Study& study) {
  if (study.mechanism.bodies.size() > most_bodies || study.analysis.formulation.index != 0) return;
  RecordedStudy recorded;
  try {
    recorded = record_structure(c, study);
  } catch (const ModelError&) {
    return;
  }
  const RecordedModel& m = recorded.model;
  std::map<int, int> references = known_inputs(c, m);
  const int states = m.nq + m.nu + m.nz;
  if (c.exchange && c.states != states) return;
  for (int k = 0; c.exchange && k < states; ++k)
    references[m.graph->input(RecordedModel::first_q() + k)] = int(c.variables.size()) + 1 + k;
  const Ancestry ancestry(*m.graph, std::move(references));
  for (FmuScalar& v : c.variables) {
    const auto at = std::ranges::find(m.channels, channel_of(study, v.of), &RecordedModel::Channel::name);
    // Where joints hold what others hold already, the library distributes their forces in a way of its own.
    if (v.kind != FmuVariable::output || at == m.channels.end() || recorded.left_out > 0) continue;
    v.depends_on = ancestry.of(at->node);
  }
  if (!c.exchange) return;
  for (const auto* rates : {&m.dq, &m.du, &m.dz})
    for (const int node : *rates) c.rates_depend_on.push_back(ancestry.of(node));
}
}  // namespace mubody::io
