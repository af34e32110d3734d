#include "mubody/sweep/keep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/model/units.h"
#include "mubody/text/stars.h"
#include "mubody/text/trimmed.h"
#include "mubody/text/write_table.h"

namespace mubody {
namespace {
struct Cell {
  const Table* table = nullptr;
  std::size_t column = 0;
};

Cell find(const Results& r, std::string_view channel) {
  for (const Table& t : r.tables)
    if (const int column = t.find(channel); column > 0) return {&t, std::size_t(column)};
  return {};
}

double row_value(const Cell& c, std::size_t row) { return c.table->at(row, c.column); }

/// The row at a time.  The time is in the first column, except in tables of modes, which have the number of the
/// mode there.
std::optional<std::size_t> row_at(const Table& t, double time) {
  for (std::size_t row = 0; row < t.rows(); ++row)
    if (std::abs(t.at(row, 0) - time) <= 1e-12 * std::max(1.0, std::abs(time))) return row;
  return {};
}

Kept word_of(std::string_view word) {
  Kept k;
  word = io::trimmed(word);
  for (const auto& [name, what] : {std::pair("max(", Kept::max), std::pair("min(", Kept::min)})
    if (word.starts_with(name)) {
      if (!word.ends_with(')'))
        throw std::invalid_argument(fmt::format("the closing bracket of '{}' is missing", word));
      k.what = what;
      k.channel = io::trimmed(word.substr(4, word.size() - 5));
      return k;
    }
  const std::size_t at = word.find('@');
  k.channel = io::trimmed(word.substr(0, at));
  if (at != std::string_view::npos) {
    k.what = Kept::at;
    try {
      k.time = to_si(io::trimmed(word.substr(at + 1)), "s");
    } catch (const UnitError& e) {
      throw std::invalid_argument(fmt::format("'{}': {}", word, e.what()));
    }
  }
  return k;
}

/// A length, an angle or a part of an orientation, and no rate.
bool is_position(const Column& c) {
  const Dimension dim = parse_unit(c.unit).dim;
  return dim.kg == 0 && dim.s == 0;
}

/// The positions of the bodies, or the channels that the model lists.
std::vector<Kept> usual(const Results& example) {
  std::vector<Kept> all;
  const Table* listed = example.find("channels");
  const Table* table = listed ? listed : example.find("bodies");
  if (!table && !example.tables.empty()) table = &example.tables.front();
  for (std::size_t c = 1; table && c < table->columns.size(); ++c) {
    const Column& column = table->columns[c];
    if (listed || is_position(column) || table->name != "bodies")
      all.push_back({Kept::last, column.name, column.unit});
  }
  return all;
}
}  // namespace

std::vector<std::string> Kept::headers() const {
  switch (what) {
    case last: return {io::header_of({channel, unit})};
    case at: return {io::header_of({fmt::format("{}@{}", channel, time), unit})};
    default: break;
  }
  const std::string name = fmt::format("{}({})", what == max ? "max" : "min", channel);
  return {io::header_of({name, unit}), "time of " + name + "[s]"};
}

std::vector<Kept> read_kept(const std::vector<std::string>& words, const Results& example) {
  if (words.empty()) return usual(example);
  std::vector<Kept> all;
  std::set<std::string> there;
  for (const std::string& word : words) {
    const Kept asked = word_of(word);
    bool any = false;
    std::vector<std::string> known;
    for (const Table& t : example.tables)
      for (std::size_t c = 1; c < t.columns.size(); ++c) {
        known.push_back(t.columns[c].name);
        if (!io::fits(known.back(), asked.channel)) continue;
        any = true;
        Kept k = asked;
        k.channel = known.back();
        k.unit = t.columns[c].unit;
        if (there.insert(k.headers().front()).second) all.push_back(k);
      }
    if (!any)
      throw std::invalid_argument(
          fmt::format("no channel '{}'{}", asked.channel, suggestion(asked.channel, known)));
  }
  return all;
}

std::vector<double> times_of(const std::vector<Kept>& kept) {
  std::vector<double> times;
  for (const Kept& k : kept)
    if (k.what == Kept::at) times.push_back(k.time);
  return times;
}

std::vector<double> take(const std::vector<Kept>& kept, const Results& r) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> numbers;
  for (const Kept& k : kept) {
    const Cell cell = find(r, k.channel);
    const std::size_t rows = cell.table ? cell.table->rows() : 0;
    if (k.what == Kept::last) {
      numbers.push_back(rows > 0 ? row_value(cell, rows - 1) : none);
    } else if (k.what == Kept::at) {
      const auto row = rows > 0 ? row_at(*cell.table, k.time) : std::nullopt;
      numbers.push_back(row ? row_value(cell, *row) : none);
    } else {
      double best = none, when = none;
      for (std::size_t row = 0; row < rows; ++row) {
        const double x = row_value(cell, row);
        if (best == best && !(k.what == Kept::max ? x > best : x < best)) continue;
        best = x, when = cell.table->at(row, 0);
      }
      numbers.insert(numbers.end(), {best, when});
    }
  }
  return numbers;
}
}  // namespace mubody
