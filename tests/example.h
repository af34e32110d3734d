#pragma once
// The models under examples/.
#include <filesystem>
#include <string>
#include <vector>

#include "mubody/reading/read_model.h"

namespace mubody::testing {
inline std::filesystem::path examples() { return std::filesystem::path(MUBODY_SOURCE_DIR) / "examples"; }

/// The model.toml or model.mub of an example.
inline std::filesystem::path model_of(const std::string& name) {
  const std::filesystem::path toml = examples() / name / "model.toml";
  return std::filesystem::exists(toml) ? toml : examples() / name / "model.mub";
}

/// An example with settings such as "analysis.rtol=1e-10".
inline Study example(const std::string& name, const std::vector<std::string>& settings = {}) {
  return io::read_study(model_of(name).string(), settings);
}
}  // namespace mubody::testing
