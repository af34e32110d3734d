#include "mubody/fmi/unpacked_fmu.h"

#include "mubody/text/write_file.h"

namespace mubody::io {
UnpackedFmu::UnpackedFmu(const ZipArchive& archive)
    : folder_(make_temporary_folder(std::filesystem::temp_directory_path(), "fmu")) {
  namespace fs = std::filesystem;
  for (const ZipArchive::Entry& e : archive.entries()) {
    const fs::path target = folder_.path / e.name;
    fs::create_directories(e.name.ends_with('/') ? target : target.parent_path());
    if (!e.name.ends_with('/')) write_file(target, archive.content(e));
  }
  fs::create_directories(folder_.path / "resources");
}
UnpackedFmu::~UnpackedFmu() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_.path, ignored);
}
}  // namespace mubody::io
