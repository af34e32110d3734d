#include "mubody/text/columns/npy_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "mubody/text/text_file.h"
#include "mubody/text/write_table.h"

namespace mubody::io {
namespace {
static_assert(std::endian::native == std::endian::little, "tables are written as they are in memory");
constexpr std::string_view magic = "\x93NUMPY", numbers_type = "<f8";
constexpr std::size_t width = sizeof(double);

/// What stands before an array.
struct Head {
  std::string type;  // "<f8", "|S20"; "[" if an element has several parts
  bool by_columns = false;
  std::vector<std::size_t> shape;
};

// Writing ----------------------------------------------------------------------------------------------------------------

/// The bytes before an array.  Numbers begin at a multiple of 64 bytes, so that they can be mapped into memory.
std::string head_of(std::string_view type, const std::string& shape) {
  constexpr std::size_t alignment = 64, most_in_first_version = 65535;
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, shape);
  const auto before = [&](bool second) { return magic.size() + 2 + (second ? 4 : 2); };
  const bool second = text.size() + alignment > most_in_first_version;
  text.append((alignment - (before(second) + text.size() + 1) % alignment) % alignment, ' ');
  text += '\n';
  std::string head(magic);
  head += second ? '\2' : '\1';
  head += '\0';
  for (int k = 0; k < (second ? 4 : 2); ++k) head += char((text.size() >> (8 * k)) & 0xff);
  return head + text;
}

void append(NewFile& file, std::string_view bytes) {
  constexpr std::size_t portion = 1 << 20;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(portion, bytes.size()))) {
    const std::string_view some = bytes.substr(0, portion);
    file.buffer().append(some.data(), some.data() + some.size());
  }
}

// Reading ----------------------------------------------------------------------------------------------------------------

/// Reads what is written as Python writes a dictionary of these three keys.
class HeadReader {
 public:
  explicit HeadReader(std::string_view text) : rest_(text) {}

  /// None if it is not what numpy writes.
  std::optional<Head> read() {
    Head head;
    int keys = 0;
    if (!takes("{")) return {};
    while (!takes("}")) {
      const std::optional<std::string> key = text();
      if (!key || !takes(":") || !value(*key, head)) return {};
      ++keys;
      takes(",");
    }
    skip();
    return keys == 3 && rest_.empty() && !head.type.empty() ? std::optional(head) : std::nullopt;
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }
  bool takes(std::string_view word) {
    skip();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string> text() {
    if (!takes("'")) return {};
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) return {};
    std::string found(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return found;
  }
  bool value(const std::string& key, Head& head) {
    if (key == "fortran_order") return head.by_columns = takes("True"), head.by_columns || takes("False");
    if (key == "shape") return shape(head);
    if (key != "descr") return false;
    if (takes("[")) {
      // Of parts there is nothing to read; the rest of the head follows after them.
      const std::size_t end = rest_.rfind(']');
      head.type = "[";
      if (end == std::string_view::npos) return false;
      rest_.remove_prefix(end + 1);
      return true;
    }
    head.type = text().value_or("");
    return true;
  }
  bool shape(Head& head) {
    constexpr std::size_t most = 32;  // of numpy
    if (!takes("(")) return false;
    while (!takes(")")) {
      std::size_t n = 0;
      skip();
      const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
      if (error != std::errc{} || head.shape.size() == most) return false;
      rest_.remove_prefix(std::size_t(stop - rest_.data()));
      head.shape.push_back(n);
      takes(",");
    }
    return true;
  }

  std::string_view rest_;
};

class NpyReader {
 public:
  NpyReader(const std::string& name, std::string_view content, Blanks blanks)
      : name_(name), rest_(content), blanks_(blanks) {}

  StoredColumns read() {
    const Head head = take_head();
    expect_numbers(head);
    const std::size_t rows = head.shape[0], columns = head.shape[1];
    const std::string_view bytes = take(rows, columns * width);
    StoredColumns stored;
    stored.data.columns.assign(columns, std::vector<double>(rows));
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t at = head.by_columns ? c * rows + r : r * columns + c;
        stored.data.columns[c][r] = number(bytes.data() + at * width, r, c);
      }
    if (is_npy(rest_)) stored.titles = titles(columns);
    return stored;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw FileError(name_ + ": " + message); }

  Head take_head() {
    const auto byte = [&](std::size_t k) { return std::size_t(static_cast<unsigned char>(rest_[k])); };
    constexpr std::size_t shortest = 12;  // that of the second version, which all heads are longer than
    if (!is_npy(rest_) || rest_.size() < shortest) fail("is cut off, or is no file of numpy");
    const std::size_t version = byte(magic.size()), at = magic.size() + 2, count = version == 1 ? 2 : 4;
    if (version < 1 || version > 3)
      fail("is of a version of numpy's format that is not known: save it as .npy of version 1.0");
    std::size_t length = 0;
    for (std::size_t k = 0; k < count; ++k) length += byte(at + k) << (8 * k);
    if (length > rest_.size() - at - count) fail("is cut off in its head");
    const std::optional<Head> head = HeadReader(rest_.substr(at + count, length)).read();
    if (!head) fail("has a damaged head: expected type, order and shape as numpy writes them");
    rest_.remove_prefix(at + count + length);
    return *head;
  }

  void expect_numbers(const Head& head) const {
    constexpr std::size_t most_columns = 4'000'000;
    if (head.type != numbers_type)
      fail(
          "its elements are no little-endian numbers of 8 bytes, '<f8': save it with numpy.save(file, "
          "x.astype('<f8'))");
    if (head.shape.size() != 2)
      fail(fmt::format("is an array of {} dimension{}, expected rows and columns", head.shape.size(),
                       head.shape.size() == 1 ? "" : "s"));
    if (head.shape[0] == 0 || head.shape[1] == 0) fail("no numbers");
    if (head.shape[1] > most_columns) fail(fmt::format("more than {} columns", most_columns));
  }

  /// The next bytes, so many parts of so many bytes; what the head says may be more than there is, or than can be counted.
  std::string_view take(std::size_t parts, std::size_t bytes) {
    if (parts > rest_.size() / bytes)
      fail(fmt::format("is cut off: its head tells of {} x {} bytes, and there are {}", parts, bytes,
                       rest_.size()));
    const std::string_view taken = rest_.substr(0, parts * bytes);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  double number(const char* at, std::size_t row, std::size_t column) const {
    double x = 0;
    std::memcpy(&x, at, width);
    if (std::isfinite(x)) return x;
    if (blanks_ == Blanks::mistakes)
      fail(fmt::format("row {}: number {}: must be finite", row + 1, column + 1));
    return std::numeric_limits<double>::quiet_NaN();
  }

  std::vector<std::string> titles(std::size_t columns) {
    const Head head = take_head();
    std::size_t length = 0;
    const char *const begin = head.type.data() + 2, *const end = head.type.data() + head.type.size();
    const bool bytes = head.type.starts_with("|S") && std::from_chars(begin, end, length).ptr == end;
    if (!bytes || length == 0 || head.shape != std::vector{columns})
      fail(fmt::format("its second array is not the titles of its {} columns, '|S' with so many elements",
                       columns));
    const std::string_view all = take(columns, length);
    std::vector<std::string> titles;
    for (std::size_t k = 0; k < columns; ++k) {
      const std::string_view padded = all.substr(k * length, length);
      const std::string_view title = padded.substr(0, padded.find_last_not_of('\0') + 1);
      const auto is_odd = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; };
      if (title.empty() || std::ranges::any_of(title, is_odd))
        fail(fmt::format("the title of column {} is empty or has control characters", k + 1));
      titles.emplace_back(title);
    }
    return titles;
  }

  const std::string& name_;
  std::string_view rest_;
  Blanks blanks_;
};
}  // namespace

bool is_npy(std::string_view beginning) { return beginning.starts_with(magic); }

void write_npy(const Table& table, const std::filesystem::path& path, const GoesOn& goes_on) {
  NewFile file(path, goes_on);
  append(file, head_of(numbers_type, fmt::format("{}, {}", table.rows(), table.columns.size())));
  const auto bytes = std::as_bytes(std::span(table.values));
  append(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::size_t longest = 1;
  for (const Column& c : table.columns) longest = std::max(longest, header_of(c).size());
  append(file, head_of(fmt::format("|S{}", longest), fmt::format("{},", table.columns.size())));
  for (const Column& c : table.columns) {
    std::string title = header_of(c);
    title.resize(longest);
    append(file, title);
  }
  file.commit();
}

StoredColumns read_npy(const std::string& name, std::string_view content, Blanks blanks) {
  return NpyReader(name, content, blanks).read();
}
}  // namespace mubody::io
