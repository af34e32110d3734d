// Takes files, or all files of folders, through a fuzz target: what a fuzzer found once stays found.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

std::vector<fs::path> files_at(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// The last name that is printed before the process ends is that of the file that ends it.
bool replay(const fs::path& path) {
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) return false;
  // A copy that ends where the file does, so that a sanitizer sees who reads beyond it.
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
  return true;
}
}  // namespace
}  // namespace mubody::testing

// Mutators of targets call it, and are not called here.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t size, std::size_t) { return size; }

int main(int argc, char** argv) {
  using namespace mubody::testing;
  std::size_t done = 0;
  for (int k = 1; k < argc; ++k)
    for (const auto& file : files_at(argv[k])) {
      if (!replay(file)) {
        std::fprintf(stderr, "cannot read %s\n", file.c_str());
        return 1;
      }
      ++done;
    }
  if (done == 0) std::fprintf(stderr, "there are no files to replay; name files or folders\n");
  return done == 0 ? 1 : 0;
}
