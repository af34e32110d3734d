#pragma once
// Looks at an FMU of anybody's: archive, description, functions, a run.
//
//   docs/user/fmi.md#what-is-checked
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "mubody/fmi/run_fmu.h"

namespace mubody::io {
struct FmuCheckOptions {
  bool run = true;
  std::optional<double> start, stop, step;  // [s]; those of the FMU's usual experiment if not given
  FmuInputs inputs;
  std::vector<std::string> values;  // of variables at the start, "name=number"
  double patience = 60;             // [s]
  std::optional<double> memory;     // [bytes]; that of FmuRunOptions if not given
  std::function<bool()> goes_on{};  // as in FmuRunOptions
};

struct FmuFindings {
  FmuDescription description;
  std::vector<std::string> complaints;  // what breaks a rule, in words; none if all is well
  std::vector<std::string> notes;       // what was not looked at, and why; an end before that of the run
  std::vector<std::string> messages;    // of the FMU itself
  std::optional<Table> outputs;         // if it was run
};

/// Throws FileError if the file cannot be read, and ModelError if inputs or values are not those of the FMU.
FmuFindings check_fmu(const std::filesystem::path&, const FmuCheckOptions&);
}  // namespace mubody::io
