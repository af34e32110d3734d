#pragma once
// Precomputed models in files: a line that says what it is, a line with a sum over all that follows, then numbers.
//
// Numbers are 8 bytes, the least significant first; texts and lists begin with their length.  A file that is damaged, cut
// short, or of another version is told apart by its first two lines.         docs/user/realtime.md
#include <filesystem>
#include <string>

#include "mubody/precompute/tables/model.h"

namespace mubody::io {
/// Whether a file begins as such a file does.
bool is_real_time_file(const std::filesystem::path&);
/// Throws ModelError.
RealTimeModel read_real_time_file(const std::filesystem::path&);
/// Throws std::runtime_error.
void write_real_time_file(const RealTimeModel&, const std::filesystem::path&);

/// The same in memory; `file` stands for the file in messages.
std::string real_time_bytes(const RealTimeModel&);
RealTimeModel real_time_from(const std::string& bytes, const std::string& file);
}  // namespace mubody::io
