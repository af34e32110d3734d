#pragma once
// Model files: what they say, checked, or a message that tells where and what is wrong.
#include <string>
#include <string_view>
#include <vector>

#include "mubody/analyses/options.h"

namespace mubody {
/// The model in a TOML file or in one for MUBODYNA, whichever its contents are.  Overrides are "key.of.a.value=value", as on the command line.  Throws ModelError.
Study read_study(const std::string& path, const std::vector<std::string>& overrides = {});

/// The model in a text; `name` stands for the file in messages, and data files are relative to it.
Study read_study_text(std::string_view text, const std::string& name,
                      const std::vector<std::string>& overrides = {});
}  // namespace mubody
