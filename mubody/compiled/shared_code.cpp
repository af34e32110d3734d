#include "mubody/compiled/shared_code.h"

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"

extern char** environ;

namespace mubody::io {
namespace fs = std::filesystem;
namespace {
// Long straight code is short where sums of products are one instruction; packing numbers of it into vectors takes longer than
// it saves.
constexpr const char* options[] = {"-std=c99", "-O2",    "-ffp-contract=fast", "-fno-tree-vectorize",
                                   "-fPIC",    "-shared"};
constexpr const char* for_this_processor = "-march=native";
constexpr FileKind c_source{"generated code", 256, false};

/// Whether a file or folder is the user's own and cannot be changed by others.
bool is_own(const fs::path& path) {
  struct stat s {};
  return lstat(path.c_str(), &s) == 0 && s.st_uid == geteuid() && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
         !S_ISLNK(s.st_mode);
}

fs::path kept_in() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if ((!cache || *cache != '/') && (!home || *home != '/'))
    throw NotCompiled("there is no folder to keep compiled code in: set HOME or XDG_CACHE_HOME");
  const fs::path folder = (cache && *cache == '/' ? fs::path(cache) : fs::path(home) / ".cache") / "mubody";
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  mkdir(folder.c_str(), S_IRWXU);
  if (!is_own(folder) || !fs::is_directory(folder))
    throw NotCompiled(fmt::format(
        "'{}' is no folder that belongs to you alone: compiled code is not kept there", folder.string()));
  return folder;
}

std::string found_in_path(const std::string& program) {
  if (program.find('/') != program.npos) return access(program.c_str(), X_OK) == 0 ? program : "";
  const char* const path = std::getenv("PATH");
  std::string all = path ? path : "/usr/bin:/bin";
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find(':', at), all.size());
    const std::string file = all.substr(at, end - at) + "/" + program;
    if (end > at && access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  return "";
}

/// Runs a program without a shell; what it says goes to a file.
int run_program(const std::vector<std::string>& words, const fs::path& says) {
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, says.c_str(), O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
  pid_t child = 0;
  const int failed = posix_spawn(&child, words[0].c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// 64 bits of a text, twice with different beginnings: files that differ have different names.
std::string mark_of(std::string_view text) {
  std::uint64_t a = 0xcbf29ce484222325, b = 0x84222325cbf29ce4;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    b = (b ^ static_cast<unsigned char>(c)) * 0x100000001b3 + 0x9e3779b97f4a7c15;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

/// What this processor can do; empty if nobody says so.
std::string abilities() {
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);)
    if (line.starts_with("flags") || line.starts_with("Features")) return line;
  return "";
}

bool is_the_same(const fs::path& file, const std::string& text) {
  try {
    return is_own(file) && read_file(file, c_source) == text;
  } catch (const FileError&) {
    return false;
  }
}

/// While it lives, nobody else compiles into a folder.
class Alone {
 public:
  explicit Alone(const fs::path& folder) : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ < 0 || flock(folder_, LOCK_EX) != 0)
      throw NotCompiled(fmt::format("'{}' cannot be locked", folder.string()));
  }
  ~Alone() { ::close(folder_); }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  int folder_;
};

/// What makes code of a compiler: where it is, which one it is, and what it is asked for.
std::string maker(const std::string& compiler, const std::string& processor) {
  std::error_code ignored;
  const auto size = fs::file_size(compiler, ignored);
  const auto written = fs::last_write_time(compiler, ignored).time_since_epoch().count();
  return fmt::format("{} {} {} {}; {}", compiler, size, written, fmt::join(options, " "), processor);
}

// What the compiler says where it failed.
std::string said_in(const fs::path& file) {
  const std::string text = beginning_of(file).value_or("");
  std::error_code ignored;
  fs::remove(file, ignored);
  return text.empty() ? "it does not say why" : text;
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
  const fs::path folder = kept_in(), stem = folder / mark_of(source), file = stem.string() + ".c",
                 library = stem.string() + ".so", mark = stem.string() + ".mark";
  const Alone alone(folder);
  // A library that was cut off, or is another one's, would end the program.
  was_there_ =
      is_the_same(file, source) && is_own(library) && is_the_same(mark, content_mark(library).value_or("none"));
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
