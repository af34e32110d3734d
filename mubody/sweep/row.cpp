#include "mubody/sweep/row.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/model/escape.h"
#include "mubody/text/write_table.h"

namespace mubody {
namespace {
constexpr std::string_view words[] = {"good", "doubtful", "failed"};
constexpr std::size_t more = 5;  // cells besides values and kept numbers

void add_number(std::string& line, double x) {
  line += ',';
  if (std::isfinite(x)) fmt::format_to(std::back_inserter(line), "{}", x);
}

// The cells of a line, without their quotes; doubled quotes within a cell become single.  None if a quote does
// not close.
std::optional<std::vector<std::string>> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"') {
      const bool twice = quoted && k + 1 < line.size() && line[k + 1] == '"';
      if (twice)
        cells.back() += line[k++];
      else
        quoted = !quoted;
    } else if (line[k] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[k];
    }
  }
  if (quoted) return {};
  return cells;
}

template <class Number> bool read(std::string_view text, Number& x) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  return error == std::errc() && end == text.data() + text.size();
}
}  // namespace

std::string_view word_of(SweepRow::Outcome outcome) { return words[outcome]; }

std::string line_of(const SweepRow& row, std::size_t kept) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::string line = fmt::format("{}", row.index);
  for (const double x : row.values) add_number(line, x);
  for (std::size_t k = 0; k < kept; ++k) add_number(line, k < row.kept.size() ? row.kept[k] : none);
  const bool ran = row.outcome != SweepRow::failed;
  add_number(line, ran ? row.violation : none);
  add_number(line, ran ? row.energy : none);
  // A row is a single line, so line breaks and other controls in messages become spaces.
  std::string message = row.message;
  std::ranges::replace_if(
      message, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, ' ');
  return line += fmt::format(",{},{}\n", words[row.outcome], io::csv_cell(message));
}

std::optional<SweepRow> row_of(std::string_view line, std::size_t values, std::size_t kept) {
  const auto cells = cells_of(line);
  if (!cells || cells->size() != values + kept + more) return {};
  SweepRow row;
  if (!read((*cells)[0], row.index)) return {};
  const auto number = [&](std::size_t cell, double& x) {
    if (!(*cells)[cell].empty()) return read((*cells)[cell], x);
    x = std::numeric_limits<double>::quiet_NaN();
    return true;
  };
  row.values.resize(values);
  row.kept.resize(kept);
  for (std::size_t k = 0; k < values; ++k)
    if (!number(1 + k, row.values[k])) return {};
  for (std::size_t k = 0; k < kept; ++k)
    if (!number(1 + values + k, row.kept[k])) return {};
  const std::size_t next = 1 + values + kept;
  const auto* word = std::ranges::find(words, (*cells)[next + 2]);
  if (!number(next, row.violation) || !number(next + 1, row.energy) || word == std::end(words)) return {};
  row.outcome = SweepRow::Outcome(word - words);
  row.message = from_csv((*cells)[next + 3]);
  if (row.outcome == SweepRow::failed) row.kept.clear();
  return row;
}
}  // namespace mubody
