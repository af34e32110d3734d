#pragma once
// An FMU in a folder, where its library can be loaded from.
#include <filesystem>

#include "mubody/fmus/unzip.h"
#include "mubody/text/temporary.h"

namespace mubody::io {
/// The contents of an archive in a folder of its own, which is removed at the end.
class UnpackedFmu {
 public:
  /// Throws ZipError or WriteError.
  explicit UnpackedFmu(const ZipArchive&);
  UnpackedFmu(const UnpackedFmu&) = delete;
  UnpackedFmu& operator=(const UnpackedFmu&) = delete;
  ~UnpackedFmu();
  const std::filesystem::path& path() const { return folder_.path; }

 private:
  UnpackedFmu();  // an empty folder, which is removed also if what follows fails
  Temporary folder_;
};
}  // namespace mubody::io
