#pragma once
// The file of rows, which can be cut off at any moment and continued.
//
// The first line identifies the sweep by a hash of the model, the plan and the kept values; the second names
// the columns. Then there is one line for each point that is done, in the order of completion; lines are never written in parts.  A process that is killed leaves whole lines.  A full disk or a machine that goes
// down can tear the last line, which is removed when the sweep continues.      docs/user/sweep.md#the-file
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/sweep/row.h"
#include "mubody/text/temporary.h"

namespace mubody {
/// The first two lines of a file.
struct RowsHead {
  std::uint64_t hash = 0;
  std::size_t points = 0;
  std::string engine;                     // "lanes" or "one by one"; the last digits of results depend on it
  std::vector<std::string> varied, kept;  // headers of columns

  std::string text() const;
};

/// What happens to rows that are there already.
enum class OldRows { refuse, resume, discard };

/// Whether a file begins as files of rows do.
bool is_rows_file(std::string_view beginning);

/// Keeps other sweeps from a file that is to be replaced, as long as it is held.  Throws std::runtime_error if one writes to it.
io::Descriptor hold_rows(const std::filesystem::path&);

/// The file is locked while it is open, so that two sweeps cannot write to it.  One that is made and gets no row is removed.
class RowsFile {
 public:
  /// A link is not followed, since anybody could have put one where rows are usually collected.  Throws ModelError if the file
  /// belongs to another sweep and is resumed, or is not the file of a sweep, and std::runtime_error if it exists and is
  /// refused, if it cannot be written, or if another process writes to it.
  RowsFile(const std::filesystem::path&, const RowsHead&, OldRows);
  RowsFile(const RowsFile&) = delete;
  RowsFile& operator=(const RowsFile&) = delete;
  ~RowsFile();

  /// Whether each point was done when the file was opened.
  const std::vector<bool>& done() const { return done_; }
  std::size_t count() const { return count_; }
  /// Adds a row, which is written with the next call of flush().
  void add(const SweepRow&);
  /// Writes the rows that were added, by one call to the system.  Throws std::runtime_error if that fails.
  void flush();
  /// Lets the file take the place of another one, if that has another name; a link stays.  Throws std::runtime_error.
  bool move_to(const std::filesystem::path&);

 private:
  void begin(OldRows);
  void leave_no_empty_file();
  void take_back(const std::string& text);

  io::NewFolders folders_;
  std::filesystem::path path_;
  RowsHead head_;
  io::Descriptor file_;
  bool made_ = false;   // the file was not there before, or had rows that are discarded
  bool blank_ = false;  // it was there and empty
  bool added_ = false;
  std::string pending_;  // rows that are not written yet
  std::vector<bool> done_;
  std::size_t count_ = 0;
};

/// All rows of a file, sorted by index.  Throws ModelError.
std::vector<SweepRow> read_rows(const std::filesystem::path&, const RowsHead&);
}  // namespace mubody
