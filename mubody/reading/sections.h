#pragma once
// The sections of a model file, each read into its part of a study.
#include <span>

#include "mubody/reading/values.h"
#include "mubody/simulation/joint_parts.h"
#include "mubody/study/options.h"
#include "mubody/text/faults.h"

namespace mubody::io {
/// What may stand at the top of a model file, besides `include`.
inline constexpr std::string_view model_sections[] = {
    "name",     "gravity",    "parameters", "places",  "bodies",     "markers", "joints",
    "drivers",  "forces",     "points",     "signals", "inputs",     "outputs", "output",
    "analysis", "precompute", "look",       "report",  "controllers"};

/// An element of a section such as [joints]: its name and its table.
struct Element {
  enum Kind { body, joint, driver, force, point, marker, signal, input, output };
  Kind kind;
  const Node::Key* key;
  const Node* node;

  std::string_view word() const { return word_of(kind); }
  static std::string_view word_of(Kind kind) {
    constexpr std::string_view words[] = {"body",   "joint",  "driver", "force", "point",
                                          "marker", "signal", "input",  "output"};
    return words[kind];
  }
  /// Whether it is a value with a name, and not a table with a type.
  bool is_value() const { return kind >= signal; }
  Scope scope() const { return Scope(std::string(word()) + " " + in_quotes(key->name)); }
};

/// The elements of all sections in the order of the file.  Names must be proper and used once; others are left out.
std::vector<Element> read_elements(const Node& root, Faults&);

void read_parameters(const Node& root, Known&, Faults&);
/// Refuses a value outside of the range of a parameter.
void expect_within(const ParameterRange&, double value, const std::string& written, const Scope&, const Mark&);
void read_point_into(Mechanism&, const Element&, Known&);
/// A joint or a driver; from then on other elements may take the markers of a joint.
Named<AnyJoint> read_joint(const Element&, Known&);
void read_force_into(Mechanism&, const Element&, const Known&);
/// A revolute joint with `clearance`, which becomes a force since it forbids nothing.
void read_clearance_into(Mechanism&, const Element&, Known&);
/// The `friction` of a joint, if it has any.
void read_joint_friction(AnyJoint&, const Element&, const Known&);
/// A joint with `compliance`: the constraints that remain, and springs in the directions in which it gives way.
void add_compliant_joint(Mechanism&, const Named<AnyJoint>&, const Element&, const Known&);
/// The keys by which a joint says what acts on its turns and slides: limits, motor, stiffness and others.
std::span<const std::string_view> joint_part_keys();
/// Adds those parts of a joint.
void add_joint_parts(Mechanism&, const JointSite&, const Element&, const Known&);
/// A joint with `backlash`, which becomes two forces since it forbids nothing.
void add_backlash_of(Mechanism&, const Named<AnyJoint>&, const Element&, const Known&);

/// Numbers all inputs and signals, and outputs that are formulas, so that formulas may refer to them.
void number_signals(Mechanism&, const std::vector<Element>&, Known&);
/// What such an element is; formulas may read everything else, as far as it does not depend on them.
void read_signal_into(Mechanism&, const Element&, const Known&);
/// Refuses signals that depend on themselves, and outputs that name no channel.
void check_signals(const Mechanism&, const std::vector<Element>&);
/// The formula of a function of time with the signals that it names written out.  Refuses signals that are not formulas of
/// time alone.
Node with_signals_written_out(const Node&, const Scope&, const Known&);

/// [analysis] and [output].
void read_analysis(const Node& root, Study&, const Known&);
void read_output(const Node& root, Study&, const Known&);
/// `start_from` of [analysis]: positions and velocities of all bodies, and the time if no `start` is written, from a folder
/// of results.
void read_start(const Node& analysis, Study&, const Known&);
/// [report]: what a report begins with.
void read_report(const Node& root, Study&, const Known&);
/// Refuses what is no unit, and two units of one quantity.
void expect_shown_units(const std::vector<std::string>& units, const Node&, const Scope&);
/// [look]: how bodies are drawn.
void read_looks(const Node& root, Study&, const Known&);
}  // namespace mubody::io
