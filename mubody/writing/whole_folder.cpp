#include "mubody/writing/whole_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "mubody/text/paths.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;

fs::path above(const fs::path& folder) {
  return folder.has_parent_path() ? folder.parent_path() : fs::path(".");
}

bool is_current_or_above(const fs::path& folder) {
  std::error_code error;
  const fs::path here = fs::current_path(error), there = fs::canonical(folder, error);
  if (error) return true;
  return contains(there, here);
}

bool is_mount_point(const fs::path& folder) {
  struct statx s {};
  if (::statx(AT_FDCWD, folder.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &s) != 0) return true;
  return (s.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

// A folder that is exchanged gets another owner and loses its place in the hands of who is in it.
bool may_be_exchanged(const fs::path& folder) {
  struct stat s {};
  if (::lstat(folder.c_str(), &s) != 0 || !S_ISDIR(s.st_mode) || s.st_uid != ::geteuid()) return false;
  return folder.filename() != ".." && ::access(above(folder).c_str(), W_OK | X_OK) == 0 &&
         !is_mount_point(folder) && !is_current_or_above(folder);
}

bool has_only(const fs::path& folder, const FileNames& ours, const FolderKind& kind) {
  return std::ranges::all_of(names_in(folder),
                             [&](const std::string& n) { return ours.contains(n) && kind.known(n); });
}

bool takes_place_of(const fs::path& a, const fs::path& b, unsigned how) {
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), how) == 0;
}

void move(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw WriteError(to, errno);
}

/// Waits until no other program changes the folder, which takes moments.
Descriptor locked_folder(const fs::path& folder) {
  constexpr int most = 100;
  constexpr auto pause = std::chrono::milliseconds(100);
  for (int k = 0; k < most; ++k) {
    Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened) throw WriteError(folder, errno);
    // A file system without locks has to do without.
    const bool locked = ::flock(opened.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    struct stat named {
    }, open{};
    const bool same = ::stat(folder.c_str(), &named) == 0 && ::fstat(opened.number(), &open) == 0 &&
                      named.st_dev == open.st_dev && named.st_ino == open.st_ino;
    if (same && locked) return opened;
    if (!locked) std::this_thread::sleep_for(pause);
  }
  throw WriteError(folder, "another program is writing to it; try again");
}

void refuse_other(const fs::path& file, bool ours, const Replacing& how) {
  std::error_code none;
  const fs::file_status status = fs::symlink_status(file, none);
  if (!fs::exists(status) || ours) return;
  if (!fs::is_regular_file(status))
    throw WriteError(file, "it is there already and is not a file; choose another folder");
  if (!how.force)
    throw WriteError(file,
                     "the file is there already and was not written by mubody; choose another folder, or "
                     "replace it with --force");
}
}  // namespace

void refuse_others(const fs::path& folder, const FolderKind& kind, const FileNames& names,
                   const Replacing& how) {
  FileNames ours;
  for (const std::string& name : names) {
    std::error_code none;
    if (!fs::exists(fs::symlink_status(folder / name, none))) continue;
    // Another run may have put its folder there since the last look, or may be doing so just now.
    constexpr int looks = 4;
    constexpr auto pause = std::chrono::milliseconds(20);
    for (int k = 0; k < looks && !how.force && !ours.contains(name); ++k) {
      if (k > 0) std::this_thread::sleep_for(pause);
      ours = kind.ours(folder);
    }
    refuse_other(folder / name, ours.contains(name), how);
  }
}

WholeFolder::WholeFolder(const fs::path& folder, FolderKind kind)
    : folder_(plain_name(folder)), kind_(std::move(kind)) {
  remove_left_overs(above(folder_), kind_.known);
  struct stat s {};
  const bool there = ::stat(folder_.c_str(), &s) == 0;
  if (!there && errno != ENOENT) throw WriteError(folder_, errno);
  if (there && !S_ISDIR(s.st_mode)) throw WriteError(folder_, "it is not a folder");
  if (there) {
    // Another run may exchange the folder, unless it is locked or has a workshop in it.
    const Descriptor locked = locked_folder(folder_);
    remove_left_overs(folder_, kind_.known);
    inside_ = !may_be_exchanged(folder_) || !has_only(folder_, kind_.ours(folder_), kind_);
    if (inside_) workshop_ = make_temporary_folder(folder_, "");
  } else {
    above_ = NewFolders(above(folder_));
  }
  if (!inside_) workshop_ = make_temporary_folder(above(folder_), folder_.filename().string());
}

WholeFolder::~WholeFolder() {
  if (!workshop_.path.empty()) remove_flat_folder(workshop_.path, kind_.known);
}

// The folder may have appeared since, from another run; it is then replaced as any other.
bool WholeFolder::becomes_folder() {
  if (inside_) return false;
  if (takes_place_of(workshop_.path, folder_, RENAME_NOREPLACE)) return true;
  if (errno == EEXIST) return false;
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder_, error))) return false;
  move(workshop_.path, folder_);  // for file systems that cannot forbid replacing
  return true;
}

bool WholeFolder::exchange(const FileNames& ours) {
  struct stat old {
  }, made{};
  if (inside_ || !may_be_exchanged(folder_) || !has_only(folder_, ours, kind_) ||
      ::stat(folder_.c_str(), &old) != 0)
    return false;
  const int number = workshop_.opened.number();
  if (::fstat(number, &made) != 0 ||
      (made.st_gid != old.st_gid && ::fchown(number, uid_t(-1), old.st_gid) != 0))
    return false;
  ::fchmod(number, old.st_mode & 07777);
  if (!takes_place_of(workshop_.path, folder_, RENAME_EXCHANGE)) return false;
  // What someone else put there in the last moment stays with the folder; where that cannot be, the old folder stays too.
  bool all_moved = true;
  for (const std::string& name : names_in(workshop_.path))
    if (!ours.contains(name))
      all_moved &= takes_place_of(workshop_.path / name, folder_ / name, RENAME_NOREPLACE);
  if (!all_moved) keep_workshop();
  return true;
}

// Without the point at its beginning the name is not that of a temporary, which the next run would remove.
fs::path WholeFolder::keep_workshop() {
  const fs::path hidden = std::exchange(workshop_.path, {});
  const fs::path kept = hidden.parent_path() / hidden.filename().string().substr(1);
  return takes_place_of(hidden, kept, 0) ? kept : hidden;
}

void WholeFolder::move_in(const FileNames& names, const FileNames& ours) {
  const fs::path head = folder_ / kind_.head;
  std::error_code ignored;
  if (kind_.stand_in) {
    std::vector<fs::path> all;
    for (const std::string& name : ours) all.push_back(folder_ / name);
    for (const std::string& name : names) all.push_back(workshop_.path / name);
    write_file(head, kind_.stand_in(all));
  } else {
    fs::remove(head, ignored);
  }
  for (const std::string& name : names)
    if (name != kind_.head) move(workshop_.path / name, folder_ / name);
  for (const std::string& name : ours)
    if (!names.contains(name) && kind_.known(name)) fs::remove(folder_ / name, ignored);
  move(workshop_.path / kind_.head, head);
}

void WholeFolder::place(const Replacing& how) {
  if (becomes_folder()) {
    workshop_.path.clear();
    return;
  }
  const Descriptor locked = locked_folder(folder_);
  const std::vector<std::string> made = names_in(workshop_.path);
  const FileNames names(made.begin(), made.end());
  const FileNames ours = kind_.ours(folder_);  // asked once, since large tables take a while
  for (const std::string& name : names) refuse_other(folder_ / name, ours.contains(name), how);
  if (!exchange(ours)) move_in(names, ours);  // the workshop now has the old files, or is empty
}

// Most of what a disk takes for one file it takes for all that are waiting, so that they are handed over together.
void WholeFolder::hand_over() const {
  for (const std::string& name : names_in(workshop_.path)) {
    const fs::path file = workshop_.path / name;
    const Descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!opened) throw WriteError(folder_ / name, errno);
    hand_to_disk(opened, folder_ / name);
  }
}

void WholeFolder::put_in_place(const Replacing& how) {
  try {
    hand_over();
    place(how);
  } catch (const WriteError& e) {
    throw WriteError(e.path, fmt::format("{}; new files that are not there yet are in '{}'", e.why,
                                         keep_workshop().string()));
  }
}
}  // namespace mubody::io
