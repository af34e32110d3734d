// [analysis] and [output].
#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/mechanism/topology.h"
#include "mubody/reading/field_reader.h"
#include "mubody/reading/sections.h"
#include "mubody/system/build.h"

namespace mubody::io {
namespace {
/// The section, or nullptr.
const Node* section(const Node& root, std::string_view name) {
  const Node* table = root.find(name);
  if (table && !table->is(Node::Kind::table)) Scope(std::string(name)).expected("a table", *table);
  return table;
}

/// The fields of a table that has keys besides them.
template <class Options>
void read_fields(Options& options, const Node& table, const Scope& scope, const Known& known,
                 const std::vector<std::string_view>& more) {
  FieldList list = fields_of(options);
  list.names.insert(list.names.end(), more.begin(), more.end());
  expect_keys(table, scope, list.names);
  FieldReader reader(table, table.mark, scope, known);
  reader.fill(options);
  with_places(table, table.mark, scope, [&] { options.check(); });
}

/// A name, or a table with a type and the numbers of the treatment.
Box<Treatment> read_treatment(const Node& node, const Scope& scope, const Known& known) {
  const bool is_table = node.is(Node::Kind::table);
  if (!is_table && !node.is(Node::Kind::string)) scope.expected("a name or a table {type = ...}", node);
  const Node* type = is_table ? node.find("type") : &node;
  if (!type) scope.fail(node, "missing 'type': see 'mubody list treatments'");
  const Scope type_scope = is_table ? scope / "type" : scope;
  const std::string name = read_string(*type, type_scope);
  std::vector<std::string_view> names;
  for (const TreatmentEntry& e : treatment_kinds()) names.push_back(e.info.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) type_scope.fail(*type, no_such("treatment", name, names, "treatments"));

  Box<Treatment> treatment(treatment_kinds()[static_cast<std::size_t>(found - names.begin())].make());
  if (is_table) read_fields(*treatment, node, scope, known, {"type"});
  return treatment;
}

// Refuses names of anything but coordinates and velocities, such as "crank.angle", which assembly can keep.
void check_hold(const std::vector<std::string>& hold, const Node& node, const Scope& scope,
                const Known& known) {
  constexpr std::string_view in_plane[] = {"x", "y", "angle", "vx", "vy", "omega"};
  constexpr std::string_view in_space[] = {"x", "y", "z", "orientation", "vx", "vy", "vz", "wx", "wy", "wz"};
  const std::span<const std::string_view> quantities =
      known.dim == 2 ? std::span<const std::string_view>(in_plane) : in_space;
  std::vector<std::string> names;
  for (const auto& [body, index] : known.bodies)
    for (const std::string_view q : quantities)
      if (index != ground) names.push_back(fmt::format("{}.{}", body, q));
  for (std::size_t k = 0; k < hold.size(); ++k) {
    if (std::ranges::find(names, hold[k]) != names.end()) continue;
    const bool is_body = known.bodies.contains(hold[k].substr(0, hold[k].find('.')));
    scope.fail(node.items[k], fmt::format("no coordinate or velocity {}{}", in_quotes(hold[k]),
                                          is_body ? "; expected " + one_of(quantities) + " of the body"
                                                  : suggestion(hold[k], names)));
  }
}

void read_assembly(const Node& analysis, const Scope& scope, Study& study, const Known& known) {
  AssemblyOptions& options = study.analysis.assembly;
  const Node *hold = analysis.find("hold"), *assembly = analysis.find("assembly");
  if (hold) {
    options.hold = read_strings(*hold, scope / "hold");
    check_hold(options.hold, *hold, scope / "hold", known);
  }
  if (!assembly) return;
  const Scope inner = scope / "assembly";
  if (!assembly->is(Node::Kind::table)) inner.expected("a table {hold = [...], ...}", *assembly);
  read_fields(options, *assembly, inner, known, {});
  const Node* inner_hold = assembly->find("hold");
  if (hold && inner_hold) (inner / "hold").fail(*inner_hold, "is given twice, here and in [analysis]");
  if (inner_hold) check_hold(options.hold, *inner_hold, inner / "hold", known);
}

/// The names of the options of single analyses, so that a file may keep those of one and ask for another.
std::vector<std::string_view> own_names() {
  std::vector<std::string_view> names;
  for (const AnalysisEntry& e : analysis_kinds()) {
    const std::vector<std::string_view> own = fields_of(*e.make()).names;
    names.insert(names.end(), own.begin(), own.end());
  }
  return names;
}

/// Fills the options of one analysis and checks them.
void read_own(Analysis& analysis, const Node& table, const Scope& scope, const Study& study,
              const Known& known) {
  FieldReader reader(table, table.mark, scope, known);
  reader.fill(analysis);
  with_places(table, table.mark, scope, [&] {
    analysis.check();
    if (!known.incomplete) analysis.check(study);
  });
}

/// Options of analyses that are not asked for must be valid as well.  A key that several analyses know has the
/// meaning of the one asked for.
void read_own_options(const Node& table, const Scope& scope, Study& study, const Known& known) {
  Analysis& asked = *study.analysis.type;
  read_own(asked, table, scope, study, known);
  const std::vector<std::string_view> taken = fields_of(asked).names;
  Node rest;
  rest.mark = table.mark;
  for (std::size_t k = 0; k < table.keys.size(); ++k) {
    if (std::ranges::find(taken, table.keys[k].name) != taken.end()) continue;
    rest.keys.push_back(table.keys[k]);
    rest.items.push_back(table.items[k]);
  }
  for (const AnalysisEntry& e : analysis_kinds()) {
    const std::unique_ptr<Analysis> other = e.make();
    const auto is_given = [&](std::string_view name) { return rest.find(name) != nullptr; };
    if (std::ranges::any_of(fields_of(*other).names, is_given)) read_own(*other, rest, scope, study, known);
  }
}

void check_chords(const std::vector<std::string>& chords, const Node& node, const Scope& scope,
                  const Mechanism& mechanism) {
  for (std::size_t k = 0; k < chords.size(); ++k)
    if (const std::string why = why_no_chord(mechanism, chords[k]); !why.empty())
      scope.fail(node.items[k], why);
    else if (std::find(chords.begin(), chords.begin() + std::ptrdiff_t(k), chords[k]) !=
             chords.begin() + std::ptrdiff_t(k))
      scope.fail(node.items[k], fmt::format("'{}' is named twice", chords[k]));
  graph_of(mechanism, chords);  // refuses chords without which there is no tree
}

void check_channels(const std::vector<std::string>& channels, const Node& node, const Scope& scope,
                    const Mechanism& mechanism) {
  const std::unique_ptr<System> system = build_system(mechanism);
  std::vector<std::string> names;
  for (const Channel& c : system->channels) names.push_back(c.name);
  for (std::size_t k = 0; k < channels.size(); ++k)
    if (std::ranges::find(names, channels[k]) == names.end())
      scope.fail(node.items[k],
                 fmt::format("no channel {}{}", in_quotes(channels[k]), suggestion(channels[k], names)));
}
}  // namespace

void read_analysis(const Node& root, Study& study, const Known& known) {
  const Node* table = section(root, "analysis");
  study.left_out.analysis = !table;
  if (!table) return;
  const Scope scope("analysis");
  std::vector<std::string_view> more{"treatment", "assembly", "hold", "start_from"};
  std::ranges::copy(own_names(), std::back_inserter(more));
  read_fields(study.analysis, *table, scope, known, more);
  if (const Node* integrator = table->find("integrator"); integrator && !find_integrator(integrator->text)) {
    std::vector<std::string_view> names;
    for (const IntegratorEntry& e : integrator_kinds()) names.push_back(e.info.name);
    (scope / "integrator").fail(*integrator, no_such("integrator", integrator->text, names, "integrators"));
  }
  if (const Node* treatment = table->find("treatment"))
    study.analysis.treatment = read_treatment(*treatment, scope / "treatment", known);
  read_assembly(*table, scope, study, known);
  read_start(*table, study, known);
  read_own_options(*table, scope, study, known);
  if (const Node* chords = table->find("chords"))
    check_chords(study.analysis.chords, *chords, scope / "chords", study.mechanism);
}

void read_output(const Node& root, Study& study, const Known& known) {
  const Node* table = section(root, "output");
  if (!table) return;
  const Scope scope("output");
  OutputOptions& output = study.output;
  read_fields(output, *table, scope, known, {});

  if (output.omega_global && known.dim == 2)
    (scope / "omega_global")
        .fail(*table->find("omega_global"), fmt::format("is for spatial models: {}", known.because()));
  study.mechanism.omega_global = output.omega_global;
  study.mechanism.body_forces = output.body_forces;
  if (const Node* units = table->find("units")) expect_shown_units(output.units, *units, scope / "units");

  const AnalysisOptions& analysis = study.analysis;
  for (std::size_t k = 0; k < output.times.size() && !study.left_out.analysis; ++k)
    if (output.times[k] < analysis.start || output.times[k] > analysis.end)
      (scope / "times")
          .fail(table->find("times")->items[k],
                fmt::format("{} s is outside of the analysis, which goes from {} s to {} s", output.times[k],
                            analysis.start, analysis.end));

  if (const Node* channels = table->find("channels"))
    check_channels(output.channels, *channels, scope / "channels", study.mechanism);
}
}  // namespace mubody::io
