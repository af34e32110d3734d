// What mubody/text/write_file.cpp and temporary.cpp do where nothing can be written: a page takes results from memory.
#include "mubody/text/write_file.h"

namespace mubody::io {
WriteError::WriteError(const std::filesystem::path& file, const std::string& reason)
    : std::runtime_error("cannot write to '" + file.string() + "': " + reason), path(file), why(reason) {}

Descriptor::~Descriptor() = default;
NewFolders::~NewFolders() = default;

NewFile::NewFile(const std::filesystem::path& target, GoesOn) {
  throw WriteError(target, "there is no disk to write to here");
}
NewFile::~NewFile() = default;
fmt::memory_buffer& NewFile::buffer() { return buffer_; }
void NewFile::commit() {}
}  // namespace mubody::io
