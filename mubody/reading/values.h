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
#include "mubody/text/node.h"

namespace mubody::io {
/// The markers of an element between two bodies.
struct MarkerPair {
  Marker i, j;
  std::optional<Vec<3>> common{};  // the global point where both are at the start, if they were given so
  std::vector<Elementary>
      motions{};  // that the joint leaves, if it is a chain of such; for those that follow it
};

/// What has been read so far and may be referred to.
struct Known {
  std::filesystem::path folder;                // of the model file: data files are relative to it
  std::map<std::string, double> parameters;    // in SI units
  std::set<std::string> later_parameters;      // defined below the place that is being read
  std::map<std::string, int> bodies;           // by name; the ground is 0
  std::vector<Pose> start;                     // of the bodies, the ground first
  std::map<std::string, StateVariable> state;  // "crank.omega", "P.x"
  std::map<std::string, MarkerPair> joints;    // whose markers others may take
  std::size_t dim = 2;                         // 2: the plane, 3: space
  std::string why = "there is neither gravity nor a position";  // where the dimension comes from

  Pose start_of(const Marker&) const;
  /// "the model is planar, for gravity has 2 components (line 4)".
  std::string because() const;
};

/// Two numbers of gravity make a planar model, three a spatial one; without gravity the first position of a body
/// decides.
void read_dimension(const Node& root, Known&);

/// Refuses a key that models of the other dimension have, and says what to write `instead`.
void refuse_key(const Node& table, const Scope&, std::string_view key, const Known&, std::string_view instead);

/// Strings that begin with "=" are formulas.
bool is_formula(const std::string& text);

/// The formula of a string without its "=".
std::string formula_of(const std::string& text);

/// The formula in a string, in these variables and the parameters.  Mistakes are shown with a caret under the
/// place.
Expression read_formula(const Node&, const Scope&, const std::vector<std::string>& variables, const Known&);

/// A number, a number with a unit, or a formula in the parameters.
double read_number(const Node&, const Scope&, std::string_view unit, const Known&);

int read_integer(const Node&, const Scope&, const Known&);
std::string read_string(const Node&, const Scope&);
/// The place of that word among the words.
int read_choice(const Node&, const Scope&, std::span<const std::string_view> words);
std::vector<std::string> read_strings(const Node&, const Scope&);

/// Refuses what is not an array with a component for each dimension; `what` is "numbers" or the like.
void expect_components(const Node&, const Scope&, std::string_view what, const Known&);

/// Two numbers in the plane, three in space.
Vec<3> read_vector(const Node&, const Scope&, std::string_view unit, const Known&);
}  // namespace mubody::io
