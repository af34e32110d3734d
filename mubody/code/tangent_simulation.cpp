#include "mubody/code/tangent_simulation.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "mubody/code/tangent_steps.h"
#include "mubody/math/suggest.h"
#include "mubody/simulation/begin.h"
#include "mubody/simulation/model.h"
#include "mubody/study/state_sizes.h"
#include "mubody/treatments/projection.h"

namespace mubody {
namespace {
Study for_tangents(const Study& study, const SimulationOptions& o) {
  if (o.formulation || o.start || o.record)
    throw ModelError(
        "derivatives are computed in body coordinates, from the start of the model and without rows: leave "
        "out 'formulation', 'start' and 'record'");
  Study own = with_options(study, o);
  const Choice& formulation = own.analysis.formulation;
  if (formulation.index != 0)
    throw ModelError(
        fmt::format("derivatives are computed in body coordinates, and the analysis asks for formulation '{}': "
                    "leave it out, or "
                    "write 'body'",
                    formulation.word()));
  if (const Info treatment = own.analysis.treatment->info(); treatment.name != Projection::info.name)
    throw ModelError(
        fmt::format("derivatives are computed with projection, and the analysis asks for treatment '{}': leave "
                    "it out, or write "
                    "'projection'",
                    treatment.name));
  return own;
}

VariedStudy varied_by(const Study& study, const std::vector<std::string>& variables,
                      const std::vector<std::string>& inputs) {
  if (variables.empty()) throw ModelError("no variables: name what derivatives are taken by");
  std::vector<std::string> known = start_values(study), parameters, start;
  for (const std::string& name : variables) {
    if (study.with && study.parameters.contains(name))
      parameters.push_back(name);
    else if (std::ranges::find(known, name) != known.end())
      start.push_back(name);
    else {
      for (const auto& [parameter, unused] : study.parameters) known.push_back(parameter);
      throw ModelError(
          fmt::format("there is no parameter and no start value '{}'{}", name, suggestion(name, known)));
    }
  }
  return vary(study, parameters, start, inputs);
}

// Reactions of redundant equations have no derivatives that others would agree with.
std::vector<int> differentiable(const RecordedModel& m, const Begun& b) {
  std::set<std::string> open;
  for (const Channel& c : b.system->channels)
    if (c.reaction && b.results.freedom.always_redundant()) open.insert(c.name);
  std::vector<int> found;
  for (std::size_t k = 0; k < m.channels.size(); ++k)
    if (!open.contains(m.channels[k].name)) found.push_back(int(k));
  return found;
}
}  // namespace

struct TangentSimulation::State {
  Study study;
  Begun begun;
  VariedStudy varied;
  std::vector<std::string> variables;
  std::vector<int> columns;   // of the variables, as they were asked for, among those of the motion
  std::vector<int> channels;  // of the recorded model
  TangentMotion motion;
  TangentSteps steps;
  VecX values;
  double time;
  double piece = 0, pieces_from = 0;  // advance(): dt, and where a sequence of equal ones began ...
  long pieces = 0;                    // ... and how many there were: times are never accumulated
  bool observed = false, by_parameters;
  Outcome outcome;

  State(const Study& asked, const std::vector<std::string>& by, const TangentOptions& o)
      : study(for_tangents(asked, o.motion)), begun(begin(study, "forward")),
        varied(varied_by(study, by, o.inputs)), variables(by),
        channels(differentiable(varied.recorded.model, begun)),
        motion(varied, sizes_of(*begun.system, 0), begun.system->scales.length, nodes()),
        steps(varied.recorded.mechanism, study.analysis, motion),
        values(VecX::Zero(Eigen::Index(channels.size()) * (1 + motion.directions()))), time(steps.t()),
        by_parameters(std::ranges::any_of(varied.variables, [](const VariedBy& v) { return !v.of_start; })) {
    for (const std::string& name : by)
      columns.push_back(
          int(std::ranges::find(varied.variables, name, &VariedBy::name) - varied.variables.begin()));
  }
  std::vector<int> nodes() const {
    std::vector<int> all;
    for (const int k : channels) all.push_back(varied.recorded.model.channels[std::size_t(k)].node);
    return all;
  }
  void observe() {
    if (!observed) motion.observe(time, steps.y(), values);
    observed = true;
  }
  void check(Output o) const {
    if (o.index() < 0 || std::size_t(o.index()) >= channels.size())
      throw ModelError("this is no output of the model: take one from output()");
  }
  void check(Input i) const {
    if (i.index() < 0 || std::size_t(i.index()) >= varied.recorded.model.inputs.size())
      throw ModelError("this is no input of the model: take one from input()");
  }
};

TangentSimulation::TangentSimulation(const Study& study, const std::vector<std::string>& variables,
                                     const TangentOptions& o)
    : s_(std::make_unique<State>(study, variables, o)) {}
TangentSimulation::TangentSimulation(const Model& model, const std::vector<std::string>& variables,
                                     const TangentOptions& o)
    : TangentSimulation(model.study(), variables, o) {}
TangentSimulation::TangentSimulation(TangentSimulation&&) noexcept = default;
TangentSimulation& TangentSimulation::operator=(TangentSimulation&&) noexcept = default;
TangentSimulation::~TangentSimulation() = default;

double TangentSimulation::time() const { return s_->time; }
const Outcome& TangentSimulation::outcome() const { return s_->outcome; }
Outcome TangentSimulation::advance(double dt, const Progress& progress) {
  State& s = *s_;
  if (dt != s.piece || s.time != s.pieces_from + double(s.pieces) * dt)
    s.piece = dt, s.pieces_from = s.time, s.pieces = 0;
  return advance_to(s.pieces_from + double(++s.pieces) * dt, progress);
}

Outcome TangentSimulation::advance_to(double t, const Progress& progress) {
  State& s = *s_;
  if (!s.outcome) return s.outcome;
  if (!(t >= s.time) || !std::isfinite(t))
    throw ModelError(
        fmt::format("time goes forward only: it is {:.9g} s, and {:.9g} s was asked for", s.time, t));
  // Up to there it is known that no parameter moves a jump.
  if (s.by_parameters && t > s.study.analysis.end * (1 + 1e-12))
    throw ModelError(
        fmt::format("derivatives by parameters end with the analysis, at {:.9g} s: give it a later 'end'",
                    s.study.analysis.end));
  const double from = s.time;
  const Outcome o = s.steps.go_to(t, [&]() -> Outcome {
    if (!progress || progress((s.steps.t() - from) / (t - from))) return {};
    return {Outcome::interrupted, s.steps.t(), "stopped by the user"};
  });
  s.time = o ? t : s.steps.t();
  s.observed = false;
  if (!o && o.kind != Outcome::interrupted) s.outcome = o;
  return o;
}

const std::vector<std::string>& TangentSimulation::variables() const { return s_->variables; }
int TangentSimulation::variable(std::string_view name) const {
  const auto at = std::ranges::find(s_->variables, name);
  if (at == s_->variables.end())
    throw ModelError(
        fmt::format("derivatives are not taken by '{}'{}", name, suggestion(std::string(name), s_->variables)));
  return int(at - s_->variables.begin());
}

Output TangentSimulation::output(std::string_view name) const {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < s_->channels.size(); ++k) {
    all.push_back(s_->varied.recorded.model.channels[std::size_t(s_->channels[k])].name);
    if (all.back() == name) return Output(int(k));
  }
  throw ModelError(
      fmt::format("there is no output '{}' with derivatives{}", name, suggestion(std::string(name), all)));
}
std::vector<Column> TangentSimulation::outputs() const {
  std::vector<Column> all;
  for (const int k : s_->channels) {
    const RecordedModel::Channel& c = s_->varied.recorded.model.channels[std::size_t(k)];
    all.push_back({c.name, c.unit});
  }
  return all;
}
double TangentSimulation::value(Output o) {
  s_->check(o);
  s_->observe();
  return s_->values[o.index()];
}
double TangentSimulation::slope(Output o, int variable) {
  s_->check(o);
  if (variable < 0 || std::size_t(variable) >= s_->variables.size())
    throw ModelError("this is no variable: take one from variable()");
  s_->observe();
  return s_->values[Eigen::Index(s_->channels.size()) + o.index() * s_->motion.directions() +
                    s_->columns[std::size_t(variable)]];
}

std::vector<std::string> TangentSimulation::inputs() const {
  std::vector<std::string> all;
  for (const RecordedModel::Channel& c : s_->varied.recorded.model.inputs) all.push_back(c.name);
  return all;
}
Input TangentSimulation::input(std::string_view name) const {
  const std::vector<std::string> all = inputs();
  const auto at = std::ranges::find(all, name);
  if (at == all.end())
    throw ModelError(fmt::format("there is no input '{}'{}; others are named when derivatives begin", name,
                                 suggestion(std::string(name), all)));
  return Input(int(at - all.begin()));
}
void TangentSimulation::set(Input i, const Jet& value) {
  s_->check(i);
  s_->motion.set_input(i.index(), value, s_->time);
  s_->steps.refresh();
  s_->observed = false;
}
double TangentSimulation::value(Input i) const {
  s_->check(i);
  return s_->motion.input(i.index(), s_->time);
}
}  // namespace mubody
