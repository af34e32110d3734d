#pragma once
// Files of precomputed models: a line with the title and the version, a line with the size of the rest and its checksum, then
// numbers.
//
// Numbers have 8 bytes, the least significant first; texts and lists begin with their length.  The first two
// lines show whether a file is damaged, cut short, or of another version.  A file may also have been made to look right,
// so that no model comes out of here before precompute/run/check_tables.h has found it whole.
//                                                                              docs/user/realtime.md
#include <filesystem>
#include <string>
#include <string_view>

#include "mubody/precompute/tables/model.h"

namespace mubody::io {
/// Whether a file begins with the title of such files.
bool is_real_time_file(const std::filesystem::path&);
/// Its model lies beside it, if it does not say where.  If it comes from a stranger, neither a link nor the name of its model
/// leads out of its folder, which stands for that of the model.  Throws ModelError.
RealTimeModel read_real_time_file(const std::filesystem::path&, bool untrusted = false);
/// Paths in the file are relative to its folder.  Throws std::runtime_error.
void write_real_time_file(const RealTimeModel&, const std::filesystem::path&);

/// The contents of a file in memory; messages name `file`, and the path of the model, which must not be absolute, is
/// taken relative to its folder.
std::string real_time_bytes(const RealTimeModel&);
/// The contents of a file that is to lie at `path`, where the model lies at a path relative to the current folder.
std::string real_time_bytes(const RealTimeModel&, const std::filesystem::path& path);
RealTimeModel real_time_from(const std::string& bytes, const std::string& file);
/// The contents of a file with these numbers, whatever they are: title, version, size and checksum come before them.
std::string with_checksum(std::string_view numbers);
}  // namespace mubody::io
