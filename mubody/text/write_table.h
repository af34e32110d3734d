#pragma once
// Result tables as comma-separated values: one header row `name[unit]`, the time first, all digits.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/results/results.h"
#include "mubody/text/write_file.h"

namespace mubody::io {
/// A cell of a CSV file, in quotes if it needs them.
std::string csv_cell(std::string_view text);

/// "crank.x[m]".
std::string header_of(const Column&);

/// How many numbers are not finite; their cells are left empty.
std::size_t empty_cells(const Table&);

/// These functions throw WriteError if the file cannot be written completely, or WritingStopped; nothing has changed then.
void write_table(const Table&, const std::filesystem::path& file, const GoesOn& = {});
void write_events(const std::vector<Event>&, const std::filesystem::path& file, const GoesOn& = {});
void write_reactions(const std::vector<Reaction>&, const std::filesystem::path& file, const GoesOn& = {});
void write_extremes(const std::vector<Extreme>&, const std::filesystem::path& file, const GoesOn& = {});
void write_contacts(const std::vector<ContactRecord>&, const std::filesystem::path& file, const GoesOn& = {});
void write_accuracy(const Accuracy&, const std::filesystem::path& file, const GoesOn& = {});
}  // namespace mubody::io
