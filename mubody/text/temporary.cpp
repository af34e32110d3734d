#include "mubody/text/temporary.h"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <random>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "mubody/text/checksum.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view temporary_mark = ".mubody-";
constexpr std::size_t random_letters = 6, check_letters = 6;
constexpr std::size_t longest_stem = 200;  // names of files have at most 255 bytes
constexpr int attempts = 100;

constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The letters at the end of a temporary's name, which follow from all before them.
std::string check_of(std::string_view before) {
  std::string check;
  for (std::uint64_t rest = checksum(before); check.size() < check_letters; rest /= letters.size())
    check += letters[rest % letters.size()];
  return check;
}

// Someone who removes left-overs may have been quicker; then the temporary is made again under another name.  A file system
// without locks has no left-overs removed either.
bool lock_own(const fs::path& path, const Descriptor& made) {
  if (::flock(made.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  return is_at(path, made);
}

std::vector<std::string> names_at(int folder) {
  std::vector<std::string> names;
  DIR* const list = ::fdopendir(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!list) return names;
  while (const dirent* entry = ::readdir(list)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(list);
  return names;
}

bool remove_flat(int where, const std::string& name, const Descriptor& folder, const KnownName& known) {
  const std::vector<std::string> inside = names_at(folder.number());
  for (const std::string& n : inside) {
    struct stat s {};
    if (!known(n) && !is_temporary_name(n)) return false;
    if (::fstatat(folder.number(), n.c_str(), &s, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(s.st_mode))
      return false;
  }
  for (const std::string& n : inside) ::unlinkat(folder.number(), n.c_str(), 0);
  return ::unlinkat(where, name.c_str(), AT_REMOVEDIR) == 0;
}

// Nothing but files and folders is opened, since opening a pipe or a device may wait or have effects.
void remove_left_over(int where, const std::string& name, const KnownName& known) {
  struct stat s {};
  if (::fstatat(where, name.c_str(), &s, AT_SYMLINK_NOFOLLOW) != 0 || s.st_uid != ::geteuid()) return;
  if (!S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode)) return;
  const Descriptor found(::openat(where, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat opened {};
  if (!found || ::fstat(found.number(), &opened) != 0 || opened.st_ino != s.st_ino || opened.st_dev != s.st_dev)
    return;
  if (::flock(found.number(), LOCK_EX | LOCK_NB) != 0) return;
  if (S_ISDIR(opened.st_mode))
    remove_flat(where, name, found, known);
  else if (S_ISREG(opened.st_mode))
    ::unlinkat(where, name.c_str(), 0);
}
}  // namespace

// "" stands for a folder without a name of its own: ".mubody-XXXXXXXXXXXX".
std::string temporary_name(std::string_view name) {
  std::random_device random;
  std::uniform_int_distribution<std::size_t> any(0, letters.size() - 1);
  std::string made = name.empty() ? "" : "." + std::string(name.substr(0, longest_stem));
  made += temporary_mark;
  for (std::size_t k = 0; k < random_letters; ++k) made += letters[any(random)];
  return made + check_of(made);
}

bool is_temporary_name(std::string_view name) {
  constexpr std::size_t ending = temporary_mark.size() + random_letters + check_letters;
  if (name.size() < ending || name[0] != '.') return false;
  return name.substr(name.size() - ending).starts_with(temporary_mark) &&
         name.ends_with(check_of(name.substr(0, name.size() - check_letters)));
}

WriteError::WriteError(const fs::path& file, const std::string& reason)
    : std::runtime_error(fmt::format("cannot write to '{}': {}", file.string(), reason)), path(file),
      why(reason) {}
WriteError::WriteError(const fs::path& file, int reason)
    : WriteError(file, std::generic_category().message(reason)) {}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}
Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

bool is_at(const fs::path& path, const Descriptor& opened) {
  struct stat named {
  }, open{};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(opened.number(), &open) == 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

std::vector<std::string> names_in(const fs::path& folder) {
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened ? names_at(opened.number()) : std::vector<std::string>{};
}

Temporary make_temporary_file(const fs::path& target) {
  for (int k = 0; k < attempts; ++k) {
    const fs::path path = target.parent_path() / temporary_name(target.filename().string());
    Descriptor made(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!made && errno != EEXIST) throw WriteError(target, errno);
    if (made && lock_own(path, made)) return {path, std::move(made)};
  }
  throw WriteError(target, EEXIST);
}

Temporary make_temporary_folder(const fs::path& where, std::string_view name) {
  for (int k = 0; k < attempts; ++k) {
    const fs::path path = where / temporary_name(name);
    if (::mkdir(path.c_str(), 0777) != 0) {
      if (errno == EEXIST) continue;
      throw WriteError(where, errno);
    }
    Descriptor made(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (made && lock_own(path, made)) return {path, std::move(made)};
  }
  throw WriteError(where, EEXIST);
}

NewFolders::NewFolders(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> missing;
  for (fs::path f = folder; !f.empty() && !fs::exists(f, error) && !error; f = f.parent_path())
    missing.insert(missing.begin(), f);
  for (const fs::path& f : missing)
    if (!error && fs::create_directory(f, error)) made_.push_back(f);
  if (!error && (folder.empty() || fs::is_directory(folder, error))) return;
  NewFolders none;
  std::swap(none.made_, made_);
  throw WriteError(folder, error ? error.message() : "it is not a folder");
}

NewFolders& NewFolders::operator=(NewFolders&& other) noexcept {
  std::swap(made_, other.made_);
  return *this;
}

NewFolders::~NewFolders() {
  for (auto f = made_.rbegin(); f != made_.rend(); ++f) ::rmdir(f->c_str());  // fails if something is in it
}

bool remove_flat_folder(const fs::path& path, const KnownName& known) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  return folder && remove_flat(AT_FDCWD, path.string(), folder, known);
}

void remove_left_overs(const fs::path& folder, const KnownName& known) {
  const fs::path where = folder.empty() ? fs::path(".") : folder;
  const Descriptor opened(::open(where.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) return;
  for (const std::string& name : names_at(opened.number()))
    if (is_temporary_name(name)) remove_left_over(opened.number(), name, known);
}
}  // namespace mubody::io
