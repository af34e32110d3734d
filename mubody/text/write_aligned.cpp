#include "mubody/text/write_aligned.h"

#include <algorithm>

namespace mubody::io {
namespace {
constexpr std::string_view gap = "  ";
constexpr std::size_t least_width = 24;  // a column narrower than this is not worth breaking lines for

bool is_number(std::string_view cell) {
  return cell.find_first_of("0123456789") != std::string_view::npos &&
         cell.find_first_not_of("0123456789+-.e") == std::string_view::npos;
}

bool all_numbers(const std::vector<TextRow>& rows, std::size_t headers, std::size_t column) {
  bool any = false;
  for (std::size_t r = headers; r < rows.size(); ++r) {
    if (column >= rows[r].size() || rows[r][column].empty() || rows[r][column] == "-") continue;
    if (!is_number(rows[r][column])) return false;
    any = true;
  }
  return any;
}
}  // namespace

std::size_t shown_width(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    const auto next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0;
    const bool combines = byte == 0xCC || (byte == 0xCD && next < 0xB0);  // U+0300 to U+036F
    if ((byte & 0xC0) != 0x80 && !combines) ++count;
  }
  return count;
}

std::string wrapped_text(std::string_view text, std::size_t width, std::string_view indent) {
  std::string all;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, std::min(text.find(' '), text.size()));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t size = shown_width(word);
    if (used > 0 && used + 1 + size > width) {
      all += '\n';
      all += indent;
      used = 0;
    } else if (used > 0) {
      all += ' ';
      ++used;
    }
    all += word;
    used += size;
  }
  return all;
}

std::string aligned(const std::vector<TextRow>& rows, std::size_t headers, std::string_view indent,
                    std::size_t width) {
  std::size_t columns = 0;
  for (const TextRow& row : rows) columns = std::max(columns, row.size());
  std::vector<std::size_t> widths(columns, 0);
  std::vector<bool> right(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    for (const TextRow& row : rows)
      if (c < row.size()) widths[c] = std::max(widths[c], shown_width(row[c]));
    right[c] = all_numbers(rows, headers, c);
  }
  std::string all;
  for (const TextRow& row : rows) {
    std::string line(indent);
    std::size_t at = shown_width(indent);
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += gap, at += gap.size();
      const std::size_t fill = widths[c] - shown_width(row[c]);
      if (c + 1 == columns && width >= at + least_width && !right[c]) {
        line += wrapped_text(row[c], width - at, std::string(at, ' '));
        break;
      }
      line += right[c] ? std::string(fill, ' ') + row[c] : row[c] + std::string(fill, ' ');
      at += widths[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + '\n';
  }
  return all;
}
}  // namespace mubody::io
