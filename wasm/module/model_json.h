#pragma once
// A model as pages see it: ModelInfo, poses and places of wasm/interface.ts.
#include "mubody/study/options.h"
#include "mubody/text/json.h"
#include "mubody/text/node.h"

namespace mubody::wasm {
/// `tree`: where parameters stand.
io::Json model_json(const Study&, const io::Node& tree);

/// Where the keys of a file stand, {"bodies.crank": [line, column, line, column], ...}: those of the key, and of the value.
io::Json places_json(const io::Node& tree, const std::string& file);

/// The poses in a row of numbers, without the ground's, which comes first.
void write_poses(int dim, std::span<const Pose> with_ground, std::vector<double>& out);
}  // namespace mubody::wasm
