#pragma once
// The motion as a glTF 2.0 animation in one binary file (.glb), for Blender, model viewers and web pages.
//
//   Khronos Group, glTF 2.0 Specification (2021), sections 3 and 4             docs/user/pictures.md#animation
//
// One node per body, moved by keyframes of translation and rotation at the times of the results; springs, dampers, rods
// and the parts of cylinders are nodes of their own that are turned and stretched.  A root node turns the vertical of
// the model to y, which is up in glTF.  Torsional springs and bushings, which have no extension, are left out.
#include "mubody/picture/playback.h"

namespace mubody::io {
/// Whether a file begins as the pictures and animations of mubody do.
bool is_picture(std::string_view beginning);

/// The bytes of the file.  More than `most_keys` rows are thinned to that many, evenly.
std::string gltf_of(const Scene&, const Playback&, const std::string& title, const Vec<3>& gravity,
                    std::size_t most_keys = 5000);
}  // namespace mubody::io
