#pragma once
// The forms in which tables of results are written, and which of them is in a folder.          docs/user/results.md
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/results/results.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
struct TableFormat {
  std::string_view name;  // in models, and the ending of files: "csv"
  /// Throws WriteError if the file cannot be written completely, or WritingStopped.
  void (*write)(const Table&, const std::filesystem::path&, const GoesOn&);
  bool leaves_blank;  // numbers that are not finite

  /// "bodies.csv"
  std::string file_of(std::string_view table) const { return std::string(table) + '.' + std::string(name); }
};

inline constexpr std::string_view usual_format = "csv";

/// All forms, the usual one first.
std::vector<TableFormat> table_formats();
/// Those that a word of OutputOptions::format stands for, which may be several.
std::vector<TableFormat> formats_named(std::string_view word);

/// The file of a table in a folder of results, the binary one if there are two; one that is not there if there is none.
std::filesystem::path table_file(const std::filesystem::path& folder, std::string_view table);
}  // namespace mubody::io
