#pragma once
// C files that verbs write: their names, and how they are known again.
#include <string>

#include "mubody/text/target.h"

namespace mubody::cli {
extern const io::OwnKind c_file;
/// A name for files and functions in C: the one that was asked for, or that of the model.  Throws UsageError.
std::string checked_c_name(const std::string& asked, const std::string& model);
/// A number with its unit, as the value of an option.  Throws UsageError.
double option_number(const std::string& option, const std::string& text, const char* unit);
double positive_option(const std::string& option, const std::string& text, const char* unit);
}  // namespace mubody::cli
