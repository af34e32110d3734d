#pragma once
// Runs an FMU of anybody's in a process of its own, so that a crash there harms nothing here.
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mubody/fmus/fmu_description.h"
#include "mubody/results/results.h"

namespace mubody::io {
/// Values of inputs over time, one row after another; between them they are interpolated, and held before and after.
struct FmuInputs {
  std::vector<std::string> names;
  std::vector<double> times;
  std::vector<std::vector<double>> columns;  // one for each name
};

struct FmuRunOptions {
  double start = 0, stop = 1, step = 0.01;  // [s]
  FmuInputs inputs;
  std::map<std::string, double> values{};  // of parameters and inputs at the start
  double patience = 60;                    // [s] until the process is ended
  double memory = 2e9, file = 1e9;  // [bytes] that the process may take, and that a file it writes may have
  std::function<bool()> goes_on{};  // asked several times a second; the process is ended as soon as it says no
};

struct FmuRun {
  std::vector<std::string> complaints;  // what broke a rule, in words
  std::vector<std::string> messages;    // of the FMU itself
  std::optional<std::string> end{};     // if it has ended the motion itself, in words
  Table outputs;                        // all real scalars that are outputs, over time
};

/// The FMU lies unpacked in a folder.
FmuRun run_fmu(const std::filesystem::path& folder, const FmuDescription&, const FmuRunOptions&);
}  // namespace mubody::io
