#include "mubody/compiled/shared_code.h"

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
namespace fs = std::filesystem;
namespace {
// Long straight code is short where sums of products are one instruction; packing numbers of it into vectors takes longer than
// it saves.
constexpr const char* options[] = {"-std=c99", "-O2",    "-ffp-contract=fast", "-fno-tree-vectorize",
                                   "-fPIC",    "-shared"};
constexpr const char* for_this_processor = "-march=native";

/// What this processor can do; empty if nobody says so.
std::string abilities() {
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);)
    if (line.starts_with("flags") || line.starts_with("Features")) return line;
  return "";
}

/// What makes code of a compiler: where it is, which one it is, and what it is asked for.
std::string maker(const std::string& compiler, const std::string& processor) {
  std::error_code ignored;
  const auto size = fs::file_size(compiler, ignored);
  const auto written = fs::last_write_time(compiler, ignored).time_since_epoch().count();
  return fmt::format("{} {} {} {}; {}", compiler, size, written, fmt::join(options, " "), processor);
}

void compile(const std::string& compiler, bool native, const fs::path& source, const fs::path& library) {
  const std::string mine = fmt::format("{}.{}", library.string(), getpid());
  const fs::path says = mine + ".txt";
  std::vector<std::string> words{compiler};
  words.insert(words.end(), std::begin(options), std::end(options));
  if (native) words.push_back(for_this_processor);
  for (const std::string& w : {std::string("-o"), mine, source.string(), std::string("-lm")})
    words.push_back(w);
  const int rc = run_program(words, says);
  const std::string text = said_in(says);
  std::error_code ignored;
  if (rc == 0) fs::rename(mine, library, ignored);
  if (rc == 0 && !ignored) return;
  fs::remove(mine, ignored);
  if (native) return compile(compiler, false, source, library);  // not all compilers know the option
  throw NotCompiled(fmt::format("'{}' could not compile generated code: {}", compiler, text));
}
}  // namespace

void compile_library(const std::vector<fs::path>& sources, const fs::path& library) {
  const std::string compiler = c_compiler();
  if (compiler.empty()) throw NotCompiled("there is no C compiler: install one, as 'cc', or name it by CC");
  std::vector<std::string> words{compiler,  "-std=c99", "-O2", "-fPIC",         "-fvisibility=hidden",
                                 "-shared", "-s",       "-o",  library.string()};
  for (const fs::path& source : sources) words.push_back(source.string());
  words.push_back("-lm");
  const fs::path says = library.string() + ".txt";
  const int rc = run_program(words, says);
  const std::string text = said_in(says);
  if (rc != 0) throw NotCompiled(fmt::format("'{}' could not compile generated code: {}", compiler, text));
}

std::string c_compiler() {
  const char* const wanted = std::getenv("CC");
  for (const std::string& name :
       {std::string(wanted ? wanted : ""), std::string("cc"), std::string("gcc"), std::string("clang")})
    if (const std::string found = name.empty() ? "" : found_in_path(name); !found.empty()) return found;
  return "";
}

SharedCode::SharedCode(const std::string& code) {
  const std::string compiler = c_compiler();
  if (compiler.empty()) throw NotCompiled("there is no C compiler: install one, as 'cc', or name it by CC");
  const std::string processor = abilities();
  const std::string source = fmt::format("/* {} */\n{}", maker(compiler, processor), code);
  const fs::path stem = kept_in() / mark_of(source), file = stem.string() + ".c",
                 library = stem.string() + ".so", mark = stem.string() + ".mark";
  // A library that was cut off, or is another one's, would end the program.
  const auto is_there = [&] {
    return holds(file, source) && is_own(library) && holds(mark, content_mark(library).value_or("none"));
  };
  was_there_ = is_there();
  std::optional<Alone> alone;
  if (!was_there_) alone.emplace(stem), was_there_ = is_there();
  if (!was_there_) {
    const auto begun = std::chrono::steady_clock::now();
    write_file(file, source);
    compile(compiler, !processor.empty(), file, library);
    write_file(mark, content_mark(library).value_or(""));
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  }
  library_ = std::shared_ptr<void>(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* l) {
    if (l) dlclose(l);
  });
  if (!library_) throw NotCompiled(fmt::format("compiled code cannot be loaded: {}", dlerror()));
}

void* SharedCode::find(const std::string& name) const {
  void* const found = dlsym(library_.get(), name.c_str());
  if (!found) throw NotCompiled(fmt::format("compiled code has no function '{}'", name));
  return found;
}
}  // namespace mubody::io
