#pragma once
// Numbers and formulas as they stand in a model file.
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mubody/functions/signal.h"
#include "mubody/kinematics/relative.h"
#include "mubody/mechanism/mechanism.h"
#include "mubody/model/units.h"
#include "mubody/text/node.h"

namespace mubody::io {
/// The markers of an element between two bodies.
struct MarkerPair {
  Marker i, j;
  std::optional<Vec<3>> common{};     // the global point of both at the start, if given by `at`
  std::vector<Elementary> motions{};  // freedoms of the joint, if it is a chain of elementary motions
};

/// A frame of [markers].
struct NamedMarker {
  Marker marker;
  bool turned = false;  // its orientation, or that of a marker below it, is written
};

/// Between which values a parameter may be.
struct ParameterRange {
  struct End {
    double si;
    std::string written;  // as in the file
  };
  std::optional<End> min, max;
};

/// What has been read so far and may be referenced.
struct Known {
  std::filesystem::path folder;  // folder of the model file, to which data files are relative
  bool untrusted = false;        // data lies below that folder, and messages do not quote it
  std::vector<std::filesystem::path>* data_files = nullptr;  // those that are read are added, if anybody asks
  std::map<std::string, double> parameters;                  // in SI units
  std::map<std::string, Dimension> units;                    // of those parameters that have one
  std::map<std::string, ParameterRange> ranges;              // of some, without ends that others determine
  bool beyond_ranges = false;                                // they may lie outside, for differences
  std::set<std::string> later_parameters;                    // those defined further down
  std::map<std::string, Vec<3>> places;                      // points in global axes at the start
  std::map<std::string, int> bodies;                         // numbers by name; the ground is 0
  std::vector<Pose> start;                                   // poses of the bodies, the ground first
  std::vector<Vec<3>> com;                                   // their centres of mass in their own frames
  std::map<std::string, NamedMarker> markers;                // frames by name
  std::map<std::string, Marker> points;                      // points of interest
  std::map<std::string, MarkerPair> joints;                  // markers that other elements may take
  std::map<std::string, int> signals;                        // numbers of signals and inputs
  std::map<std::string, const Node*> signal_nodes;           // where they stand in the file
  std::set<std::string> inputs;                              // those that programs set
  Mechanism* mechanism = nullptr;  // with all joints: formulas may read them, which are noted there
  bool with_forces = false;        // it has all forces, which may be read too
  bool incomplete = false;         // elements could not be read; what needs all of them is not checked
  std::size_t dim = 2;             // 2: the plane, 3: space
  std::string why = "there is neither gravity nor a position";  // where the dimension comes from

  Pose start_of(const Marker&) const;
  /// The frame of a body in which a file gives its points: that of `position`.
  Marker origin(int body) const;
  Pose frame(int body) const { return start_of(origin(body)); }
  /// The number of the state that "crank.omega", "P.x", "pin.angle" or the name of a signal stands for; none if it is no
  /// such name.
  std::optional<StateVariable> state(const std::string& name) const;
  /// All such names, in the order of the alphabet.
  std::vector<std::string> state_names() const;
  /// "the model is planar, for gravity has 2 components (line 4)".
  std::string because() const;
};

/// Finds the dimension: two numbers of gravity make a planar model, three a spatial one; without gravity the
/// first position of a body decides, and without one the first place.
void read_dimension(const Node& root, Known&);

/// Refuses a key that exists only in the other dimension, and says what to write `instead`.
void refuse_key(const Node& table, const Scope&, std::string_view key, const Known&, std::string_view instead);

/// Strings that begin with "=" are formulas.
bool is_formula(const std::string& text);

/// The formula in a string, without its "=".
std::string formula_of(const std::string& text);

/// The parsed formula of a string, in these variables and the parameters; its parameters must give the unit.  Messages
/// say at which character.
Expression read_formula(const Node&, const Scope&, const std::vector<std::string>& variables,
                        std::string_view unit, const Known&);

/// A number, a number with a unit, or a formula in the parameters.
double read_number(const Node&, const Scope&, std::string_view unit, const Known&);

int read_integer(const Node&, const Scope&, const Known&);
std::string read_string(const Node&, const Scope&);
/// The index of the word that is given among `words`.
int read_choice(const Node&, const Scope&, std::span<const std::string_view> words);
std::vector<std::string> read_strings(const Node&, const Scope&);

/// Refuses anything but an array with one component per dimension; `what` is "numbers" or the like.
void expect_components(const Node&, const Scope&, std::string_view what, const Known&);

/// The markers of the joint of that name, which `node` gives, with the motions that it leaves.
const MarkerPair& find_joint_markers(const Node&, const Scope&, const std::string& name, const Known&);

/// Two numbers in the plane, three in space.
Vec<3> read_vector(const Node&, const Scope&, std::string_view unit, const Known&);
}  // namespace mubody::io
