#pragma once
// The sources of an FMU whose equations are generated C: the model, and the functions of FMI over it.
//
//   docs/user/fmi.md#engines
#include <string>
#include <vector>

#include "mubody/fmi/fmu_contents.h"
#include "mubody/fmi/model_description.h"
#include "mubody/fmi/zip_writer.h"

namespace mubody::io {
/// Without parameters, which the code has taken in, but with the step of its integration as one.  Throws ModelError, with the
/// reason, if something in the model has no form in C.
FmuContents compiled_contents(FmuContents, const Study&);
struct CompiledUnit {
  std::vector<ZipEntry> sources;   // and headers; without a token, which depends on them
  std::vector<std::string> notes;  // where its steps are less accurate than those of the library
};
/// Throws ModelError.
CompiledUnit compiled_unit(const FmuContents&, const Study&, FmiVersion);
void put_token(std::vector<ZipEntry>& sources, const std::string& token);
/// The shared library of these sources, in a folder for temporary files.  Throws ModelError.
std::string compiled_library(const std::vector<ZipEntry>&);
}  // namespace mubody::io
