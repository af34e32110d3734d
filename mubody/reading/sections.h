#pragma once
// The sections of a model file, each read into its part of a study.
#include "mubody/reading/values.h"
#include "mubody/study/options.h"
#include "mubody/text/faults.h"

namespace mubody::io {
/// An element of a section such as [joints]: its name and its table.
struct Element {
  enum Kind { body, joint, driver, force, point };
  Kind kind;
  const Node::Key* key;
  const Node* node;

  std::string_view word() const { return word_of(kind); }
  static std::string_view word_of(Kind kind) {
    constexpr std::string_view words[] = {"body", "joint", "driver", "force", "point"};
    return words[kind];
  }
  Scope scope() const { return Scope(std::string(word()) + " " + in_quotes(key->name)); }
};

/// The elements of all sections in the order of the file.  Names must be proper and used once; others are left out.
std::vector<Element> read_elements(const Node& root, Faults&);

void read_parameters(const Node& root, Known&, Faults&);
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

/// [analysis] and [output].
void read_analysis(const Node& root, Study&, const Known&);
void read_output(const Node& root, Study&, const Known&);
/// [look]: how bodies are drawn.
void read_looks(const Node& root, Study&, const Known&);
}  // namespace mubody::io
