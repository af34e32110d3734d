#pragma once
// modelDescription.xml of anybody's FMU, of FMI 2.0 or 3.0.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/fmus/xml_tree.h"

namespace mubody::io {
struct DescribedVariable {
  std::string name, type;  // the type as 3.0 calls it: "Float64" for Real of 2.0
  unsigned reference = 0;
  std::string causality, variability, initial;  // as given, or as the standard says if they are not
  bool initial_given = false;
  std::string unit, display_unit, declared_type;
  std::optional<std::string> start;
  std::optional<double> min, max;
  std::optional<unsigned> derivative_of;  // index in 2.0, reference in 3.0
  bool is_array = false, is_clocked = false;
  bool reinitialized = false;  // it says that it is set anew at events
  int line = 0;
};

struct DescribedUnknown {
  unsigned of = 0;  // index of the variable in 2.0, the first being 1; its reference in 3.0
  std::optional<std::vector<unsigned>> dependencies;
  int line = 0;
  std::optional<std::vector<std::string>> kinds{};  // of the dependencies
};

struct FmuDescription {
  int version = 0;  // 2 or 3
  std::string model, token, convention;
  std::optional<std::string> exchange, cosimulation, scheduled;  // identifiers of the interfaces that there are
  bool gets_and_sets_state = false, needs_tool = false;          // of co-simulation
  std::map<std::string, std::set<std::string>> units;            // with their display units
  std::set<std::string> types;                                   // that are defined
  std::vector<DescribedVariable> variables;
  std::vector<DescribedUnknown> outputs, derivatives, initial_unknowns;
  std::optional<double> start, stop, step, tolerance;  // [s] of the usual experiment

  const DescribedVariable* find(std::string_view name) const;
  /// The variable that an unknown is about; null if there is none.
  const DescribedVariable* of(const DescribedUnknown&) const;
};

/// What it says; what it does not say as it should goes into `complaints`, in words with the line.
FmuDescription read_fmu_description(const XmlElement& root, std::vector<std::string>& complaints);
}  // namespace mubody::io
