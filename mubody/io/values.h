#pragma once
// Numbers and formulas as they stand in a model file.
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "mubody/functions/signal.h"
#include "mubody/io/node.h"

namespace mubody::io {
/// What has been read so far and may be referred to.
struct Known {
  std::filesystem::path folder;                // of the model file: data files are relative to it
  std::map<std::string, double> parameters;    // in SI units
  std::set<std::string> later_parameters;      // defined below the place that is being read
  std::map<std::string, int> bodies;           // by name; the ground is 0
  std::vector<Pose> start;                     // of the bodies, the ground first
  std::map<std::string, StateVariable> state;  // "crank.omega", "P.x"
  std::size_t dim = 2;

  Pose start_of(const Marker& m) const { return start[static_cast<std::size_t>(m.body)] * pose(m); }
};

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
std::vector<std::string> read_strings(const Node&, const Scope&);

/// Two numbers in the plane.
Vec<3> read_vector(const Node&, const Scope&, std::string_view unit, const Known&);
}  // namespace mubody::io
