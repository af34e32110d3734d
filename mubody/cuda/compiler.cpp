#include "mubody/cuda/compiler.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "mubody/compiled/kept.h"
#include "mubody/device/motion_device.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
namespace fs = std::filesystem;

namespace {
/// Folders in which CUDA may be: where variables say, and where it is usually put.
std::vector<fs::path> folders_of_cuda() {
  std::vector<fs::path> all;
  for (const char* const name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const folder = std::getenv(name); folder && *folder) all.emplace_back(folder);
  all.emplace_back("/usr/local/cuda");
  return all;
}

/// The functions of NVRTC, by their names in its documentation without "nvrtc" before them.
class Nvrtc {
 public:
  struct ProgramOf;
  using Program = ProgramOf*;

  Nvrtc() {
    std::vector<std::string> names{"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};
    for (const fs::path& folder : folders_of_cuda()) names.push_back((folder / "lib64/libnvrtc.so").string());
    for (const std::string& name : names)
      if (!library_)
        library_ =
            dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);  // it has many symbols, of which eight are needed
    if (!library_) return;
    const bool all = find("nvrtcVersion", version_) && find("nvrtcCreateProgram", create_) &&
                     find("nvrtcCompileProgram", compile_) && find("nvrtcGetCUBINSize", code_size_) &&
                     find("nvrtcGetCUBIN", code_) && find("nvrtcGetProgramLogSize", log_size_) &&
                     find("nvrtcGetProgramLog", log_) && find("nvrtcDestroyProgram", destroy_);
    if (!all) library_ = nullptr;
  }
  explicit operator bool() const { return library_ != nullptr; }
  std::string version() const {
    int major = 0, minor = 0;
    version_(&major, &minor);
    return fmt::format("NVRTC {}.{}", major, minor);
  }

  /// The headers of C that are included; what they declare is built in.
  std::string compile(const std::string& source, int architecture) const {
    constexpr std::array names{"float.h", "math.h", "string.h", "stdint.h"};
    constexpr std::array texts{"\n", "\n",
                               "static __device__ int strcmp(const char* a, const char* b) {\n"
                               "  while (*a && *a == *b) ++a, ++b;\n  return *a - *b;\n}\n",
                               "typedef unsigned uint32_t;\ntypedef unsigned long long uint64_t;\n"
                               "#define UINT32_C(x) x##u\n#define UINT64_C(x) x##ull\n"};
    Program program = nullptr;
    if (create_(&program, source.c_str(), "mubody.cu", int(names.size()), texts.data(), names.data()) != 0)
      throw NoDevice("NVRTC cannot take generated code");
    const std::string of = fmt::format("--gpu-architecture=sm_{}", architecture);
    // Functions of a model that say names, say, are for programs; here they are as others.
    const std::array options{of.c_str(), "--std=c++17", "--device-as-default-execution-space", "-w"};
    const int failed = compile_(program, int(options.size()), options.data());
    std::string said, code;
    std::size_t size = 0;
    if (failed != 0 && log_size_(program, &size) == 0) {
      said.resize(size);
      log_(program, said.data());
    }
    if (failed == 0 && code_size_(program, &size) == 0) {
      code.resize(size);
      if (code_(program, code.data()) != 0) code.clear();
    }
    destroy_(&program);
    if (code.empty()) throw NoDevice(fmt::format("NVRTC could not compile generated code: {}", said));
    return code;
  }

 private:
  template <class F> bool find(const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library_, name));
    return function != nullptr;
  }

  void* library_ = nullptr;
  int (*version_)(int*, int*) = nullptr;
  int (*create_)(Program*, const char* source, const char* name, int headers, const char* const* texts,
                 const char* const* names) = nullptr;
  int (*compile_)(Program, int count, const char* const* options) = nullptr;
  int (*code_size_)(Program, std::size_t*) = nullptr;
  int (*code_)(Program, char*) = nullptr;
  int (*log_size_)(Program, std::size_t*) = nullptr;
  int (*log_)(Program, char*) = nullptr;
  int (*destroy_)(Program*) = nullptr;
};

std::string nvcc() {
  std::string found = found_in_path("nvcc");
  for (const fs::path& folder : folders_of_cuda())
    if (found.empty()) found = found_in_path((folder / "bin/nvcc").string());
  return found;
}

void compile_by_program(const std::string& program, const std::string& source, int architecture,
                        const fs::path& to) {
  const fs::path from = to.string() + ".cu", says = to.string() + ".txt";
  write_file(from, source);
  const int rc = run_program({program, "-cubin", "-std=c++17", "-w", fmt::format("-arch=sm_{}", architecture),
                              "-o", to.string(), from.string()},
                             says);
  const std::string text = said_in(says);
  std::error_code ignored;
  fs::remove(from, ignored);
  if (rc != 0) throw NoDevice(fmt::format("'{}' could not compile generated code: {}", program, text));
}
}  // namespace

std::string cuda_code(const std::string& source, int architecture) {
  const Nvrtc library;
  const std::string program = library ? "" : nvcc();
  if (!library && program.empty())
    throw NoDevice(
        "there is no compiler of CUDA: neither the library libnvrtc.so nor the program nvcc is found");
  const std::string maker = library ? library.version() : program;
  try {
    return kept_for(fmt::format("// {} for sm_{}\n{}", maker, architecture, source), ".cubin",
                    [&](const fs::path& to) {
                      if (library)
                        write_file(to, library.compile(source, architecture));
                      else
                        compile_by_program(program, source, architecture, to);
                    });
  } catch (const NotCompiled& e) {
    throw NoDevice(e.what());
  }
}
}  // namespace mubody::io
