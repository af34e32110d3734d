#pragma once
// The file of rows: it can be cut off at any moment and continued.
//
// The first line says which sweep it belongs to, by a hash of model, plan and what is kept; the second names the
// columns.  Then there is one line for every point that is done, in the order in which they were, each written by one
// call to the system.  A process that is killed leaves whole lines; at most the last one is torn, by a full disk or by a
// machine that went down, and it is taken away when the sweep continues.                docs/user/sweep.md#the-file
#include <filesystem>
#include <string>
#include <vector>

#include "mubody/sweep/row.h"

namespace mubody {
/// What the head of a file must be.
struct RowsHead {
  std::uint64_t hash = 0;
  std::size_t points = 0;
  std::string engine;                     // "lanes" or "one by one": the last digits depend on it
  std::vector<std::string> varied, kept;  // headers of columns

  std::string text() const;
};

/// Locked while it is open: two sweeps cannot write to one file.
class RowsFile {
 public:
  /// Throws std::runtime_error: the file is there and `resume` is false, or it belongs to another sweep, or it cannot
  /// be written to, or another process writes to it.
  RowsFile(const std::filesystem::path&, const RowsHead&, bool resume);
  RowsFile(const RowsFile&) = delete;
  RowsFile& operator=(const RowsFile&) = delete;
  ~RowsFile();

  /// Whether each point was done when the file was opened.
  const std::vector<bool>& done() const { return done_; }
  std::size_t count() const { return count_; }
  /// Throws std::runtime_error if it cannot be written.
  void add(const SweepRow&);

 private:
  void take_back(const std::string& text);

  std::filesystem::path path_;
  RowsHead head_;
  int file_ = -1;
  bool added_ = false;
  std::vector<bool> done_;
  std::size_t count_ = 0;
};

/// All rows of a file, by index.  Throws std::runtime_error.
std::vector<SweepRow> read_rows(const std::filesystem::path&, const RowsHead&);
}  // namespace mubody
