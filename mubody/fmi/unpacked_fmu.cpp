#include "mubody/fmi/unpacked_fmu.h"

#include "mubody/text/write_file.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw WriteError(folder, error.message());
}
}  // namespace

UnpackedFmu::UnpackedFmu() : folder_(make_temporary_folder(fs::temp_directory_path(), "fmu")) {}

UnpackedFmu::UnpackedFmu(const ZipArchive& archive) : UnpackedFmu() {
  if (archive.find("resources")) throw ZipError("the entry 'resources' is a file, and not a folder");
  for (const ZipArchive::Entry& e : archive.entries()) {
    const fs::path target = folder_.path / e.name;
    make_folder(e.name.ends_with('/') ? target : target.parent_path());
    if (!e.name.ends_with('/')) write_file(target, archive.content(e));
  }
  make_folder(folder_.path / "resources");
}
UnpackedFmu::~UnpackedFmu() {
  std::error_code ignored;
  fs::remove_all(folder_.path, ignored);
}
}  // namespace mubody::io
