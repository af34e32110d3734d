#include "mubody/reading/read_model.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "mubody/compiled/compiled_equations.h"
#include "mubody/model/escape.h"
#include "mubody/model/utf8.h"
#include "mubody/mubodyna/to_model.h"
#include "mubody/reading/bodies.h"
#include "mubody/reading/marker_section.h"
#include "mubody/reading/places/places.h"
#include "mubody/reading/precompute_section.h"
#include "mubody/reading/real_time_file.h"
#include "mubody/reading/sections.h"
#include "mubody/text/cpu_clock.h"
#include "mubody/text/include.h"
#include "mubody/text/quotes.h"
#include "mubody/text/text_file.h"
#include "mubody/text/toml.h"

namespace mubody::io {
namespace {
using namespace io;

/// A model is named after its file or, since examples are folders with a model.toml, after its folder.  The name of a file
/// may have characters that no name in a model may have.
std::string default_name(const std::string& file) {
  const std::filesystem::path path = std::filesystem::absolute(file);
  return for_terminal((path.stem() == "model" ? path.parent_path().filename() : path.stem()).string());
}

std::string read_name(const Node& root, const std::string& file) {
  const Node* given = root.find("name");
  if (!given) return default_name(file);
  const Scope scope("name");
  std::string name = read_string(*given, scope);
  if (name.empty()) scope.fail(*given, "must not be empty");
  if (find_odd_character(name, false)) scope.fail(*given, "must be on one line");
  return name;
}

void read_gravity(const Node& root, Mechanism& mechanism, const Known& known) {
  const Node* gravity = root.find("gravity");
  if (!gravity) return;
  const Scope scope("gravity");
  if (!gravity->is(Node::Kind::array)) scope.expected("2 or 3 numbers in an array", *gravity);
  if (const std::size_t size = gravity->items.size(); size != known.dim)
    scope.fail(*gravity, fmt::format("expected 2 or 3 numbers, got {}", size));
  mechanism.gravity = read_vector(*gravity, scope, "m/s^2", known);
}

/// Joints and drivers in the order of the file.  Those that take the markers of other joints are read last, for these
/// may stand further down.
void read_joints(Mechanism& mechanism, const std::vector<Element>& elements, bool starts_elsewhere,
                 Known& known, Faults& faults) {
  std::map<std::size_t, Named<AnyJoint>> joints;
  const auto read = [&](std::size_t k, bool last) {
    const Element& e = elements[k];
    if (e.node->find("clearance")) {
      if (!last) read_clearance_into(mechanism, e, known);
      return;
    }
    const bool follows = e.node->find("joint") || e.node->find("joints");
    if (follows == last) joints.emplace(k, read_joint(e, known));
  };
  for (const bool last : {false, true})
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (const Element& e = elements[k]; e.kind == Element::joint || e.kind == Element::driver)
        faults.attempt(e.key->name, *e.node, [&] { read(k, last); });
  std::map<std::size_t, JointSite> sites;
  for (auto& [k, joint] : joints)
    faults.attempt(joint.name, [&] {
      const Element& e = elements[k];
      if (!joint.driver) sites.emplace(k, JointSite(joint, mechanism.dim));
      if (e.node->find("backlash"))
        add_backlash_of(mechanism, joint, e, known);
      else if (e.node->find("compliance"))
        add_compliant_joint(mechanism, joint, e, known);
      else
        mechanism.joints.push_back(std::move(joint));
    });
  // Formulas of motors may read all joints.
  known.mechanism = &mechanism;
  // Limits refuse a start beyond them.  With `start_from` bodies do not begin where the file has them: that is seen when the
  // analysis begins.
  std::vector<RigidBody::LeftOut> written;
  for (RigidBody& b : mechanism.bodies) {
    written.push_back(b.left_out);
    b.left_out.position = b.left_out.position || starts_elsewhere;
  }
  for (const auto& [k, site] : sites)
    faults.attempt(site.name, [&] { add_joint_parts(mechanism, site, elements[k], known); });
  for (std::size_t k = 0; k < written.size(); ++k) mechanism.bodies[k].left_out = written[k];
}

/// The rest of the file, which does not add to the mechanism.  What needs the whole of it is not read if there is none.
void read_options(const Node& root, Study& study, const Known& known, PrecomputeOptions* asked,
                  Faults& faults) {
  const auto read = [&](std::string_view section, const auto& work) {
    const Node* table = root.find(section);
    faults.attempt("", table ? *table : Node(), work);
  };
  read("analysis", [&] { read_analysis(root, study, known); });
  read("look", [&] { read_looks(root, study, known); });
  if (known.incomplete) return;
  read("output", [&] { read_output(root, study, known); });
  read("report", [&] { read_report(root, study, known); });
  read("precompute", [&] {
    const PrecomputeOptions tables = read_precompute(root, study.mechanism, known);
    if (asked) *asked = tables;
  });
}

/// One file may supply many elements.
void name_once(DataFiles& data) {
  std::ranges::sort(data);
  const auto twice = std::ranges::unique(data);
  data.erase(twice.begin(), twice.end());
}

/// Whether parameters must lie in their ranges.  Neighbours of a model, from which differences are taken, may lie outside:
/// there are derivatives at the ends, too.
enum class Ranges { kept, left };

/// Reads the study and, if they are given, what the file says about tables to precompute and the names of its data files.
Study study_of(Node root, const std::string& file, bool untrusted, Ranges ranges,
               PrecomputeOptions* asked = nullptr, DataFiles* data = nullptr) {
  const Scope top("");
  Faults faults;
  faults.attempt("", [&] { expect_keys(root, top, model_sections); });
  if (!faults.attempt("", [&] { expand_pins(root); })) faults.raise();
  Study study;
  study.analysis.make_shortcut = untrusted ? MakeShortcut(compiled_for_no_stranger) : compiled_equations;
  study.analysis.patience.clock = thread_cpu_seconds;
  Mechanism& mechanism = study.mechanism;
  Known known;
  known.folder = std::filesystem::path(file).parent_path();
  known.untrusted = untrusted;
  known.data_files = data;
  known.beyond_ranges = ranges == Ranges::left;
  known.bodies["ground"] = ground;
  known.start.push_back(Pose{});
  known.com.push_back(Vec<3>::Zero());

  faults.attempt("", [&] { mechanism.name = read_name(root, file); });
  read_parameters(root, known, faults);
  if (!faults.attempt("", [&] { read_dimension(root, known); })) faults.raise();
  mechanism.dim = static_cast<int>(known.dim);
  faults.attempt("", [&] { read_gravity(root, mechanism, known); });
  study.left_out.gravity = !root.find("gravity");
  if (!faults.attempt("", [&] { read_places(root, known); })) faults.raise();

  const std::vector<Element> elements = read_elements(root, faults);
  const auto all = [&](Element::Kind kind, auto&& read) {
    for (const Element& e : elements)
      if (e.kind == kind) faults.attempt(e.key->name, *e.node, [&] { read(e); });
  };
  all(Element::body, [&](const Element& e) { read_body_into(study, e, known); });
  if (mechanism.bodies.empty() && !faults.any())
    throw ModelError(Place{file}, "no bodies: a model needs at least one under [bodies]");
  read_marker_section(elements, known, faults);
  // Formulas of forces may use points.
  all(Element::point, [&](const Element& e) { read_point_into(mechanism, e, known); });
  number_signals(mechanism, elements, known);
  const Node* const analysis = root.find("analysis");
  read_joints(mechanism, elements, analysis && analysis->find("start_from"), known, faults);
  all(Element::force, [&](const Element& e) { read_force_into(mechanism, e, known); });
  known.with_forces = true;
  for (const Element::Kind kind : {Element::input, Element::signal, Element::output})
    all(kind, [&](const Element& e) { read_signal_into(mechanism, e, known); });
  if (!faults.any()) faults.attempt("", [&] { check_signals(mechanism, elements); });
  study.parameters = known.parameters;
  known.incomplete = faults.any();
  read_options(root, study, known, asked, faults);
  faults.raise();
  if (data) name_once(*data);
  return study;
}

std::string text_of(const std::string& path, bool untrusted) {
  if (untrusted && !lies_below(path, std::filesystem::path(path).parent_path()))
    throw ModelError(Place{path}, "is a link that leads out of its folder, which --untrusted does not follow");
  if (is_real_time_file(path))
    throw ModelError(
        Place{path},
        "this is a precomputed model, which only 'mubody run' takes; give the model that it was made "
        "from");
  try {
    return read_file(path, files::model);
  } catch (const FileError& e) {
    throw ModelError(Place{path}, e.what());
  }
}

Study changed_study(std::string_view text, const std::string& name, const Settings& overrides, DataFiles* data,
                    Ranges ranges = Ranges::kept) {
  Study study =
      study_of(model_tree(text, name, overrides, data), name, overrides.untrusted, ranges, nullptr, data);
  // The text is a tenth of its tree, and a large model is rarely changed.
  study.with = [text = std::make_shared<const std::string>(text), name, overrides](const std::string& parameter,
                                                                                   double value) {
    Settings more = overrides;
    more.push_back(fmt::format("parameters.{}={:.17g}", parameter, value));
    return changed_study(*text, name, more, nullptr, Ranges::left);
  };
  return study;
}
void refuse_controllers(const Node& root) {
  if (const Node* const controllers = root.find("controllers"))
    Scope("controllers")
        .fail(*controllers,
              "these are FMUs, whose code runs beside the model: 'mubody run --allow-fmu' does that for files "
              "that you trust, nothing else does");
}
}  // namespace

Node model_tree(std::string_view text, const std::string& name, const Settings& overrides, DataFiles* data) {
  Node root = mubodyna::is_mubodyna(text, name)
                  ? mubodyna::model_of(mubodyna::read_file(text, name, quotes_of(overrides.untrusted)))
                  : parse_toml(text, name, overrides.untrusted);
  // Which files are included may be changed as well; all other changes are of the whole.
  const auto apply = [&](bool to_include) {
    for (const std::string& setting : overrides)
      if ((setting.starts_with("include=") || setting.starts_with("include.")) == to_include)
        apply_override(root, setting);
  };
  apply(true);
  include_files(root, name, overrides.untrusted, data);
  apply(false);
  if (!overrides.allow_fmu) refuse_controllers(root);
  return root;
}

// What is said of a change quotes it.  A change that a stranger's file states is not quoted: that the model is right
// without it is enough to know who is wrong.
Study read_study_text(std::string_view text, const std::string& name, const Settings& overrides,
                      DataFiles* data) {
  if (!overrides.untrusted || overrides.from.empty()) return changed_study(text, name, overrides, data);
  try {
    return changed_study(text, name, overrides, data);
  } catch (const ModelError&) {
    changed_study(text, name, Settings({}, true), nullptr);
    throw ModelError(Place{overrides.from}, "the model does not take the changes that it states");
  }
}

PrecomputeOptions read_precompute_options_text(std::string_view text, const std::string& name,
                                               const Settings& overrides) {
  PrecomputeOptions asked;
  study_of(model_tree(text, name, overrides), name, overrides.untrusted, Ranges::kept, &asked);
  return asked;
}

PrecomputeOptions read_precompute_options(const std::string& path, const Settings& overrides) {
  return read_precompute_options_text(text_of(path, overrides.untrusted), path, overrides);
}

Study read_study(const std::string& path, const Settings& overrides, DataFiles* data) {
  return read_study_text(text_of(path, overrides.untrusted), path, overrides, data);
}

ModelText::ModelText(const std::string& path, const Settings& overrides)
    : path_(path), untrusted_(overrides.untrusted),
      text_(std::make_shared<const std::string>(text_of(path, untrusted_))),
      root_(std::make_shared<const Node>(model_tree(*text_, path, overrides))) {}

ModelText::ModelText(const Node& root, std::string path, bool untrusted)
    : path_(std::move(path)), untrusted_(untrusted), text_(std::make_shared<const std::string>()),
      root_(std::make_shared<const Node>(root)) {
  refuse_controllers(root);
}

namespace {
/// A tree that is read with changes.
struct Parsed {
  std::shared_ptr<const Node> root;
  std::string path;
  bool untrusted;

  Study with(const std::vector<std::string>& settings, Ranges ranges, DataFiles* data) const {
    Node changed = *root;
    for (const std::string& setting : settings) apply_override(changed, setting);
    Study study = study_of(std::move(changed), path, untrusted, ranges, nullptr, data);
    study.with = [parsed = *this, settings](const std::string& parameter, double value) {
      std::vector<std::string> more = settings;
      more.push_back(fmt::format("parameters.{}={:.17g}", parameter, value));
      return parsed.with(more, Ranges::left, nullptr);
    };
    return study;
  }
};
}  // namespace

Study ModelText::with(const std::vector<std::string>& settings, DataFiles* data) const {
  return Parsed{root_, path_, untrusted_}.with(settings, Ranges::kept, data);
}

std::string ModelText::full_key(const std::string& key) const {
  const Node* parameters = root_->find("parameters");
  const bool known = parameters && parameters->is(Node::Kind::table) && parameters->find(key);
  return known ? "parameters." + key : key;
}
}  // namespace mubody::io
