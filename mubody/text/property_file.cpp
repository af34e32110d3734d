#include "mubody/text/property_file.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "mubody/text/text_file.h"
#include "mubody/text/trimmed.h"

namespace mubody::io {
namespace {
std::string in_capitals(std::string_view word) {
  std::string out(word);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return out;
}

Node property_value(std::string_view text, const Mark& mark) {
  Node value{.kind = Node::Kind::string, .mark = mark};
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front())
    text = text.substr(1, text.size() - 2);
  else {
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value.number);
    if (error == std::errc() && end == digits.data() + digits.size()) value.kind = Node::Kind::number;
  }
  value.text = text;
  return value;
}
}  // namespace

Node read_property_file(const std::string& name, const std::string& path) {
  const std::string content = read_file(path, files::data);
  const auto file = std::make_shared<const std::string>(name);
  Node table{.mark = {file, 1, 1}};
  int line = 0;
  for (std::size_t begin = 0; begin < content.size(); ++line) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    std::string_view text = std::string_view(content).substr(begin, end - begin);
    begin = end + 1;
    text = trimmed(text.substr(0, std::min(text.find('$'), text.find('!'))));
    const std::size_t equals = text.find('=');
    if (text.empty() || text.front() == '[' || equals == text.npos) continue;
    const std::string_view key = trimmed(text.substr(0, equals)), value = trimmed(text.substr(equals + 1));
    if (key.empty() || value.empty())
      throw FileError(fmt::format("{}:{}: expected NAME = VALUE", name, line + 1));
    const Mark mark{file, line + 1, 1};
    table.keys.push_back({in_capitals(key), mark});
    table.items.push_back(property_value(value, mark));
  }
  return table;
}
}  // namespace mubody::io
