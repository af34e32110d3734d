#include "mubody/mubodyna/words.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "mubody/math/characters.h"

namespace mubody::io::mubodyna {
namespace {
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

std::vector<Word> words_of(std::string_view text, std::string_view line) {
  std::vector<Word> words;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    std::size_t stop = at;
    while (stop < text.size() && !is_blank(text[stop])) ++stop;
    words.push_back(
        {text.substr(at, stop - at), static_cast<int>(text.data() - line.data()) + static_cast<int>(at) + 1});
    at = stop;
  }
  return words;
}

// Skips digits [. digits] with at least one digit, and leaves what follows.
bool skip_mantissa(std::string_view& s) {
  bool any = false;
  const auto digits = [&] {
    while (!s.empty() && is_digit(s.front())) s.remove_prefix(1), any = true;
  };
  digits();
  if (!s.empty() && s.front() == '.') {
    s.remove_prefix(1);
    digits();
  }
  return any;
}
}  // namespace

std::vector<Line> lines_of(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<Line> lines;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t stop = std::min(text.find('\n', begin), text.size());
    const std::string_view whole = text.substr(begin, stop - begin);
    ++number;
    begin = stop + 1;
    const std::size_t mark = std::min(whole.find('!'), whole.size());
    const std::string_view said = trimmed(whole.substr(0, mark));
    if (said.empty()) continue;
    const std::string_view comment = mark < whole.size() ? trimmed(whole.substr(mark + 1)) : "";
    lines.push_back({number, said, comment, words_of(said, whole)});
  }
  return lines;
}

std::optional<double> fortran_number(std::string_view word) {
  std::string text(word);
  std::string_view rest = text;
  if (!rest.empty() && (rest.front() == '+' || rest.front() == '-')) rest.remove_prefix(1);
  if (!skip_mantissa(rest)) return {};
  if (!rest.empty()) {
    constexpr std::string_view letters = "EeDdQq";
    const std::size_t at = text.size() - rest.size();
    if (letters.find(rest.front()) != std::string_view::npos) {
      text[at] = 'e';
    } else if (rest.front() == '+' || rest.front() == '-') {  // 1.5-3 is 1.5E-3
      text.insert(at, 1, 'e');
      rest = std::string_view(text).substr(at);
    } else {
      return {};
    }
    rest.remove_prefix(1);
    if (!rest.empty() && (rest.front() == '+' || rest.front() == '-')) rest.remove_prefix(1);
    if (rest.empty() || !std::ranges::all_of(rest, is_digit)) return {};
  }
  const char* begin = text.data();
  if (*begin == '+') ++begin;
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    // The number is too large, or too small to differ from zero.
    const std::size_t e = text.find('e');
    const bool small = e != std::string::npos && e + 1 < text.size() && text[e + 1] == '-';
    return small ? 0 : std::numeric_limits<double>::infinity();
  }
  if (error != std::errc{}) return {};
  return value;
}

std::string normal(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (is_blank(c) || c == '_' || c == '-') {
      if (!all.empty() && all.back() != ' ') all += ' ';
    } else {
      all += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
  }
  while (!all.empty() && all.back() == ' ') all.pop_back();
  return all;
}

bool begins_with(std::string_view text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  if (text.size() == start.size()) return true;
  const char next = text[start.size()];
  return !(next >= 'A' && next <= 'Z') && !is_digit(next);
}
}  // namespace mubody::io::mubodyna
