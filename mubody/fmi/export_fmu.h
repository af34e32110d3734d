#pragma once
// A model as an FMU: one archive with everything that its motion needs.
//
//   docs/user/fmi.md
#include <filesystem>
#include <string>

#include "mubody/fmi/fmu_contents.h"
#include "mubody/fmi/model_description.h"
#include "mubody/text/target.h"

namespace mubody::io {
struct FmuExport {
  std::filesystem::path model;
  Settings settings;
  FmuWishes wishes;
  FmiVersion version = FmiVersion::v2;
  std::string library;  // the contents of the shared library with the functions of FMI; none of generated code
  bool compiled = false;  // generated code takes the place of the solver
  bool report = true;     // of the motion, for which the model is run
  Progress progress{};    // of that run; where it ends it, the FMU is written without a report
};

struct FmuArchive {
  FmuContents contents;
  std::string token, bytes;
  std::size_t files = 0;  // of the model, itself included
  std::size_t fixed = 0;  // parameters of the model that are numbers in the code, and cannot be set
  std::vector<std::string>
      notes{};  // where steps of generated code are less accurate than those of the library
};

/// Throws ModelError, also if the model needs files that an archive cannot carry.
FmuArchive export_fmu(const FmuExport&, DataFiles* = nullptr);

/// Whether a file begins as our FMUs do.
bool is_our_fmu(std::string_view beginning);
inline constexpr OwnKind fmu_kind{"'mubody fmu'", is_our_fmu};

/// Where the shared library lies that was built with this program, or is installed with it; empty if it is not there.
std::filesystem::path fmu_library();
}  // namespace mubody::io
