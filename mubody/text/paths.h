#pragma once
// Names of files and folders, compared as names: nothing here looks at the disk.
#include <algorithm>
#include <filesystem>

namespace mubody::io {
/// Whether a path lies in a folder, or below it, or is the folder itself; both without links.
inline bool contains(const std::filesystem::path& outer, const std::filesystem::path& inner) {
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

/// The same place without a slash or a point at its end: "out/" and "out/." have other folders above them than "out" has, and
/// are no links where "out" is one.  The rest stays, since "link/../out" is another folder than "out" where the link leads
/// elsewhere.
inline std::filesystem::path plain_name(std::filesystem::path plain) {
  while (plain.has_parent_path() && plain.has_relative_path() &&
         (!plain.has_filename() || plain.filename() == "."))
    plain = plain.parent_path();
  return plain.empty() ? std::filesystem::path(".") : plain;
}
}  // namespace mubody::io
