// The reader: lines are sorted under their headings, then every section takes the lines that (a) asks for.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "mubody/math/characters.h"
#include "mubody/math/suggest.h"
#include "mubody/model/errors.h"
#include "mubody/mubodyna/check_file.h"
#include "mubody/mubodyna/list_input.h"

namespace mubody::io::mubodyna {
namespace {

// "(a)" before a title, or "INPUT" as in the names of the manual's flowchart, may be left out.
std::string without_prefix(std::string text) {
  if (text.size() > 3 && text[0] == '(' && text[2] == ')') text.erase(0, text[3] == ' ' ? 4 : 3);
  constexpr std::string_view input = "INPUT ";
  if (text.starts_with(input)) text.erase(0, input.size());
  return text;
}

const Section* section_of(std::string_view line) {
  const std::string text = without_prefix(normal(line));
  for (const Section& s : sections()) {
    if (begins_with(text, normal(s.title))) return &s;
    for (const std::string_view other : s.also)
      if (begins_with(text, normal(other))) return &s;
  }
  return nullptr;
}

// A line that only names columns, "X Y PHI XD YD PHID" or "Time Guid_1 Guid_2 ...", as in the manual's tables.
bool names_columns(const Line& line, const Section& s) {
  constexpr std::string_view of_data[] = {"TIME", "GUID", "FX", "FY", "X P", "Y P", "XI P I", "ETA P I"};
  const bool has_data = s.letter == 'l' || s.letter == 'o';
  return std::ranges::all_of(line.words, [&](const Word& w) {
    std::string word = normal(w.text);
    while (!word.empty() && (word.back() == '.' || (word.back() >= '0' && word.back() <= '9'))) word.pop_back();
    while (word.ends_with(' ')) word.pop_back();
    if (word.empty() || (has_data && std::ranges::find(of_data, word) != std::end(of_data))) return true;
    return std::ranges::any_of(s.columns, [&](const Column& c) { return normal(c.name) == word; });
  });
}

// The words nan and inf are meant as numbers.
bool is_heading(const Line& line) {
  const std::string first = normal(line.words.front().text);
  return (is_letter(line.text.front()) || line.text.front() == '(') && first != "NAN" && first != "INF" &&
         first != "INFINITY";
}

/// "! name" or "! name (3)".
void take_comment(std::string_view comment, Row& row) {
  const std::size_t open = comment.rfind(" (");
  if (open != std::string_view::npos && comment.ends_with(')')) {
    const auto number = fortran_number(comment.substr(open + 2, comment.size() - open - 3));
    if (number && *number >= 1 && *number == std::floor(*number) && *number < 1e6) {
      row.place = static_cast<int>(*number);
      comment = comment.substr(0, open);
    }
  }
  row.name = comment;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& path, Quotes quotes)
      : quotes_(quotes), lines_(lines_of(text)) {
    file_.path = path;
  }

  File read() {
    sort_lines();
    read_counts();
    for (const Section& s : sections())
      if (s.letter != 'a') read_section(s);
    return std::move(file_);
  }

  std::array<int, counts> count_lines() const { return count_lines_; }

 private:
  /// The lines of one section.
  struct SectionLines {
    int heading = 0;  // line of the heading; 0 if there is none
    std::vector<const Line*> lines{};
  };
  SectionLines& lines_in(const Section& s) { return sections_[static_cast<std::size_t>(s.letter - 'a')]; }

  /// A part of the file in messages.
  std::string said(std::string_view part) const { return quoted(quotes_, part, "something else"); }

  [[noreturn]] void fail(int line, int column, const std::string& message) const {
    throw ModelError(Place{file_.path, line, column}, message);
  }

  void sort_lines() {
    const Section* now = nullptr;
    for (const Line& line : lines_) {
      const Section* next = is_heading(line) ? section_of(line.text) : nullptr;
      if (!next && is_heading(line) && now && names_columns(line, *now)) continue;
      if (!next && is_data(line, now)) {
        if (!now)
          fail(line.number, 0,
               fmt::format("{} is missing: a MUBODYNA file begins with it", section('a').label()));
        lines_in(*now).lines.push_back(&line);
        if (now->letter == 'a') counts_seen_ += std::max<std::size_t>(1, leading_numbers(line).size());
        continue;
      }
      if (!next) fail(line.number, 0, unknown_heading(line, now));
      if (!now) {
        if (next->letter != 'a')
          fail(line.number, 0,
               fmt::format("{} before {}: a MUBODYNA file begins with the numbers of elements", next->label(),
                           section('a').label()));
        file_.title = line.comment;
      }
      if (lines_in(*next).heading > 0)
        fail(line.number, 0,
             fmt::format("{} for the second time: it already stands at line {}", next->label(),
                         lines_in(*next).heading));
      lines_in(*next).heading = line.number;
      now = next;
    }
    if (!now) fail(1, 0, section('a').label() + " is missing: the file has no lines");
  }

  // A word in place of a number is a mistake in the data, unless the data are complete.
  bool is_data(const Line& line, const Section* now) {
    if (!is_heading(line)) return true;
    if (now && now->letter == 'a') return counts_seen_ < counts;
    Record record;
    record.add(line);
    return now && record.items().size() > 1 && fortran_number(record.items()[1].text);
  }

  std::string unknown_heading(const Line& line, const Section* now) const {
    std::vector<std::string> known;
    for (const Section& s : sections()) known.emplace_back(s.title);
    const std::string_view text = line.text;
    std::string title(text.substr(0, std::min(text.find(" -"), text.size())));
    std::ranges::replace(title, ' ', '_');
    std::ranges::transform(title, title.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    std::string near = suggestion(title, known);
    for (const Section& s : sections())
      if (near.find("'" + std::string(s.title) + "'") != std::string::npos)
        near = "; did you mean " + s.label() + "?";
    return fmt::format("{}no section {}{}", now ? "after " + now->label() + ": " : "",
                       quoted(quotes_, text, "of this name"), told(quotes_, near));
  }

  // One number on each line, with words behind it, or several.
  void read_counts() {
    const SectionLines& a = lines_in(section('a'));
    const std::string label = section('a').label();
    std::size_t k = 0;
    for (const Line* line : a.lines) {
      if (k == counts) fail(line->number, 0, label + ": a line too many: there are 14 numbers");
      Record record;
      record.add(*line);
      std::vector<Item> numbers = leading_numbers(*line);
      if (numbers.empty())
        numbers.assign(record.items().begin(), record.items().begin() + !record.items().empty());
      for (const Item& item : numbers)
        for (std::size_t n = 0; n < item.times; ++n) {
          if (k == counts)
            fail(item.line, item.column,
                 fmt::format("{}: {} behind NPI: there are 14 numbers", label, said(written(item))));
          read_count(item, k++);
        }
      if (numbers.size() == 1 && line->words.size() > 1) check_count_text(*line, k - 1);
      if (record.ended() && line == a.lines.back())  // "/" leaves the rest open, which is zero
        for (; k < counts; ++k) count_lines_[k] = line->number;
    }
    if (k < counts)
      fail(a.lines.empty() ? a.heading : a.lines.back()->number, 0,
           fmt::format("{}: {} is missing: {} of 14 numbers are there, one on each line", label,
                       count_notes()[k].name, k));
    if (count_[NB] == 0)
      fail(count_lines_[NB], 0, fmt::format("{}: NB: a model needs at least one body", label));
    check_data_counts(NGC, NGD, "guiding constraints");
    check_data_counts(NBEF, NFD, "external forces");
  }

  void read_count(const Item& item, std::size_t k) {
    count_lines_[k] = item.line;
    if (item.text.empty()) return;
    const auto value = fortran_number(item.text);
    const auto refuse = [&](const std::string& why) {
      fail(item.line, item.column, fmt::format("{}: {}: {}", section('a').label(), count_notes()[k].name, why));
    };
    constexpr double most = 1e6;
    if (!is_whole(item.text, value)) refuse(fmt::format("expected a whole number, got {}", said(item.text)));
    if (*value < 0) refuse(fmt::format("must not be negative, got {}", item.text));
    if (*value > most) refuse(fmt::format("{} is more than a million", item.text));
    count_[k] = static_cast<std::size_t>(*value);
  }

  // The words behind the numbers reveal a line that was left out or swapped.
  void check_count_text(const Line& line, std::size_t k) const {
    const std::size_t from = static_cast<std::size_t>(line.words[1].text.data() - line.text.data());
    const std::string text = normal(line.text.substr(from));
    const auto notes = count_notes();
    const auto other =
        std::ranges::find_if(notes, [&](const CountNote& n) { return text.starts_with(n.word); });
    if (other == notes.end() || &*other == &notes[k]) return;
    fail(line.number, line.words[1].column,
         fmt::format("{}: {} ({}) is expected here, got {}, which is {}", section('a').label(), notes[k].name,
                     notes[k].text, said(line.text), other->name));
  }

  void check_data_counts(Count elements, Count data, std::string_view what) const {
    constexpr std::size_t least = 2;
    if (count_[elements] > 0 && count_[data] < least)
      fail(count_lines_[data], 0,
           fmt::format("{}: {}: {} need at least 2 rows of data, got {}", section('a').label(),
                       count_notes()[data].name, what, count_[data]));
  }

  static bool is_whole(std::string_view word, const std::optional<double>& value) {
    return value && word.find_first_of(".EeDdQq") == std::string_view::npos &&
           word.find_first_of("+-", 1) == std::string_view::npos && std::isfinite(*value);
  }

  /// An item as it stands in the file, with its repeat count.
  static std::string written(const Item& item) {
    return item.times > 1 ? fmt::format("{}*{}", item.times, item.text) : std::string(item.text);
  }

  void read_section(const Section& s) {
    SectionLines& p = lines_in(s);
    const std::size_t wanted = s.count == counts ? 1 : count_[s.count];
    std::size_t data = 0, columns = 0;
    if (s.letter == 'l' && wanted > 0) data = count_[NGD], columns = 1 + wanted;
    if (s.letter == 'o' && wanted > 0) data = count_[NFD], columns = 1 + 4 * wanted;
    if (p.heading == 0 && wanted > 0) fail_missing(s, wanted);
    next_ = 0;
    for (std::size_t k = 0; k < wanted; ++k)
      file_[s.letter].push_back(read_row(s, p, {k, k, wanted + data}, s.columns, ""));
    if (data > 0) read_data(s, p, wanted, data, columns);
    if (next_ < p.lines.size()) {
      const auto counted = [&](Count c, std::size_t n, std::string_view what) {
        return fmt::format("{} = {} {}{}", count_notes()[c].name, n, what, n == 1 ? "" : "s");
      };
      std::string asked = s.count == counts ? "has one line" : "has " + counted(s.count, wanted, "line");
      if (data > 0) asked += " and " + counted(s.letter == 'l' ? NGD : NFD, data, "row") + " of data";
      fail(p.lines[next_]->number, 0, fmt::format("{}: a line too many: it {}", s.label(), asked));
    }
  }

  [[noreturn]] void fail_missing(const Section& s, std::size_t wanted) const {
    if (s.count == counts)
      fail(lines_.back().number, 0, fmt::format("{} is missing after the last line", s.label()));
    fail(count_lines_[s.count], 0,
         fmt::format("{} is missing, but {} = {}", s.label(), count_notes()[s.count].name, wanted));
  }

  const Line& take_line(const Section& s, const SectionLines& p, std::size_t row, std::size_t all) {
    if (next_ < p.lines.size()) return *p.lines[next_++];
    const int last = p.lines.empty() ? p.heading : p.lines.back()->number;
    fail(last, 0,
         s.count == counts
             ? fmt::format("{}: {} is missing: no line follows", s.label(), s.columns.front().name)
             : fmt::format("{}, {} {}: {} is missing: {} of {} lines are there", s.label(), s.element, row + 1,
                           s.columns.front().name, row, all));
  }

  void read_data(const Section& s, const SectionLines& p, std::size_t wanted, std::size_t data,
                 std::size_t columns) {
    Rows& rows = s.letter == 'l' ? file_.guiding_data : file_.force_data;
    std::vector<std::string> names{"Time"};
    constexpr std::string_view of_force[] = {"FX", "FY", "X_P", "Y_P"};
    for (std::size_t k = 1; k < columns; ++k)
      names.push_back(s.letter == 'l' ? fmt::format("Guid_{}", k)
                                      : fmt::format("{}_{}", of_force[(k - 1) % 4], (k - 1) / 4 + 1));
    std::vector<Column> all;
    for (const std::string& name : names) all.push_back({name, Kind::real});
    for (std::size_t k = 0; k < data; ++k) {
      const Count count = s.letter == 'l' ? NGD : NFD;
      if (next_ >= p.lines.size())
        fail(p.lines.back()->number, 0,
             fmt::format("{}, data: Time is missing: {} of {} = {} rows are there", s.label(), k,
                         count_notes()[count].name, data));
      rows.push_back(read_row(s, p, {k, wanted + k, wanted + data}, all, "row of data"));
      if (k > 0 && !(rows[k][0] > rows[k - 1][0]))
        fail(rows[k].line, 0,
             fmt::format("{}, row of data {}: Time: must increase, but {} follows {}", s.label(), k + 1,
                         rows[k][0], rows[k - 1][0]));
    }
  }

  /// Which row is read: its number among its like, its place in the section, and how many rows that has.
  struct Turn {
    std::size_t number, place, all;
  };

  // A line is a record, unless there are more lines than records: then a record goes on until it is full.
  Record take_record(const Section& s, const SectionLines& p, const Turn& turn, std::size_t columns, Row& row) {
    const Line& first = take_line(s, p, turn.place, turn.all);
    row.line = first.number;
    take_comment(first.comment, row);
    Record record;
    record.add(first);
    const bool goes_on = p.lines.size() > turn.all;
    while (goes_on && record.size() < columns && !record.ended() && next_ < p.lines.size()) {
      const Line& line = *p.lines[next_++];
      if (row.name.empty()) take_comment(line.comment, row);
      record.add(line);
    }
    return record;
  }

  Row read_row(const Section& s, const SectionLines& p, const Turn& turn, const std::vector<Column>& columns,
               std::string_view element) {
    Row row;
    const Record record = take_record(s, p, turn, needed(columns), row);
    const std::string what =
        s.count == counts
            ? s.label()
            : fmt::format("{}, {} {}", s.label(), element.empty() ? s.element : element, turn.number + 1);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Item* item = record.at(c);
      const Item open{{}, row.line};
      if (columns[c].otherwise && (!item || item->text.empty() || explains(*item))) {
        row.values.push_back(*columns[c].otherwise);
        continue;
      }
      if (!item && !record.ended()) fail_short(what, record, columns);
      row.values.push_back(read_value(item ? *item : open, columns[c], what));
    }
    if (const Item* extra = record.at(columns.size())) refuse_extra(*extra, record, columns, what);
    return row;
  }

  [[noreturn]] void fail_short(const std::string& what, const Record& record,
                               const std::vector<Column>& columns) const {
    std::string all;
    for (const Column& column : columns) all += (all.empty() ? "" : " ") + std::string(column.name);
    constexpr std::size_t most = 90;
    if (all.size() > most) all = all.substr(0, most) + "...";
    fail(record.items().back().line, 0,
         fmt::format("{}: {} is missing: {} of {} numbers are there ({})", what, columns[record.size()].name,
                     record.size(), needed(columns), all));
  }

  // Words behind the numbers explain them, as in section (a).
  static bool explains(const Item& i) {
    return !i.text.empty() && (is_letter(i.text.front()) || i.text.front() == '(' || i.text == "-");
  }
  void refuse_extra(const Item& extra, const Record& record, const std::vector<Column>& columns,
                    const std::string& what) const {
    if (explains(extra)) return;
    fail(extra.line, extra.column,
         fmt::format(
             "{}: {} behind {}: a line has {} number{}{}", what, said(written(extra)), columns.back().name,
             columns.size(), columns.size() == 1 ? "" : "s",
             record.has_tight_comma() ? "; a comma stands between two numbers, decimals have a point" : ""));
  }

  double read_value(const Item& item, const Column& column, const std::string& what) const {
    const auto refuse = [&](const std::string& why) {
      fail(item.line, item.column, fmt::format("{}: {}: {}", what, column.name, why));
    };
    const bool flag = column.kind == Kind::body || column.kind == Kind::direction || column.kind == Kind::law ||
                      column.kind == Kind::method;
    if (item.text.empty()) {  // FORTRAN keeps what was there before, which is zero
      if (flag || column.kind == Kind::positive) refuse("is left open, and there is no value to keep");
      return 0;
    }
    const auto value = fortran_number(item.text);
    if (flag && !is_whole(item.text, value))
      refuse(fmt::format("expected a whole number, got {}", said(item.text)));
    if (!value) {
      const std::string upper = normal(item.text);
      if (upper.find("NAN") != std::string::npos || upper.find("INF") != std::string::npos)
        refuse(fmt::format("must be finite, got {}", said(item.text)));
      refuse(fmt::format("expected a number, got {}", said(item.text)));
    }
    if (!std::isfinite(*value)) refuse(fmt::format("{} is too large", item.text));
    const auto between = [&](int last, std::string_view meaning) {
      if (*value < 1 || *value > last)
        refuse(fmt::format("expected {} from 1 to {}, got {}", meaning, last, item.text));
    };
    switch (column.kind) {
      case Kind::body: between(static_cast<int>(count_[NB]), "the number of a body,"); break;
      case Kind::direction: between(3, "a direction, 1 for X, 2 for Y, 3 for PHI,"); break;
      case Kind::law: between(static_cast<int>(contact_laws.size()), "a force law"); break;
      case Kind::method: between(static_cast<int>(integrators.size()), "an integration method"); break;
      case Kind::not_negative:
        if (*value < 0) refuse(fmt::format("must not be negative, got {}", item.text));
        break;
      case Kind::positive:
        if (*value <= 0) refuse(fmt::format("must be positive, got {}", item.text));
        break;
      case Kind::share:
        if (*value < 0 || *value > 1) refuse(fmt::format("must be from 0 to 1, got {}", item.text));
        break;
      case Kind::real: break;
    }
    return *value;
  }

  Quotes quotes_;
  File file_;
  std::vector<Line> lines_;
  std::array<SectionLines, 17> sections_;
  std::array<std::size_t, counts> count_{};
  std::array<int, counts> count_lines_{};
  std::size_t counts_seen_ = 0;  // numbers in section (a)
  std::size_t next_ = 0;         // line of the section that is being read
};
}  // namespace

bool is_mubodyna(std::string_view text, std::string_view path) {
  const std::vector<Line> lines = lines_of(text.substr(0, std::min<std::size_t>(text.size(), 1 << 16)));
  if (lines.empty()) return path.ends_with(".mub");
  const std::string_view first = lines.front().text;
  if (section_of(first) != nullptr && first.find('=') == std::string_view::npos) return true;
  const bool like_toml =
      first.front() == '[' || first.front() == '#' || first.find('=') != std::string_view::npos;
  return path.ends_with(".mub") && !like_toml;
}

File read_file(std::string_view text, const std::string& path, Quotes quotes) {
  Reader reader(text, path, quotes);
  File file = reader.read();
  check_file(file, reader.count_lines());
  return file;
}
}  // namespace mubody::io::mubodyna
