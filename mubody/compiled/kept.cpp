#include "mubody/compiled/kept.h"

#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

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
constexpr FileKind generated{"generated code", 256, false};
}  // namespace

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

std::string mark_of(std::string_view text) {
  std::uint64_t a = 0xcbf29ce484222325, b = 0x84222325cbf29ce4;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    b = (b ^ static_cast<unsigned char>(c)) * 0x100000001b3 + 0x9e3779b97f4a7c15;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

bool holds(const fs::path& file, const std::string& text) {
  try {
    return is_own(file) && read_file(file, generated) == text;
  } catch (const FileError&) {
    return false;
  }
}

std::string said_in(const fs::path& file) {
  const std::string text = beginning_of(file).value_or("");
  std::error_code ignored;
  fs::remove(file, ignored);
  return text.empty() ? "it does not say why" : text;
}

Alone::Alone(const fs::path& stem)
    : file_(open((stem.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
  if (file_ < 0 || flock(file_, LOCK_EX) != 0)
    throw NotCompiled(fmt::format("'{}.lock' cannot be locked", stem.string()));
}
Alone::~Alone() { ::close(file_); }

std::string kept_for(const std::string& source, const std::string& ending,
                     const std::function<void(const fs::path&)>& make) {
  const fs::path stem = kept_in() / mark_of(source), made = stem.string() + ending,
                 mark = stem.string() + ".mark";
  const auto is_there = [&] {
    return is_own(made) && holds(stem.string() + ".src", source) &&
           holds(mark, content_mark(made).value_or("none"));
  };
  if (is_there()) return read_file(made, generated);
  const Alone alone(stem);
  if (!is_there()) {
    const fs::path mine = fmt::format("{}.{}{}", stem.string(), getpid(), ending);
    make(mine);
    std::error_code failed;
    fs::rename(mine, made, failed);
    if (failed) throw NotCompiled(fmt::format("'{}' cannot be written: {}", made.string(), failed.message()));
    write_file(stem.string() + ".src", source);
    write_file(mark, content_mark(made).value_or(""));
  }
  return read_file(made, generated);
}
}  // namespace mubody::io
