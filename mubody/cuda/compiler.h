#pragma once
// Machine code of graphics processors from CUDA C++: by NVRTC, a library of NVIDIA's, or by the program nvcc, whichever is found.
//
//   NVIDIA, NVRTC documentation; NVIDIA CUDA Compiler Driver NVCC
#include <string>

namespace mubody::io {
/// Code for processors of an architecture, as 90; kept, so that the same source is compiled once.  Throws NoDevice if there is no
/// compiler, or if it fails.
std::string cuda_code(const std::string& source, int architecture);
}  // namespace mubody::io
