#include "mubody/code/emit_model.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "mubody/formulations/tree.h"
#include "mubody/math/c_number.h"
#include "mubody/mechanism/breakpoints.h"
#include "mubody/mechanism/topology.h"
#include "mubody/model/escape.h"
#include "mubody/model/version.h"
#include "mubody/recording/c_statements.h"
#include "mubody/recording/c_text.h"
#include "mubody/recording/derivative.h"
#include "mubody/recording/embedded_c.h"
#include "mubody/recording/tape.h"
#include "mubody/watches/switches.h"

namespace mubody {
namespace c_text {
extern const std::string_view model_interface_h, model_interface_c, model_kernel_cu, model_changes_h,
    model_changes_c;
}

namespace {
class ModelWriter {
 public:
  ModelWriter(const Study& study, RecordedStudy recorded, const EmitModelOptions& options)
      : study_(study), s_(std::move(recorded)), m_(s_.model), o_(options) {
    std::vector<int> rates = m_.dq, observed, kept, at_instants;
    take_outputs();
    rates.insert(rates.end(), m_.du.begin(), m_.du.end());
    rates.insert(rates.end(), m_.dz.begin(), m_.dz.end());
    for (const auto& c : outputs_) observed.push_back(c.node);
    for (const auto& k : m_.kept) kept.push_back(k.next);
    for (const auto& k : m_.at_instants) at_instants.push_back(k.next);
    routines_ = {{"mb_rates", rates},        {"mb_close", m_.phi.empty() ? m_.tidy_q : m_.closed_q},
                 {"mb_settle", m_.closed_u}, {"mb_keep", kept},
                 {"mb_sample", at_instants}, {"mb_observe", observed},
                 {"mb_pose", body_nodes()}};
    if (o_.changes) routines_.push_back({"mb_change", changes_of(observed)});
    choose_steps();
  }

  /// How nodes change when the numbers of the inputs do, whose changes follow the other numbers.
  std::vector<int> changes_of(const std::vector<int>& nodes) {
    std::vector<std::pair<int, int>> seeds;
    for (int k = 0; k < 3 * int(m_.inputs.size()); ++k)
      seeds.push_back({m_.graph->input(m_.first_input() + k), m_.graph->input(m_.arguments() + k)});
    return directional(*m_.graph, nodes, seeds);
  }

  // Channels by their own names, or by those that the model gives them.
  void take_outputs() {
    std::vector<NamedChannel> wanted;
    const std::vector<NamedChannel>& named = s_.mechanism.outputs;
    for (const std::string& name : o_.outputs) {
      const auto at = std::ranges::find(named, name, &NamedChannel::name);
      wanted.push_back(at == named.end() ? NamedChannel{name, {}, name} : *at);
    }
    if (o_.outputs.empty()) {
      wanted = named;
      for (const Noted& n : s_.mechanism.signals)
        if (n.is_output) wanted.push_back({n.name, {}, n.name});
    }
    for (const NamedChannel& w : wanted) {
      const auto at = std::ranges::find(m_.channels, w.channel, &RecordedModel::Channel::name);
      if (at == m_.channels.end())
        throw ModelError(w.place, fmt::format("there is no channel '{}' for the outputs of the C", w.channel));
      outputs_.push_back({w.name, at->unit, at->node});
    }
    if (wanted.empty()) outputs_ = m_.channels;
  }
  /// The coordinates of all bodies, then their velocities, as channels.
  std::vector<std::string> body_channels() const {
    std::vector<std::string> all;
    const BodyLayout layout(m_.dim);
    for (const auto& names : {layout.coordinate_names, layout.velocity_names})
      for (const RigidBody& b : s_.mechanism.bodies)
        for (const auto& name : names) all.push_back(fmt::format("{}.{}", b.name, name));
    return all;
  }
  std::vector<int> body_nodes() const {
    std::map<std::string_view, int> at;
    for (const auto& c : m_.channels) at[c.name] = c.node;
    std::vector<int> nodes;
    for (const std::string& name : body_channels()) nodes.push_back(at.at(name));
    return nodes;
  }

  // Steps of one size pass over an instant at which a force jumps, where those of the library end: the self-test ends
  // before.  Steps that are too long for the model become shorter.
  void choose_steps() {
    step_ = o_.step;
    if (o_.steps == 0) reference_.assign(body_nodes().size(), 0);
    constexpr int most = 5;
    for (int tries = 0; tries < most && reference_.empty(); ++tries, step_ /= 10) {
      steps_ = o_.steps;
      const double end = s_.start + (steps_ + 1) * step_;
      for (const Breakpoint& b : breakpoints_of(s_.mechanism, s_.start, end, {step_}))
        if (b.t > s_.start) steps_ = std::min(steps_, int((b.t - s_.start) / step_) - 1);
      steps_ = std::max(steps_, 1);
      reference_ = reference();
      if (!reference_.empty()) break;
    }
  }

  /// Whether the library runs it.
  bool runs() const { return !reference_.empty(); }
  int cycles() const { return whole_step().cycles(); }

  EmittedModel write() {
    if (!runs()) throw ModelError("the run that the self-test compares with fails, also with shorter steps");
    EmittedModel out;
    out.rates = operations(*m_.graph, routines_[0]);
    out.step = whole_step();
    out.notes = notes();
    for (const auto& c : m_.inputs) out.inputs.push_back(c.name);
    for (const auto& c : outputs_) out.outputs.push_back(c.name);
    out.jointed = jointed();
    out.start = s_.arguments();
    out.header = header(out), out.source = source();
    return out;
  }

 private:
  bool jointed() const { return !s_.names.coordinates.empty(); }
  int corrections() const { return !m_.phi.empty() ? o_.corrections : m_.dim == 3 ? 1 : 0; }
  OperationCounts whole_step() const {
    OperationCounts all;
    const auto add = [&](int times, const Routine& r) {
      const OperationCounts one = operations(*m_.graph, r);
      all.additions += times * one.additions, all.multiplications += times * one.multiplications;
      all.divisions += times * one.divisions, all.roots += times * one.roots;
      all.transcendental += times * one.transcendental, all.others += times * one.others;
    };
    add(4, routines_[0]), add(corrections(), routines_[1]), add(corrections() > 0, routines_[2]);
    add(1, routines_[3]);
    return all;
  }

  // Steps do not end where forces change suddenly, as those of the library do.
  std::vector<std::string> notes() const {
    std::vector<std::string> all;
    std::vector<Breakpoint> jumps = breakpoints_of(s_.mechanism, s_.start, study_.analysis.end, {step_});
    std::erase_if(jumps, [](const Breakpoint& b) { return !b.jumps; });
    if (!jumps.empty())
      all.push_back(fmt::format(
          "a function of time jumps at t = {:.6g} s{}: steps of the C do not end there, and one that meets "
          "such an "
          "instant is accurate to its length alone; take short ones there",
          jumps[0].t, jumps.size() > 1 ? fmt::format(" and at {} more instants", jumps.size() - 1) : ""));
    if (s_.left_out > 0)
      all.push_back(
          "some joints hold what others hold already: their reactions are one of many distributions, and not "
          "the one of "
          "the library");
    Mechanism copy = s_.mechanism;
    if (SwitchWatch(copy).any())
      all.push_back(
          "formulas change over with the state at instants that the C does not locate: take short steps");
    return all;
  }

  std::string header(const EmittedModel& out) const {
    std::string head = fmt::format(
        R"(/* {}: the equations of motion of a mechanism in {} coordinates.  Made by mubody {}.

   C99; needs the mathematical library and nothing else, and takes no memory but the stack.
   A right-hand side takes {}{};
   a step takes {}{}. */
)",
        for_c_comment(s_.mechanism.name), jointed() ? "joint" : "body", version(), in_words(out.rates),
        in_tables(1), in_words(out.step), in_tables(4));
    for (const std::string& note : out.notes) head += fmt::format("/* Note: {}. */\n", note);
    head += fmt::format("#ifndef {0}_H\n#define {0}_H\n\n", o_.name);
    head += fmt::format("typedef {} {}_real;\n\n", o_.single ? "float" : "double", o_.name);
    if (o_.cuda) head += fmt::format("#define {}_FN __device__\n", o_.name);
    const int states = m_.nq + m_.nu + m_.nz;
    head += fmt::format(
        "enum {{\n  {0}_Q = {1}, {0}_U = {2}, {0}_Z = {3}, {0}_INPUTS = {4}, {0}_KEPT = {5},\n"
        "  {0}_NUMBERS = {6}, {0}_STATES = {7}, {0}_OUTPUTS = {8}, {0}_CORRECTIONS = {9},\n"
        "  {0}_SAMPLED = {11}, {0}_INSTANT_NUMBERS = {12}, {0}_BODY_NUMBERS = {13}, {0}_CHECK_STEPS = {10},\n"
        "  {0}_INPUT_COUNT = {14}, {0}_FOLLOWED = {15}\n}};\n",
        o_.name, m_.first_q(), m_.first_u(), m_.first_z(), m_.first_input(), m_.first_kept(), m_.arguments(),
        states, outputs_.size(), corrections(), steps_, m_.sampled.size(), m_.at_instants.size(),
        reference_.size(), m_.inputs.size(), m_.first_followed());
    head += "/* Bodies, in this order:";
    for (const RigidBody& b : s_.mechanism.bodies) head += "\n     " + for_c_comment(b.name);
    head += m_.dim == 2
                ? "\n   Coordinates x, y, angle; velocities are their rates. */\n"
                : "\n   Coordinates x, y, z and Euler parameters; velocities vx, vy, vz and angular ones in "
                  "body axes. */\n";
    if (jointed()) head += state_names();
    head += embedded_c(c_text::model_interface_h, o_.name);
    if (o_.changes) head += embedded_c(c_text::model_changes_h, o_.name);
    return head + "#endif\n";
  }

  /// What a look into tables adds to the operations.
  std::string in_tables(int times) const {
    if (!o_.followers || o_.followers->operations == 0) return {};
    return fmt::format(", and {} multiply-adds in tables", times * o_.followers->operations);
  }
  std::string state_names() const {
    std::string out = "/* The state has coordinates of joints, from x[" + o_.name + "_Q] on:";
    for (const std::string& name : s_.names.coordinates) out += "\n     " + for_c_comment(name);
    out += "\n   and velocities, from x[" + o_.name + "_U] on:";
    for (const std::string& name : s_.names.velocities) out += "\n     " + for_c_comment(name);
    return out + " */\n";
  }

  std::string source() const {
    CFrame frame;
    frame.arguments = "const mb_real* x, mb_real* y";
    frame.passed = "x, y";
    std::string code = tables_in_c(*m_.graph, routines_, frame);
    for (const Routine& r : routines_) code += routine_in_c(*m_.graph, r, frame) + "\n";
    std::string all = fmt::format(
        "/* {0}: see the header.  With -D{1}_SELF_TEST_MAIN a program that tests itself. */\n"
        "#include \"{1}.h\"\n\n",
        for_c_comment(s_.mechanism.name), o_.name);
    if (o_.single) all += "#define MB_SINGLE 1\n";
    if (o_.cuda) all += "#define MB_FN static __device__\n#define MB_TABLE static __device__ const\n";
    const std::string follow =
        o_.followers ? o_.followers->code(m_)
                     : "MB_FN int mb_follow(mb_real* x) { return (void)x, 0; }\n"
                       "static const char* mb_variable_name(int k) { return (void)k, (const char*)0; }\n";
    all += runtime_for(code + follow) + "\n" + follow + code + numbers() + names();
    all += embedded_c(c_text::model_interface_c, o_.name);
    if (o_.changes) all += embedded_c(c_text::model_changes_c, o_.name);
    return o_.cuda && o_.kernels ? all + embedded_c(c_text::model_kernel_cu, o_.name) : all;
  }

  std::string list(const std::string& name, const std::vector<double>& all) const {
    std::string out = fmt::format("MB_TABLE mb_real {}[{}] = {{", name, std::max<std::size_t>(1, all.size()));
    for (std::size_t k = 0; k < all.size(); ++k) out += (k % 4 == 0 ? "\n  " : " ") + c_constant(all[k]) + ",";
    return out + (all.empty() ? "R(0.0)" : "") + "\n};\n";
  }

  // The start, and where a run of the library ends.
  std::string numbers() const {
    std::string out = list("mb_first", s_.arguments()) + list("mb_check", reference_);
    out += fmt::format("#define mb_check_step {}\n#define mb_check_limit {}\n", number_in_c(step_),
                       number_in_c(o_.single ? 1e-3 : 1e-10));
    std::vector<double> periods;
    std::vector<int> due, since, instant;
    for (const auto& s : m_.sampled)
      periods.push_back(s.period), due.push_back(s.due), since.push_back(s.since);
    for (const auto& k : m_.at_instants) instant.push_back(k.input);
    return out + list("mb_period", periods) + places("mb_due", due) + places("mb_since", since) +
           places("mb_instant", instant);
  }
  static std::string places(const std::string& name, const std::vector<int>& all) {
    return fmt::format("MB_TABLE int {}[{}] = {{{}}};\n", name, std::max<std::size_t>(1, all.size()),
                       all.empty() ? "0" : fmt::format("{}", fmt::join(all, ", ")));
  }
  std::vector<double> reference() const {
    Study study = study_;
    study.analysis.formulation.index = jointed() ? 2 : 0;
    study.analysis.integrator = "rk4";
    study.analysis.control = {.step = step_};
    study.analysis.treatment = AnalysisOptions().treatment;
    study.analysis.end = std::max(study.analysis.end, s_.start + steps_ * step_);
    Simulation run = o_.followers ? o_.followers->reference(study) : Simulation(study);
    for (std::size_t k = 0; k < m_.inputs.size(); ++k) run[run.input(m_.inputs[k].name)] = s_.inputs[k];
    const Outcome outcome = run.advance_to(s_.start + steps_ * step_);
    if (!outcome) return {};
    std::vector<double> x;
    for (const std::string& name : body_channels()) x.push_back(run[run.output(name)]);
    return x;
  }

  std::string names() const {
    std::string out;
    const auto function = [&](const char* what, const auto& all, const auto& text) {
      out += fmt::format("const char* {}_{}(int k) {{\n  static const char* const all[] = {{", o_.name, what);
      for (const auto& c : all) out += "\n    \"" + for_c_string(text(c)) + "\",";
      out += fmt::format("\n    0}};\n  return k >= 0 && k < {} ? all[k] : 0;\n}}\n", all.size());
    };
    const auto name = [](const RecordedModel::Channel& c) { return c.name; };
    const auto unit = [](const RecordedModel::Channel& c) { return c.unit; };
    function("output_name", outputs_, name), function("output_unit", outputs_, unit);
    function("input_name", m_.inputs, name), function("input_unit", m_.inputs, unit);
    return out;
  }

  const Study& study_;
  RecordedStudy s_;
  const RecordedModel& m_;
  const EmitModelOptions& o_;
  std::vector<RecordedModel::Channel> outputs_;
  std::vector<Routine> routines_;
  int steps_ = 0;    // of the self-test
  double step_ = 0;  // [s]
  std::vector<double> reference_;
};
}  // namespace

std::string EmittedModel::in_one() const {
  const std::size_t at = source.find("#include \"");
  return header + source.substr(source.find('\n', at) + 1);
}

namespace {
/// The most velocities between a body and the ground, in joint coordinates; mass matrices are dense along that way.
int depth(const Mechanism& m) {
  const Graph graph = joint_graph(m, graph_of(m));
  std::vector<int> of(m.bodies.size() + 1, 0);
  for (const Graph::Arc& arc : graph.arcs())
    of[std::size_t(arc.child)] = of[std::size_t(arc.parent)] +
                                 (arc.link < 0 ? 6 : int(m.joints[std::size_t(arc.link)].what->allow().size()));
  return *std::ranges::max_element(of);
}

/// The values of nodes at the start.
std::vector<double> at_start(const RecordedStudy& s, const std::vector<int>& nodes) {
  const Tape tape(*s.model.graph, {"start", nodes});
  TapeWork work(tape);
  work.set_parameters(tape, s.model.graph->parameters().data());
  std::vector<double> y(nodes.size());
  tape(s.arguments().data(), y.data(), work);
  return y;
}
void refuse_singular_start(const RecordedStudy& s) {
  if (!std::ranges::all_of(at_start(s, s.model.du), [](double x) { return std::isfinite(x); }))
    throw ModelError(
        "accelerations are not finite at the start, which is a singular position: generated equations cannot "
        "leave it; "
        "start elsewhere");
}

/// Whether the tree gives the bodies the accelerations that their own equations do, to the errors of tables, at the start and at
/// places beside it.  It does not where parts without mass or inertia leave it without inertia, or where it starts in a
/// singular position.
bool agrees_with_bodies(const RecordedStudy& s, double error) {
  std::vector<int> both = s.model.a_of_tree;
  both.insert(both.end(), s.model.a_of_bodies.begin(), s.model.a_of_bodies.end());
  const std::size_t n = both.size() / 2;
  both.insert(both.end(), s.model.tree_multiples.begin(), s.model.tree_multiples.end());
  const Tape tape(*s.model.graph, {"accelerations", both});
  TapeWork work(tape);
  work.set_parameters(tape, s.model.graph->parameters().data());
  std::vector<double> x = s.arguments(), y(both.size());
  constexpr double too_much = 1e10;  // of a pivot
  for (int beside = 0; beside < 3; ++beside) {
    tape(x.data(), y.data(), work);
    double size = 1;
    for (std::size_t k = 0; k < n; ++k) size = std::max(size, std::abs(y[n + k]));
    // Beside the start equations that are left out do not follow from the others.
    for (std::size_t k = 0; k < n && (beside == 0 || s.left_out == 0); ++k)
      if (!(std::abs(y[k] - y[n + k]) <= error * size)) return false;
    for (std::size_t k = 2 * n; k < y.size(); ++k)
      if (!(std::abs(y[k]) <= too_much)) return false;
    for (int k = 0; k < s.model.nq; ++k) x[std::size_t(s.model.first_q() + k)] += 0.02 * std::sin(1 + 7 * k);
  }
  return true;
}
}  // namespace

EmittedModel emit_model(const Study& study, const EmitModelOptions& options) {
  constexpr int deep = 12;
  constexpr double round_off = 1e-8, of_tables = 1e-3;
  const bool asked = options.followers || options.coordinates == EmittedCoordinates::joint;
  RecordOptions o{options.inputs};
  if (!asked) {
    RecordedStudy of_bodies = record(study, o);
    refuse_singular_start(of_bodies);
    ModelWriter bodies(study, std::move(of_bodies), options);
    if (options.coordinates == EmittedCoordinates::body || depth(study.mechanism) > deep) return bodies.write();
    o.parts.emplace();
    RecordedStudy recorded = record(study, o);
    if (!agrees_with_bodies(recorded, round_off)) return bodies.write();
    ModelWriter tree(study, std::move(recorded), options);
    return tree.runs() && tree.cycles() < bodies.cycles() ? tree.write() : bodies.write();
  }
  o.parts = options.followers ? options.followers->parts : std::vector<FollowingPart>();
  RecordedStudy recorded = record(study, o);
  if (!agrees_with_bodies(recorded, options.followers ? of_tables : round_off))
    throw ModelError(
        "in joint coordinates the bodies do not accelerate as their own equations say: a part has no mass or "
        "no "
        "inertia in the direction of its joint, or the start is a singular position; give it some, or write "
        "body "
        "coordinates");
  ModelWriter tree(study, std::move(recorded), options);
  return tree.write();
}
}  // namespace mubody
