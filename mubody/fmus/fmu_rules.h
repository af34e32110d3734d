#pragma once
// The rules of FMI that descriptions and archives of FMUs are held against.
//
//   docs/user/fmi.md#what-is-checked
#include <string>
#include <vector>

#include "mubody/fmus/fmu_description.h"
#include "mubody/fmus/unzip.h"

namespace mubody::io {
/// What breaks a rule, in words, with the line of the description.
std::vector<std::string> broken_rules(const FmuDescription&);
/// Where the shared library of an interface lies in an archive on this kind of machine.
std::string library_entry(const FmuDescription&, const std::string& identifier);
/// The functions that such a library must have.
std::vector<std::string> functions_of(const FmuDescription&);
}  // namespace mubody::io
