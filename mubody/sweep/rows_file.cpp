#include "mubody/sweep/rows_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "mubody/model/errors.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_file.h"
#include "mubody/text/write_table.h"

namespace mubody {
namespace {
namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& message) {
  throw std::runtime_error(fmt::format("'{}': {}", path.string(), message));
}

// The file is there and can be read, but does not contain what it should.
[[noreturn]] void refuse(const fs::path& path, const std::string& message) {
  throw ModelError(Place{path.string()}, message);
}

std::string contents(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_empty(path, ignored)) return {};
  try {
    return io::read_file(path, io::files::rows, [](std::string_view beginning, std::size_t size) {
      if (size > beginning.size() && !is_rows_file(beginning))
        throw io::FileError("is not the file of a sweep; choose another name with --out");
    });
  } catch (const io::FileError& e) {
    refuse(path, e.what());
  }
}

constexpr std::string_view rows_mark = "# mubody sweep 1, ";

// The first line, which differs between sweeps.
std::string mark_of(const RowsHead& head) {
  return fmt::format("{}{:016x}, {} points, {}", rows_mark, head.hash, head.points, head.engine);
}

/// Calls `take` with each whole line after the head and its number; returns where the last one ends.
template <class Take> std::size_t each_line(const std::string& text, const RowsHead& head, Take&& take) {
  std::size_t begin = head.text().size();
  for (int line = 3;; ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return begin;
    take(std::string_view(text).substr(begin, end - begin), line);
    begin = end + 1;
  }
}

SweepRow row_in(const fs::path& path, const RowsHead& head, std::string_view line, int number) {
  const auto row = row_of(line, head.varied.size(), head.kept.size());
  if (!row || row->index >= head.points)
    refuse(path, fmt::format("line {} is not a row of this sweep; remove it, and its point is computed again",
                             number));
  return *row;
}

void write_all(int file, std::string_view text, const fs::path& path) {
  // One call suffices, except with a full disk or after a signal.
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, fmt::format("cannot be written: {}", std::strerror(errno)));
    text.remove_prefix(std::size_t(written));
  }
}

/// Opens the file, and makes it if it is not there; `made` says so.
io::Descriptor open_or_make(const fs::path& path, bool& made) {
  constexpr int how = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW;
  constexpr int attempts = 100;  // somebody may remove the file between the two calls
  for (int k = 0; k < attempts; ++k) {
    io::Descriptor file(::open(path.c_str(), how | O_CREAT | O_EXCL, 0666));
    made = bool(file);
    if (!file && errno == EEXIST) file = io::Descriptor(::open(path.c_str(), how));
    if (file) return file;
    if (errno != ENOENT) break;
  }
  if (errno == ELOOP) fail(path, "is a link, and rows are not written through one; remove it");
  fail(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

// A sweep that ended in the meantime may have put another file there.
void lock_rows(const fs::path& path, const io::Descriptor& file) {
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0 || !io::is_at(path, file))
    fail(path, "another sweep is writing to it");
}
}  // namespace

std::string RowsHead::text() const {
  std::string all = mark_of(*this) + "\nindex";
  for (const auto* names : {&varied, &kept})
    for (const std::string& name : *names) all += "," + io::csv_cell(name);
  return all + ",violation[m|rad],energy_residual[J],outcome,message\n";
}

bool is_rows_file(std::string_view beginning) { return beginning.starts_with(rows_mark); }

io::Descriptor hold_rows(const fs::path& path) {
  const fs::path there = io::without_links(path);
  io::Descriptor file(::open(there.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW));
  if (file) lock_rows(there, file);
  return file;
}

RowsFile::RowsFile(const fs::path& path, const RowsHead& head, OldRows old)
    : path_(path), head_(head), done_(head.points, false) {
  if (io::is_stream(path)) fail(path, "is a pipe or a device; expected a file");
  folders_ = io::NewFolders(path_.parent_path());
  file_ = open_or_make(path_, made_);
  struct stat s {};
  if (::fstat(file_.number(), &s) != 0 || !S_ISREG(s.st_mode))
    fail(path_, "is a pipe or a device; expected a file");
  lock_rows(path_, file_);
  try {
    begin(old);
  } catch (...) {
    leave_no_empty_file();
    throw;
  }
}

void RowsFile::begin(OldRows old) {
  std::string text = contents(path_);
  if (old == OldRows::discard && is_rows_file(text)) {
    if (::ftruncate(file_.number(), 0) != 0) fail(path_, std::strerror(errno));
    text.clear();
    made_ = true;
  }
  // A head alone, of a sweep that was killed before its first row, is no loss.
  if (old == OldRows::refuse && !head_.text().starts_with(text))
    fail(path_,
         "exists already; --resume continues it, --force replaces it, or choose another name with --out");
  blank_ = text.empty();
  take_back(text);
}

RowsFile::~RowsFile() {
  try {
    flush();
  } catch (const std::runtime_error&) {
    count_ = added_ ? count_ : 0;  // somebody has heard of another failure; these rows are computed again
  }
  if (added_) ::fsync(file_.number());
  leave_no_empty_file();
}

// A head without rows would only be in the way of the next attempt.
void RowsFile::leave_no_empty_file() {
  if (count_ > 0 || !io::is_at(path_, file_)) return;
  if (made_)
    ::unlink(path_.c_str());
  else if (blank_ && ::ftruncate(file_.number(), 0) != 0)
    return;  // the head stays, and can be continued
}

// Reads the rows that the file already has, and makes it end with a whole line.
void RowsFile::take_back(const std::string& text) {
  const std::string head = head_.text();
  if (head.starts_with(text)) {  // nothing, or the process died while it wrote the head
    if (::ftruncate(file_.number(), 0) != 0) fail(path_, std::strerror(errno));
    write_all(file_.number(), head, path_);
    return;
  }
  if (!text.starts_with(head)) {
    const std::string first = text.substr(0, text.find('\n'));
    if (!is_rows_file(first)) refuse(path_, "is not the file of a sweep; choose another name with --out");
    const bool engine =
        first.substr(0, first.rfind(", ")) == mark_of(head_).substr(0, mark_of(head_).rfind(", "));
    refuse(
        path_,
        engine
            ? fmt::format(
                  "was begun with '{}', now it is '{}': continue it in the same way, see --lanes and --device",
                  first.substr(first.rfind(", ") + 2), head_.engine)
            : "belongs to another sweep: model, settings, points or what is kept differ; choose another "
              "name with --out");
  }
  const std::size_t end = each_line(text, head_, [&](std::string_view line, int number) {
    const SweepRow row = row_in(path_, head_, line, number);
    if (done_[row.index]) refuse(path_, fmt::format("line {} has a point for the second time", number));
    done_[row.index] = true;
    ++count_;
  });
  if (end < text.size() && ::ftruncate(file_.number(), off_t(end)) != 0) fail(path_, std::strerror(errno));
}

void RowsFile::add(const SweepRow& row) {
  pending_ += row.line.empty() ? line_of(row, head_.kept.size()) : row.line;
  ++count_;
}

void RowsFile::flush() {
  if (pending_.empty()) return;
  const std::string lines = std::exchange(pending_, {});
  const off_t whole = ::lseek(file_.number(), 0, SEEK_END);
  try {
    write_all(file_.number(), lines, path_);
  } catch (...) {
    if (::ftruncate(file_.number(), whole) != 0)
      throw;  // the half of a line stays, and is removed when the sweep continues
    throw;
  }
  added_ = true;
}

bool RowsFile::move_to(const fs::path& path) {
  const fs::path target = io::without_links(path);
  if (target == path_) return false;
  if (::fsync(file_.number()) != 0 && errno != EINVAL) fail(path_, std::strerror(errno));
  if (::rename(path_.c_str(), target.c_str()) != 0)
    fail(path, fmt::format("cannot be replaced: {}", std::strerror(errno)));
  return true;
}

std::vector<SweepRow> read_rows(const fs::path& path, const RowsHead& head) {
  const std::string text = contents(path);
  if (!text.starts_with(head.text())) refuse(path, "belongs to another sweep");
  std::vector<SweepRow> rows;
  each_line(text, head,
            [&](std::string_view line, int number) { rows.push_back(row_in(path, head, line, number)); });
  std::ranges::sort(rows, {}, &SweepRow::index);
  return rows;
}
}  // namespace mubody
