#pragma once
// Models that are made of other files: a manoeuvre of a car, a car with another axle.
//
//   include = "model.toml"
//   include = [{file = "model.toml", without = ["joints.rl_*", "bodies.rl_upper"]}, "axle.toml"]
//
//   docs/user/model-file.md#other-files
#include <filesystem>
#include <vector>

#include "mubody/text/node.h"

namespace mubody::io {
/// Puts what the included files contain into the tree of `file`, in whose folder they are looked for.  Tables are merged, and what
/// stands later counts: files in the order of their names, then the file itself; but a table with another `type` takes the place of
/// what was there.  Elements of included files come first.  `read` gets the names of the files.  Throws ModelError.
void include_files(Node& root, const std::filesystem::path& file, bool untrusted,
                   std::vector<std::filesystem::path>* read = nullptr);
}  // namespace mubody::io
