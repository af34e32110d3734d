#include "mubody/lanes/model.h"

#include <algorithm>
#include <map>

#include "mubody/mechanism/topology.h"
#include "mubody/recording/derivative.h"

namespace mubody {
namespace {
/// Whether the equations are independent enough at the start.
bool is_independent(const RecordedModel& m, const RecordingStart& start) {
  const Tape tape(*m.graph, {"independence", {start.parts ? m.tree_independence : m.independence}});
  TapeWork work(tape);
  work.set_parameters(tape, m.graph->parameters().data());
  std::vector<double> x(std::size_t(m.arguments()), 0.0);
  x[0] = start.t;
  std::copy(m.start_q.begin(), m.start_q.end(), x.begin() + RecordedModel::first_q());
  std::copy(m.start_u.begin(), m.start_u.end(), x.begin() + m.first_u());
  std::ranges::copy(m.followed, x.begin() + m.first_followed());
  for (const RecordedModel::Kept& k : m.kept) x[std::size_t(k.input)] = k.start;
  double y;
  tape(x.data(), &y, work);
  return y >= 0;
}
/// Whether joints form a tree, whose equations never depend on each other.
bool is_tree(const Mechanism& m) {
  for (std::size_t k = 0; k < m.joints.size(); ++k)
    if (!is_link(m, k)) return false;
  return graph_of(m).chords().empty();
}
// Where light bodies hang on heavy ones, pivots are small everywhere: what is usual then is what the start has.  In a tree small
// pivots tell of nothing but of masses, and cost digits.
RecordedModel recorded_with(const Mechanism& m, RecordingStart start, const std::vector<int>& parameter_of) {
  start.parameter_of = parameter_of;
  // Which of redundant equations are left out is decided at the start, so that elsewhere less may be left of the others.
  const bool redundant = std::ranges::find(start.left_out, true) != start.left_out.end();
  const std::vector<double> shares = redundant    ? std::vector{1e-4}
                                     : is_tree(m) ? std::vector{1e-6}
                                                  : std::vector{1e-2, 1e-3, 1e-4};
  for (const double share : shares) {
    start.independence = share;
    RecordedModel recorded = record(m, start);
    if (is_independent(recorded, start)) return recorded;
  }
  throw ModelError("equations are hardly independent at the start");
}
/// Which numbers differ among mechanisms; those that change together have the same parameter.
std::vector<int> parameters_of(const std::vector<CollectedNumbers>& samples, int& count) {
  const std::size_t n = samples.front().numbers.size();
  std::vector<int> parameter_of(n, -1);
  std::map<std::vector<double>, int> known;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> values;
    for (const CollectedNumbers& s : samples) values.push_back(s.numbers[k]);
    if (std::ranges::all_of(values, [&](double x) { return x == values[0]; })) continue;
    parameter_of[k] = known.try_emplace(std::move(values), int(known.size())).first->second;
  }
  count = int(known.size());
  return parameter_of;
}
std::vector<int> next_of(const std::vector<RecordedModel::Kept>& kept) {
  std::vector<int> all;
  for (const RecordedModel::Kept& k : kept) all.push_back(k.next);
  return all;
}
}  // namespace

LaneModel::LaneModel(const System& system, const Mechanism& mechanism, const RecordingStart& start,
                     const std::vector<CollectedNumbers>& samples)
    : jointed_(start.parts.has_value()), structure_(samples.front().structure),
      numbers_(samples.front().numbers), parameter_of_(parameters_of(samples, parameters_)),
      recorded_(recorded_with(mechanism, start, parameter_of_)), works_(int(powers().size())),
      left_out_(start.parts ? std::vector<bool>() : start.left_out),
      rates_(tape("rates", with_independence(rate_nodes()))), gaps_(tape("gaps", gap_nodes())),
      tidy_(tape("tidy", recorded_.tidy_q)), close_(tape("close", recorded_.closed_q)),
      settle_(tape("settle", with_independence(recorded_.closed_u))),
      keep_(tape("keep", next_of(recorded_.kept))), sample_(tape("sample", next_of(recorded_.at_instants))) {
  if (recorded_.graph->numbers() != numbers_) throw ModelError("its numbers enter in no fixed order");
  measure(system);
}

std::vector<int> LaneModel::powers() const {
  const std::vector<int> all{recorded_.driver_power, node_of("power.supplied"), recorded_.damper_power,
                             node_of("power.lost")};
  const bool none = std::ranges::all_of(all, [&](int node) { return recorded_.graph->is(node, 0); });
  return none ? std::vector<int>() : all;
}
std::vector<int> LaneModel::rate_nodes() const {
  std::vector<int> all = recorded_.dq;
  for (const auto& more : {recorded_.du, recorded_.dz, powers()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}
std::vector<int> LaneModel::gap_nodes() const {
  std::vector<int> all = recorded_.phi;
  for (std::size_t r = 0; r < left_out_.size(); ++r)
    if (left_out_[r]) all.push_back(recorded_.all_phi.at(r));
  return all;
}
std::vector<int> LaneModel::with_independence(std::vector<int> nodes) const {
  nodes.push_back(jointed_ ? recorded_.tree_independence : recorded_.independence);
  return nodes;
}

void LaneModel::measure(const System& s) {
  bodies_ = int(s.body_names.size()) - 1;
  const auto is_length = [](System::Measured m) { return m == System::Measured::length; };
  for (const System::Name& name : s.coordinates) lengths_.push_back(is_length(name.measured));
  for (std::size_t r = 0; r < s.measures.size(); ++r)
    if (left_out_.empty() || !left_out_[r]) row_lengths_.push_back(is_length(s.measures[r]));
  gap_lengths_ = row_lengths_;
  for (std::size_t r = 0; r < left_out_.size(); ++r)
    if (left_out_[r]) gap_lengths_.push_back(is_length(s.measures[r]));
  for (const Channel& c : s.channels)
    if (c.reaction && !left_out_.empty()) open_.push_back(c.name);
  if (s.nq != recorded_.nq || s.nz != recorded_.nz || row_lengths_.size() != recorded_.phi.size())
    throw ModelError("its equations are not those of the recording");
  for (const JointRows& joint : s.joints)
    held_ = held_ || std::ranges::find(joint.bodies, 0) != joint.bodies.end();
}

Tape LaneModel::tape(const char* name, std::vector<int> nodes) const {
  return {*recorded_.graph, {name, std::move(nodes)}};
}
int LaneModel::node_of(const char* channel) const {
  return std::ranges::find(recorded_.channels, channel, &RecordedModel::Channel::name)->node;
}

Tape LaneModel::observe(const std::vector<LaneKept>& kept) const { return tape("observe", observed(kept)); }
Tape LaneModel::gap_slopes() const {
  Computation g = *recorded_.graph;
  std::vector<int> by, all(recorded_.phi.size() * std::size_t(recorded_.nq), g.constant(0));
  for (int k = 0; k < recorded_.nq; ++k) by.push_back(g.input(RecordedModel::first_q() + k));
  for (const JacobianEntry& e : jacobian(g, recorded_.phi, by))
    all[std::size_t(e.row * recorded_.nq + e.column)] = e.node;
  return {g, {"slopes", all}};
}
std::vector<Routine> LaneModel::routines(const std::vector<LaneKept>& kept) const {
  return {{"mb_rates", with_independence(rate_nodes())},
          {"mb_gaps", gap_nodes()},
          {"mb_tidy", recorded_.tidy_q},
          {"mb_close", recorded_.closed_q},
          {"mb_settle", with_independence(recorded_.closed_u)},
          {"mb_keep", next_of(recorded_.kept)},
          {"mb_sample", next_of(recorded_.at_instants)},
          {"mb_observe", observed(kept)}};
}
std::vector<int> LaneModel::observed(const std::vector<LaneKept>& kept) const {
  std::vector<int> nodes;
  for (const LaneKept& k : kept)
    nodes.push_back(k.channel.kind == LaneChannel::recorded
                        ? recorded_.channels[std::size_t(k.channel.index)].node
                        : node_of("energy.kinetic"));
  nodes.push_back(node_of("energy.kinetic")), nodes.push_back(node_of("energy.potential"));
  if (jointed_)
    nodes.insert(nodes.end(), recorded_.all_phi.begin(), recorded_.all_phi.end());
  else
    for (const auto* more : {&recorded_.lambda, &recorded_.Q})
      nodes.insert(nodes.end(), more->begin(), more->end());
  return with_independence(std::move(nodes));
}

std::optional<std::vector<double>> LaneModel::parameters(const CollectedNumbers& c) const {
  if (c.structure != structure_ || c.numbers.size() != numbers_.size()) return {};
  std::vector<double> values(std::size_t(parameters_), 0.0);
  std::vector<bool> known(values.size(), false);
  for (std::size_t k = 0; k < numbers_.size(); ++k) {
    const double x = c.numbers[k];
    if (parameter_of_[k] < 0) {
      if (x != numbers_[k]) return {};
      continue;
    }
    const auto p = std::size_t(parameter_of_[k]);
    if (known[p] && values[p] != x) return {};
    known[p] = true, values[p] = x;
  }
  return values;
}

bool LaneModel::is_open(const std::string& channel) const {
  return std::ranges::find(open_, channel) != open_.end();
}

// In the order in which results are searched: bodies, joints, points, forces and signals, then energies.
std::optional<LaneChannel> lane_channel(const RecordedModel& recorded, const std::string& name) {
  const auto found = std::ranges::find(recorded.channels, name, &RecordedModel::Channel::name);
  if (found != recorded.channels.end())
    return LaneChannel{LaneChannel::recorded, int(found - recorded.channels.begin())};
  constexpr std::pair<std::string_view, LaneChannel::Kind> energies[] = {
      {"kinetic", LaneChannel::kinetic},
      {"potential", LaneChannel::potential},
      {"total", LaneChannel::total},
      {"driver_work", LaneChannel::driver_work},
      {"applied_work", LaneChannel::applied_work},
      {"dissipated", LaneChannel::dissipated},
      {"residual", LaneChannel::residual}};
  for (const auto& [word, kind] : energies)
    if (name == word) return LaneChannel{kind};
  return {};
}
std::optional<LaneChannel> LaneModel::channel(const std::string& name) const {
  return is_open(name) ? std::nullopt : lane_channel(recorded_, name);
}
}  // namespace mubody
