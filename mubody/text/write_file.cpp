#include "mubody/text/write_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

namespace mubody::io {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t portion = 1 << 20;  // bytes handed to the system at a time

/// The number of an open file that a name stands for: 1 for /dev/stdout.
std::optional<int> number_of_stream(const fs::path& path) {
  const std::string name = path.string();
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int number = -1;
    if (!name.starts_with(folder)) continue;
    const char *const begin = name.data() + folder.size(), *const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error == std::errc{} && stop == end && number >= 0) return number;
  }
  return {};
}

Descriptor open_stream(const fs::path& path) {
  const std::optional<int> number = number_of_stream(path);
  Descriptor stream(number ? ::fcntl(*number, F_DUPFD_CLOEXEC, 0) : ::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!stream) throw WriteError(path, errno);
  return stream;
}

/// The target as it is, if it is there.
std::optional<struct stat> existing(const fs::path& named, const fs::path& target) {
  struct stat s {};
  if (!target.has_filename()) throw WriteError(named, "it is the name of a folder");
  if (::stat(target.c_str(), &s) != 0) {
    if (errno == ENOENT) return {};
    throw WriteError(named, errno);
  }
  if (S_ISDIR(s.st_mode)) throw WriteError(named, "it is a folder");
  if (S_ISFIFO(s.st_mode)) throw WriteError(named, "it is a pipe; expected a file");
  if (!S_ISREG(s.st_mode)) throw WriteError(named, "it is a device or a socket; expected a file");
  if (::access(target.c_str(), W_OK) != 0) throw WriteError(named, errno);
  return s;
}
}  // namespace

fs::path without_links(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  fs::path led_to = fs::canonical(path, error);
  if (error) throw WriteError(path, "it is a link to a file that is not there");
  return led_to;
}

void hand_to_disk(const Descriptor& file, const fs::path& named) {
  // Some file systems have nothing to flush and say so.
  if (::fsync(file.number()) != 0 && errno != EINVAL && errno != ENOTSUP) throw WriteError(named, errno);
}

bool is_stream(const fs::path& path) { return path == "/dev/null" || number_of_stream(path); }

NewFile::NewFile(const fs::path& target, GoesOn goes_on) : named_(target), goes_on_(std::move(goes_on)) {
  if (is_stream(target)) {
    file_.opened = open_stream(target);
    return;
  }
  target_ = without_links(target);
  const std::optional<struct stat> old = existing(named_, target_);
  folders_ = NewFolders(target_.parent_path());
  remove_left_overs(target_.parent_path(), [](std::string_view) { return false; });
  file_ = make_temporary_file(target_);
  if (old) ::fchmod(file_.opened.number(), old->st_mode & 07777);
}

NewFile::NewFile(NewFile&& other) noexcept
    : named_(std::move(other.named_)), target_(std::move(other.target_)), folders_(std::move(other.folders_)),
      file_(std::move(other.file_)), goes_on_(std::move(other.goes_on_)), finished_(other.finished_),
      buffer_(std::move(other.buffer_)) {
  other.file_.path.clear();
}

NewFile::~NewFile() {
  if (!file_.path.empty()) ::unlink(file_.path.c_str());
}

fmt::memory_buffer& NewFile::buffer() {
  if (buffer_.size() >= portion) flush();
  return buffer_;
}

void NewFile::flush() {
  std::string_view left(buffer_.data(), buffer_.size());
  while (!left.empty()) {
    if (goes_on_ && !goes_on_()) throw WritingStopped();
    const ssize_t written = ::write(file_.opened.number(), left.data(), std::min(left.size(), portion));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw WriteError(named_, errno);
    left.remove_prefix(std::size_t(written));
  }
  buffer_.clear();
}

// Files of a temporary folder are handed to the disk together, by whoever lets that folder appear.
void NewFile::finish() {
  if (finished_) return;
  flush();
  if (!file_.path.empty() && !is_temporary_name(target_.parent_path().filename().string()))
    hand_to_disk(file_.opened, named_);
  finished_ = true;
}

void NewFile::commit() {
  finish();
  if (file_.path.empty()) return;
  if (::rename(file_.path.c_str(), target_.c_str()) != 0) throw WriteError(named_, errno);
  file_.path.clear();
}

std::vector<NewFile> prepare_files(std::span<const FileText> files, const GoesOn& goes_on) {
  std::vector<NewFile> prepared;
  for (const FileText& f : files) {
    NewFile& file = prepared.emplace_back(f.file, goes_on);
    file.buffer().append(f.content.data(), f.content.data() + f.content.size());
    file.finish();
  }
  return prepared;
}

void write_files(std::span<const FileText> files, const GoesOn& goes_on) {
  for (NewFile& file : prepare_files(files, goes_on)) file.commit();
}

void write_file(const fs::path& file, std::string_view content, const GoesOn& goes_on) {
  const FileText one[] = {{file, std::string(content)}};
  write_files(one, goes_on);
}
}  // namespace mubody::io
