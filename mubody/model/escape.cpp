#include "mubody/model/escape.h"

#include <fmt/format.h>

#include "mubody/model/utf8.h"

namespace mubody {
namespace {
constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// A character by its number, as C and most other languages write it.
std::string by_number(const Character& c, std::string_view bytes) {
  if (!c.code) {
    std::string all;
    for (const char byte : bytes) all += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    return all;
  }
  if (*c.code == '\n') return "\\n";
  if (*c.code == '\t') return "\\t";
  if (*c.code == '\r') return "\\r";
  return *c.code < 0x80 ? fmt::format("\\x{:02x}", unsigned(*c.code))
                        : fmt::format("\\u{:04x}", unsigned(*c.code));
}

std::string shown(std::string_view text, bool lines) {
  if (!find_odd_character(text, false)) return std::string(text);
  std::string out;
  each_character(text, [&](const Character& c, std::string_view bytes) {
    const bool odd = !c.code || (steers(*c.code) && !(lines && *c.code == '\n'));
    out += odd ? by_number(c, bytes) : bytes;
  });
  return out;
}

// Whether a spreadsheet would take the text for a formula, also behind apostrophes of ours.
bool begins_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of('\'');
  return first != text.npos && first + 1 < text.size() &&
         std::string_view("=+-@\t\r").find(text[first]) != std::string_view::npos;
}

bool allowed_in_xml(char32_t code) {
  const bool blank = code == '\t' || code == '\n' || code == '\r';
  return blank || (code >= 0x20 && !(code >= 0x7F && code < 0xA0) && code != 0xFFFE && code != 0xFFFF);
}
}  // namespace

std::string for_terminal(std::string_view text) { return shown(text, false); }
std::string for_terminal_lines(std::string_view text) { return shown(text, true); }

std::string for_csv(std::string_view text) {
  const std::string defused = (begins_formula(text) ? "'" : "") + std::string(text);
  if (defused.find_first_of(",\"\r\n") == std::string::npos) return defused;
  std::string quoted = "\"";
  for (const char c : defused) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string_view from_csv(std::string_view cell) {
  if (cell.starts_with('\'') && begins_formula(cell)) cell.remove_prefix(1);
  return cell;
}

std::string for_xml(std::string_view text) {
  std::string out;
  each_character(text, [&](const Character& c, std::string_view bytes) {
    if (!c.code || !allowed_in_xml(*c.code))
      out += replacement;
    else if (*c.code == '&')
      out += "&amp;";
    else if (*c.code == '<')
      out += "&lt;";
    else if (*c.code == '>')
      out += "&gt;";
    else if (*c.code == '"')
      out += "&quot;";
    else
      out += bytes;
  });
  return out;
}

std::string for_json(std::string_view text) {
  std::string out;
  each_character(text, [&](const Character& c, std::string_view bytes) {
    constexpr std::string_view special = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
    const std::size_t at = c.bytes == 1 ? special.find(bytes[0]) : special.npos;
    if (!c.code)
      out += replacement;
    else if (at != special.npos)
      out += '\\', out += letters[at];
    else if (steers(*c.code))  // JSON is printed on terminals too
      out += fmt::format("\\u{:04x}", unsigned(*c.code));
    else
      out += bytes;
  });
  return out;
}

// A backslash could join lines, and ??/ is one in old C; "* /" and "/ *" are marks of comments that have been parted.
std::string for_c_comment(std::string_view text) {
  std::string out;
  each_character(text, [&](const Character& c, std::string_view bytes) {
    const bool odd = !c.code || steers(*c.code) || *c.code == '\\';
    const char before = out.empty() ? '\0' : out.back();
    const bool marks = bytes[0] == '/' ? before == '*' || before == '?' : bytes[0] == '*' && before == '/';
    if (marks) out += ' ';
    out += odd ? std::string_view("?") : bytes;
  });
  return out.ends_with('*') || out.ends_with('/') ? out + ' ' : out;
}

std::string for_c_string(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\' && c != '?';
    out += plain ? std::string(1, c) : fmt::format("\\{:03o}", byte);  // three digits end by themselves
  }
  return out;
}
}  // namespace mubody
