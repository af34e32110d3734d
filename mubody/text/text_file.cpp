#include "mubody/text/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include "mubody/text/checksum.h"
#include "mubody/text/paths.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t megabyte = 1'000'000, beginning_size = 4096;

std::string why_not_opened(int reason) {
  if (reason == ENOENT || reason == ENOTDIR) return "no such file";
  if (reason == ELOOP) return "is a link that leads back to itself, and so to no file";
  return fmt::format("cannot be opened: {}", std::strerror(reason));
}

/// A file that is open for reading.
class Opened {
 public:
  // Opening a pipe would wait for somebody who writes to it, were it not for O_NONBLOCK.
  explicit Opened(const fs::path& path, int how = 0)
      : file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | how)) {
    if (file_ < 0) throw FileError(why_not_opened(errno));
    if (::fstat(file_, &status_) != 0) {
      ::close(file_);
      throw FileError(fmt::format("cannot be read: {}", std::strerror(errno)));
    }
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() { ::close(file_); }

  bool is_folder() const { return S_ISDIR(status_.st_mode); }
  bool is_regular() const { return S_ISREG(status_.st_mode); }
  std::size_t size() const { return std::size_t(std::max<off_t>(0, status_.st_size)); }

  /// The next bytes; fewer if the file ends before.
  std::string read(std::size_t bytes) const {
    std::string all;
    go_on(all, bytes);
    return all;
  }
  /// Reads on until so many bytes are there in all, if the file has them.
  void go_on(std::string& all, std::size_t bytes) const {
    std::size_t done = all.size();
    all.resize(bytes);
    while (done < bytes) {
      const ssize_t some = ::read(file_, all.data() + done, bytes - done);
      if (some < 0 && errno == EINTR) continue;
      if (some < 0) throw FileError(fmt::format("cannot be read: {}", std::strerror(errno)));
      if (some == 0) break;
      done += std::size_t(some);
    }
    all.resize(done);
  }

 private:
  int file_;
  struct stat status_ {};
};

std::string size_part(std::size_t bytes) { return fmt::format("{} bytes, ", bytes); }

/// The end of a mark: the checksum of earlier versions, or the fast one after a letter.
constexpr std::size_t sum_digits = 16;
constexpr std::string_view wide_sign = "w";
enum class Sum { bytes, wide };

std::string mark_of_content(const Opened& file, Sum kind, const std::function<bool()>& goes_on) {
  constexpr std::size_t portion = 1 << 16;
  std::uint64_t sum = empty_checksum;
  std::size_t bytes = 0;
  for (std::string some = file.read(portion); !some.empty() && bytes <= file.size();
       some = file.read(portion)) {
    if (goes_on && !goes_on()) throw WritingStopped();
    sum = kind == Sum::wide ? wide_checksum(some, sum) : checksum(some, sum);
    bytes += some.size();
  }
  return fmt::format("{}{}{:0{}x}", size_part(bytes), kind == Sum::wide ? wide_sign : "", sum, sum_digits);
}

void check_text(std::string_view text) {
  // Old files end with a mark of DOS, and have form feeds.
  if (text.ends_with('\x1A')) text.remove_suffix(1);
  const auto odd = std::ranges::find_if(text, [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && (c < '\t' || c > '\r')) || c == '\x7F';
  });
  if (odd == text.end()) return;
  const std::size_t at = std::size_t(odd - text.begin());
  throw FileError(*odd == '\0'
                      ? fmt::format("is not text: byte {} is zero", at + 1)
                      : fmt::format("is not text: byte {} is the control character {}", at + 1, int(*odd)));
}
}  // namespace

std::string read_file(const fs::path& path, const FileKind& kind, const BeginningCheck& check) {
  if (path.native().find('\0') != std::string::npos) throw FileError("no such file");
  const Opened file(path);
  if (file.is_folder()) {
    std::error_code ignored;
    const fs::path inside = path / "model.toml";
    throw FileError(
        fmt::format("is a folder, expected {}{}", kind.what,
                    fs::exists(inside, ignored) ? "; did you mean '" + inside.string() + "'?" : ""));
  }
  if (!file.is_regular())
    throw FileError(fmt::format(
        "is no regular file but a pipe or a device, expected {}; copy it into a file first", kind.what));
  if (file.size() > kind.most_megabytes * megabyte)
    throw FileError(fmt::format("is {} MB large; {} has at most {} MB", file.size() / megabyte, kind.what,
                                kind.most_megabytes));
  std::string text = file.read(std::min(file.size(), beginning_size));
  if (text.empty()) throw FileError("is empty");
  if (kind.text) check_text(text);
  if (check) check(text, file.size());
  if (text.size() == file.size()) return text;
  file.go_on(text, file.size());
  if (kind.text) check_text(text);
  return text;
}

std::optional<std::string> beginning_of(const fs::path& path, std::size_t most) {
  try {
    const Opened file(path);
    if (file.is_regular()) return file.read(std::min(most, file.size()));
    return {};
  } catch (const FileError&) {
    return {};
  }
}

std::optional<std::string> content_mark(const fs::path& path, const std::function<bool()>& goes_on) {
  try {
    const Opened file(path, O_NOFOLLOW);
    return file.is_regular() ? std::optional(mark_of_content(file, Sum::wide, goes_on)) : std::nullopt;
  } catch (const FileError&) {
    return {};
  }
}

bool has_content(const fs::path& path, const FileKind& kind, std::span<const std::string> marks,
                 const std::function<bool()>& goes_on) {
  if (marks.empty()) return false;
  try {
    for (const Sum sum : {Sum::wide, Sum::bytes}) {
      const Opened file(path, O_NOFOLLOW);
      const std::string begin = size_part(file.size()) + std::string(sum == Sum::wide ? wide_sign : "");
      const auto may_be = [&](const std::string& mark) {
        return mark.size() == begin.size() + sum_digits && mark.starts_with(begin);
      };
      if (!file.is_regular() || file.size() > kind.most_megabytes * megabyte) return false;
      if (std::ranges::none_of(marks, may_be)) continue;
      if (std::ranges::find(marks, mark_of_content(file, sum, goes_on)) != marks.end()) return true;
    }
    return false;
  } catch (const FileError&) {
    return false;
  }
}

bool lies_below(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  // A relative path of which nothing is there yet would stay relative.
  const fs::path inside = fs::weakly_canonical(fs::absolute(file, error), error);
  // A link that leads back to itself leads nowhere, and cannot be opened.
  if (error == std::errc::too_many_symbolic_link_levels) return true;
  if (error) return false;
  // Whoever can put a file into a folder of his own could put a link in place of the folder.
  if (!folder.empty() && fs::is_symlink(plain_name(folder), error)) return false;
  const fs::path around = fs::canonical(folder.empty() ? "." : folder, error);
  if (error) return false;
  return contains(around, inside);
}
}  // namespace mubody::io
