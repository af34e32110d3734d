#pragma once
// C files of ours as they are emitted.
#include <string>
#include <string_view>

namespace mubody {
/// Without the lines that are about our files, which begin with // or include one of ours; and with the name of a model, if
/// one is given, in place of `model` in identifiers that begin with model_.
std::string embedded_c(std::string_view file, const std::string& name = "model");
}  // namespace mubody
